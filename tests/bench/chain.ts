import { setTimeout as sleep, setImmediate as yieldToOthers } from "node:timers/promises";
import { createPaymentInstructions, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { PROJECT_ROOT } from "../harness/service.ts";
import { type CpuMs, cpuBetween, cpuMeter } from "./cpu.ts";
import { type Stage, setStage } from "./stage.ts";

const WORK_MS_MAX = 600_000;
const CREATES_AT_ONCE = 32;
const LOOK_MS = 50;
/** A rate is taken between these shares of the work, so that neither a start nor a last wait counts. */
const FROM_SHARE = 0.1;
/** Intents that expire for each payment: they go so fast that of fewer a worker's start would be most of the time. */
const EXPIRED_TIMES = 25;
const TO_SHARE = 0.9;

let references = 0;

/** Creates `count` intents through the API, and returns their payment ids. */
async function createIntents({ apiPort, keys, devnet }: Stage, count: number): Promise<string[]> {
  const paymentIds: string[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const number = references++;
      const answer = await fetch(`http://localhost:${apiPort}/api/v1/payment-intents`, {
        method: "POST",
        headers: { authorization: `Bearer ${keys[number % keys.length]}`, "content-type": "application/json" },
        body: JSON.stringify({
          recipient: devnet.addresses.recipient,
          amount: "1000",
          asset: devnet.asset,
          protectionPeriod: "sevenDays",
          merchantReference: `order-${number}`,
        }),
      });
      // A machine with other work may be overloaded for a moment; the reference is another one then.
      if (answer.status === 503 && (await answer.text())) left++;
      else if (answer.status !== 201) throw new Error(`A create was answered ${answer.status}: ${await answer.text()}`);
      else paymentIds.push(((await answer.json()) as { paymentId: string }).paymentId);
    }
  };
  await Promise.all(Array.from({ length: CREATES_AT_ONCE }, client));
  return paymentIds;
}

async function pay({ devnet }: Stage, paymentIds: readonly string[]): Promise<void> {
  const { chain, programId, operator, addresses, asset } = devnet;
  const buyer = devnet.wallets["buyer-1"];
  for (const paymentId of paymentIds) {
    const instructions = await createPaymentInstructions({
      programId,
      operator,
      sender: buyer.address,
      recipient: addresses.recipient,
      mint: asset,
      tokenProgram: TOKEN_PROGRAM_ID,
      paymentId: BigInt(paymentId),
      amount: 1_000n,
      period: "sevenDays",
      arbiter: addresses.arbiter,
    });
    chain.send(instructions, buyer);
    await yieldToOthers();
  }
}

interface Rate {
  readonly perSecond: number;
  readonly cpuMsEach: number;
}

/** Runs workers until the count has come to its end; the rate is that of the work between two shares of it. */
async function measure(stage: Stage, total: number, workers: number, count: () => Promise<number>): Promise<Rate> {
  const before = await count();
  const spawned = await Promise.all(Array.from({ length: workers }, () => stage.startWorker()));
  const meters = await Promise.all(spawned.map(({ process }) => cpuMeter(process.pid!, stage.database)));
  const readCpu = (): CpuMs => {
    const all = meters.map((meter) => meter());
    return { ...all[0]!, service: all.reduce((sum, one) => sum + one.service, 0) };
  };
  const look = async () => ({ done: (await count()) - before, at: performance.now(), cpu: readCpu() });
  let from: Awaited<ReturnType<typeof look>> | null = null;
  let to: Awaited<ReturnType<typeof look>> | null = null;
  const startedAt = performance.now();
  try {
    for (;;) {
      const seen = await look();
      if (from === null && seen.done >= total * FROM_SHARE) from = seen;
      if (to === null && seen.done >= total * TO_SHARE) to = seen;
      if (seen.done >= total) break;
      if (seen.at - startedAt > WORK_MS_MAX) throw new Error(`Only ${seen.done} of ${total} after ten minutes.`);
      await sleep(LOOK_MS);
    }
  } finally {
    for (const { process } of spawned) process.kill("SIGTERM");
    await Promise.all(spawned.map(({ ended }) => ended));
  }
  const done = to!.done - from!.done;
  const cpu = cpuBetween(from!.cpu, to!.cpu);
  const seconds = (to!.at - from!.at) / 1_000;
  return { perSecond: done / seconds, cpuMsEach: (cpu.service + cpu.postgres) / done };
}

const countRows = async (database: Database, what: "bound" | "final" | "expired"): Promise<number> => {
  const row =
    what === "expired"
      ? await database.row<{ count: string }>(sql`select count(*) as count from intents where status = 'expired'`)
      : what === "final"
        ? await database.row<{ count: string }>(sql`select count(*) as count from payments where finalized`)
        : await database.row<{ count: string }>(sql`select count(*) as count from payments`);
  return Number(row!.count);
};

/** Has `workers` workers bind payments that were made while none ran. Each call to a node takes `delayMs`. */
async function bind(stage: Stage, payments: number, workers: number, delayMs: number, what: "bound" | "final") {
  await pay(stage, await createIntents(stage, payments));
  if (delayMs > 0) stage.devnet.controls.faults({ mode: "slow", ms: delayMs });
  try {
    return await measure(stage, payments, workers, () => countRows(stage.database, what));
  } finally {
    stage.devnet.controls.faults({ mode: "none" });
  }
}

async function expire(stage: Stage, intents: number): Promise<Rate> {
  await createIntents(stage, intents);
  await stage.database.rows(sql`
    update intents set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
    where status = 'requires_payment'`);
  return measure(stage, intents, 1, () => countRows(stage.database, "expired"));
}

interface Case {
  readonly name: string;
  run(stage: Stage): Promise<Rate>;
}

const casesOf = (payments: number, named: string): readonly Case[] =>
  [
    { name: "bound, 0 ms a call, one worker", run: (stage: Stage) => bind(stage, payments, 1, 0, "bound") },
    { name: "bound, 75 ms a call, one worker", run: (stage: Stage) => bind(stage, payments, 1, 75, "bound") },
    { name: "bound, 300 ms a call, one worker", run: (stage: Stage) => bind(stage, payments, 1, 300, "bound") },
    { name: "bound, 300 ms a call, two workers", run: (stage: Stage) => bind(stage, payments, 2, 300, "bound") },
    { name: "final, 75 ms a call, one worker", run: (stage: Stage) => bind(stage, payments, 1, 75, "final") },
    { name: "expired, one worker", run: (stage: Stage) => expire(stage, EXPIRED_TIMES * payments) },
  ].filter(({ name }) => name.includes(named));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * Measures how fast the loops that read the chain work, for this build and, by turns in the same run, for another one:
 * `before` is the folder of its working tree, with its packages installed. A fourth argument chooses cases by a part of
 * their names.
 */
export async function benchChain(args: readonly string[]): Promise<void> {
  const [payments = 2_000, rounds = 1] = args.slice(0, 2).map(Number);
  const [, , before, named = ""] = args;
  const stages = [await setStage("this build", PROJECT_ROOT)];
  if (before !== undefined) stages.unshift(await setStage("before", before));
  const rates = new Map<string, Rate[]>();
  try {
    for (let round = 0; round < rounds; round++)
      for (const one of casesOf(payments, named))
        for (const stage of stages) {
          const rate = await one.run(stage);
          console.error(`${one.name}, ${stage.name}: ${rate.perSecond.toFixed(0)}/s`);
          const key = `${one.name} ${stage.name}`;
          rates.set(key, [...(rates.get(key) ?? []), rate]);
        }
  } finally {
    for (const stage of stages) await stage.remove();
  }
  console.log(`\n${payments} payments or intents each, ${rounds} rounds, medians:\n`);
  const columns = stages.flatMap(({ name }) => [`${name}, a second`, `${name}, CPU-ms each`]);
  console.log(`| what | ${columns.join(" | ")} |\n|---|${columns.map(() => "---|").join("")}`);
  for (const { name } of casesOf(payments, named)) {
    const cells = stages.flatMap((stage) => {
      const mine = rates.get(`${name} ${stage.name}`)!;
      return [
        median(mine.map(({ perSecond }) => perSecond)).toFixed(0),
        median(mine.map(({ cpuMsEach }) => cpuMsEach)).toFixed(2),
      ];
    });
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}
