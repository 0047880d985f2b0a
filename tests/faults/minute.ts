import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { startApiProcess } from "../harness/apiProcess.ts";
import { merchantOf, newMerchant } from "../harness/merchant.ts";
import { startOpenService } from "./serviceDatabase.ts";

const REQUESTS = 500;
const RATE = 120;
/** The time before the end of the minute at which the requests begin. */
const LEAD_MS = 250;

/** Requests of one key sent across the end of a minute, over two processes: at most 120 pass in each of the two minutes. */
export async function runMinuteBoundary(): Promise<Readonly<Record<string, number>>> {
  const service = await startOpenService();
  const second = await startApiProcess(service);
  try {
    const merchant = await newMerchant(service, { rate: RATE });
    const callers = [merchant, merchantOf(second.service, merchant.business, merchant.keyId, merchant.key)];
    const { left } = (await service.database.row<{ left: number }>(sql`
      select extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now())::float as left`))!;
    await sleep(Math.max(0, left * 1_000 - LEAD_MS));
    const remaining: number[] = [];
    const askers = Array.from({ length: 20 }, async (_, asker) => {
      for (let count = 0; count < REQUESTS / 20; count++) {
        const answer = await callers[asker % 2]!.get("/me");
        if (answer.status === 200) remaining.push(Number(answer.headers["ratelimit-remaining"]));
        else assert.equal(answer.status, 429, answer.text);
      }
    });
    await Promise.all(askers);
    // Each minute counts down from 119: a number given twice in one minute would show as a third.
    const times = Map.groupBy(remaining, (place) => place);
    const most = Math.max(...[...times.values()].map((places) => places.length));
    assert.ok(most <= 2, `the same place was given ${most} times`);
    assert.ok(remaining.length > RATE && remaining.length <= 2 * RATE, `${remaining.length} passed`);
    return { requests: REQUESTS, passed: remaining.length, inBothMinutesAtMost: 2 * RATE };
  } finally {
    await second.kill("SIGTERM");
    await service.remove();
  }
}
