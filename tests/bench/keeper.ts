import { isPayment } from "../../server/chain/port.ts";
import { KEEPER_DEFAULTS } from "../../server/process/config.ts";
import { KeeperWorld, type Worker } from "../faults/keeperWorld.ts";

const never = new AbortController().signal;
/** Parts that a transaction of the former keeper had. */
const PARTS = 4;

interface Measured {
  readonly what: string;
  readonly parts: number;
  readonly transactions: number;
  readonly seconds: number;
  /** Of this process, which holds the workers and the chain: on a busy machine it bounds the rate, not the calls. */
  readonly cpuSeconds: number;
}

/**
 * Parts paid out a second, with calls to a node that take long: as the keeper was, one transaction of four parts after
 * the other, each with a read of its accounts and of a blockhash; then as it is, by one worker and by two, among payments
 * that cannot settle.
 */
export async function benchKeeper(args: readonly string[]): Promise<void> {
  const [payments = 1_000, businesses = 50, hopeless = payments / 10, latencyMs = 75] = args.map(Number);
  await using world = await KeeperWorld.open({ businesses, payments, hopeless, large: 0 });
  const { controls } = world.stepped.net;
  const workers = await Promise.all(["one", "two"].map((name) => world.worker(name, KEEPER_DEFAULTS.concurrency)));
  world.slowDown();
  controls.faults({ mode: "slow", ms: latencyMs });

  const rows = [await oneAtATime(world, Math.floor(payments / 20))];
  const able = payments - hopeless - rows[0]!.parts;
  rows.push(await measure("one worker", workers.slice(0, 1), able / 2));
  rows.push(await measure("two workers", workers, able));

  const before = rows[0]!.parts / rows[0]!.seconds;
  console.log(`${payments} payments of ${businesses} businesses, ${hopeless} hopeless; ${latencyMs} ms a call.\n`);
  console.log(
    "| Keeper | parts | transactions | seconds | of CPU | parts/s | ratio |\n| --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const { what, parts, transactions, seconds, cpuSeconds } of rows) {
    const rate = parts / seconds;
    const times = [seconds, cpuSeconds, rate, rate / before].map((value) => value.toFixed(1));
    console.log(`| ${[what, parts, transactions, ...times].join(" | ")} |`);
  }
}

/** The former keeper's round, of payments that can be settled. */
async function oneAtATime(world: KeeperWorld, count: number): Promise<Measured> {
  const good = world.payments.filter(({ kind }) => kind === "good").slice(0, count);
  const { reader } = world.stepped.deps.chain;
  const stop = startWatch();
  let transactions = 0;
  for (let at = 0; at < good.length; at += PARTS) {
    const addresses = good.slice(at, at + PARTS).map(({ address }) => address);
    const { value } = await reader.fetchPayments(addresses, { signal: never });
    // A new sender fetches a blockhash for each transaction, as the former one did.
    const { payOut } = await world.sender(1);
    const answer = await payOut(
      value.filter(isPayment).map((payment) => ({ payment, side: "recipient" })),
      { signal: never },
    );
    if (answer.kind !== "sent") throw new Error(`A transaction was not sent: ${JSON.stringify(answer)}`);
    transactions++;
  }
  return { what: "as it was", parts: good.length, transactions, ...stop() };
}

function startWatch(): () => Pick<Measured, "seconds" | "cpuSeconds"> {
  const [startedAt, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { seconds: (performance.now() - startedAt) / 1_000, cpuSeconds: (user + system) / 1_000_000 };
  };
}

/** Works until so many parts are sent in all, or nothing is due any more. */
async function measure(what: string, workers: readonly Worker[], partsMax: number): Promise<Measured> {
  const count = () => {
    const sent = workers.flatMap((worker) => worker.sent);
    return { transactions: sent.length, parts: sent.reduce((sum, { parts }) => sum + parts.length, 0) };
  };
  const [before, stop] = [count(), startWatch()];
  const work = async ({ step }: Worker) => {
    while (count().parts < partsMax && (await step()));
  };
  await Promise.all(workers.map(work));
  const times = stop();
  const { transactions, parts } = count();
  return { what, parts: parts - before.parts, transactions: transactions - before.transactions, ...times };
}
