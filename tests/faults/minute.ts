import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { startApiProcess } from "../harness/apiProcess.ts";
import { merchantOf, newMerchant, untilTaken } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { startOpenService } from "./serviceDatabase.ts";

const RATE = 120;
const ASKERS = 20;
/** The pause of an asker that is refused before the minute turns. */
const REFUSED_MS = 20;
/** The time before the end of the minute at which the requests begin, unless the machine wakes too late for it. */
const LEAD_MS = 250;

/** Requests of one key sent across the end of a minute, over two processes: at most 120 pass in each of the two minutes. */
export async function runMinuteBoundary(): Promise<Readonly<Record<string, number>>> {
  const service = await startOpenService();
  const second = await startApiProcess(service);
  try {
    const merchant = await newMerchant(service, { rate: RATE });
    const callers = [merchant, merchantOf(second.service, merchant.business, merchant.keyId, merchant.key)];
    const readMinute = async () =>
      (await service.database.row<{ minute: number; leftMs: number }>(sql`
        select (extract(epoch from now())::bigint / 60)::integer as minute,
          (extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now()) * 1000)::float as "leftMs"`))!;
    const beginBeforeEnd = async (leadMs: number): Promise<number> => {
      const { minute, leftMs } = await readMinute();
      await sleep(Math.max(0, leftMs - leadMs));
      return (await readMinute()).minute === minute ? minute : beginBeforeEnd(2 * leadMs);
    };
    const first = await beginBeforeEnd(LEAD_MS);
    // They go on until the minute has turned, and for as many as it may refuse.
    let left = Number.POSITIVE_INFINITY;
    const turning = eventually("the minute turns", async () => (await readMinute()).minute > first).then(() => {
      left = 2 * RATE;
    });
    const remaining: number[] = [];
    let requests = 0;
    const askers = Array.from({ length: ASKERS }, async (_, asker) => {
      while (left-- > 0) {
        requests++;
        const answer = await untilTaken(() => callers[asker % 2]!.get("/me"));
        if (answer.status === 200) remaining.push(Number(answer.headers["ratelimit-remaining"]));
        else assert.equal(answer.status, 429, answer.text);
        if (answer.status === 429 && left === Number.POSITIVE_INFINITY) await sleep(REFUSED_MS);
      }
    });
    await Promise.all([turning, ...askers]);
    // Each minute counts down from 119: a number given twice in one minute would show as a third, if there were two minutes.
    const minutes = (await readMinute()).minute - first + 1;
    const times = Map.groupBy(remaining, (place) => place);
    const most = Math.max(...[...times.values()].map((places) => places.length));
    assert.ok(most <= minutes, `the same place was given ${most} times in ${minutes} minutes`);
    assert.ok(remaining.length > RATE && remaining.length <= minutes * RATE, `${remaining.length} passed`);
    return { requests, passed: remaining.length, minutes };
  } finally {
    await second.kill("SIGTERM");
    await service.remove();
  }
}
