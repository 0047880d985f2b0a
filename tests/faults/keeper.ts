import assert from "node:assert/strict";
import { ChainUnavailableError } from "../../server/chain/port.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import {
  type DuePaymentOnChain,
  HOPELESS_KINDS,
  KeeperWorld,
  type KeeperWorldOptions,
  type Worker,
} from "./keeperWorld.ts";
import type { Figures } from "./scenarios.ts";

const FEE = 5_000n;
const STEPS_MAX = 1_000;
const ROUNDS_MAX = 5;
/** Longer than the keeper leaves a payment alone after sending it once. */
const WAIT_SECONDS = 100;

export interface KeeperOptions extends KeeperWorldOptions {
  /** The number of transactions that a worker sends at once: low, so that no worker has all the work in its first claim. */
  readonly concurrency: number;
}

/**
 * Payments of many businesses are due, some of them hopeless in every way, and two workers pay out the others. These settle,
 * no part is sent twice, one transaction that a fork drops is sent again, and the fee payer loses only fees.
 */
export async function runKeeper(options: KeeperOptions): Promise<Figures> {
  await using world = await KeeperWorld.open(options);
  const { stepped } = world;
  const [balance, earlier] = [world.balance(), (await world.history()).length];
  const able = world.payments.filter(({ kind }) => kind === "good" || kind === "large");
  stepped.net.controls.freezeFinality(true);

  const workers = await Promise.all(["one", "two"].map((name) => world.worker(name, options.concurrency)));
  const sentParts = () => workers.flatMap(({ sent }) => sent.flatMap((one) => one.parts));
  const sendUntil = async (parts: number) => {
    for (let round = 0; sentParts().length < parts && round < ROUNDS_MAX; round++) {
      // A part that did not land, as on a busy machine, is sent again after a wait like any other.
      if (round > 0) await stepped.advance(WAIT_SECONDS);
      await Promise.all(workers.map(workOff));
    }
  };
  await sendUntil(able.length);
  assert.deepEqual(await listUnsent(world, able, sentParts()), [], "all that can be sent is");
  assert.equal(sentParts().length, able.length, "once, and nothing else");
  for (const { name, sent } of workers) assert.ok(sent.length > 0, `worker ${name} has a share`);
  const failedTogether = workers.flatMap((worker) => worker.failedTogether);
  assert.ok(
    failedTogether.includes("MaxLoadedAccountsDataSizeExceeded"),
    "large accounts stopped a transaction as a whole",
  );
  const first = workers.map(({ sent }) => sent.length);

  // A fork drops one transaction with several payments: after the wait each goes alone, and lands.
  const lost = workers.flatMap(({ sent }) => sent).find((one) => one.parts.length > 1)!;
  assert.ok(stepped.net.controls.drop(lost.signature) !== null);
  await eventually("all others are settled in the books", async () => {
    await stepped.catchUp();
    return (await countReleased(world)) === able.length - lost.parts.length;
  });
  await stepped.advance(WAIT_SECONDS);
  await sendUntil(able.length + lost.parts.length);
  const again = workers.flatMap(({ sent }, index) => sent.slice(first[index]));
  assert.deepEqual(again.map((one) => one.parts).sort(), lost.parts.map((part) => [part]).sort());
  stepped.net.controls.freezeFinality(false);
  await eventually("all that can be are settled", async () => {
    await stepped.catchUp();
    return (await countReleased(world)) === able.length;
  });

  // The hopeless payments wait, each with its reason, longer each time and at no cost.
  const reasons = await listReasons(world);
  assert.deepEqual(Object.keys(reasons).sort(), [...HOPELESS_KINDS].sort());
  const landed = (await world.history()).slice(0, -earlier || undefined);
  assert.deepEqual(
    landed.filter(({ err }) => err !== null),
    [],
    "nothing fails on chain",
  );
  const spent = balance - world.balance();
  assert.equal(spent, FEE * BigInt(landed.length), "fees alone");
  await stepped.advance(3_600);
  await Promise.all(workers.map(workOff));
  assert.equal(balance - world.balance(), spent, "trying again costs nothing");

  // With its account created, a payment leaves by itself.
  const helped = world.payments.find(({ kind }) => kind === "no account")!;
  await stepped.net.controls.faucet(helped.recipient.address, stepped.net.asset, 1n);
  await stepped.advance(7 * 3_600);
  await sendUntil(sentParts().length + 1);
  await eventually("it is settled", async () => (await world.status(helped.address)) === "released");
  await eventually("the books know", async () => {
    await stepped.catchUp();
    return (await countReleased(world)) === able.length + 1;
  });
  await stepped.settle();
  return {
    figures: {
      "due payments": world.payments.length,
      hopeless: world.payments.length - able.length,
      "transactions of the workers": first.join(" and "),
      "fees, lamports": String(spent),
      ...Object.fromEntries(Object.entries(reasons).map(([kind, reason]) => [`refused, ${kind}`, reason])),
    },
    // The issuer's hook, and accounts that their own recipients gave away, keep these from leaving.
    report: await assertSound(
      stepped.database,
      stepped.evidence,
      false,
      new Set(world.payments.filter((payment) => !able.includes(payment)).map(({ address }) => address)),
    ),
  };
}

/** The payments that could leave and did not, with the reason. */
async function listUnsent({ stepped }: KeeperWorld, able: readonly DuePaymentOnChain[], parts: readonly string[]) {
  const sent = new Set(parts);
  const left = able.filter(({ address }) => !sent.has(`${address} recipient`)).map(({ address }) => address);
  return stepped.database.rows(sql`
    select address, keeper_tries, keeper_refusal from payments where address = any(${left}::text[])`);
}

/** Runs steps until none has work left, as the keeper's loop does: after an outage it goes on. */
async function workOff({ step }: Worker): Promise<void> {
  const next = () =>
    step().catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return true;
      throw error;
    });
  for (let steps = 0; await next(); steps++)
    if (steps > STEPS_MAX) throw new Error("A keeper finds more and more to do.");
}

async function countReleased({ stepped }: KeeperWorld): Promise<number> {
  const row = await stepped.database.row<{ count: number }>(
    sql`select count(*)::integer as count from payments where status = 'released'`,
  );
  return row!.count;
}

/** The reason for which each kind of hopeless payment waits. */
async function listReasons({ stepped, payments }: KeeperWorld): Promise<Record<string, string>> {
  const rows = await stepped.database.rows<{ address: string; keeper_refusal: string | null }>(sql`
    select address, keeper_refusal from payments where status <> 'released'`);
  const kinds = new Map<string, string>(payments.map(({ address, kind }) => [address, kind]));
  const reasons: Record<string, string> = {};
  for (const { address, keeper_refusal } of rows) {
    assert.notEqual(keeper_refusal, null, `${kinds.get(address)} has its reason`);
    const kind = kinds.get(address)!;
    assert.equal(reasons[kind] ?? keeper_refusal, keeper_refusal, `one reason for ${kind}`);
    reasons[kind] = keeper_refusal!;
  }
  return reasons;
}
