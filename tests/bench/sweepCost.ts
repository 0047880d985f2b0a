import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep, setImmediate as yieldToOthers } from "node:timers/promises";
import { type Devnet, startDevnet } from "@holdfast/devnet/start.ts";
import { createPaymentInstructions, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { addBusiness } from "../../server/features/businesses/actions.ts";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/endpoints/secret.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { findFreePorts } from "../harness/ports.ts";
import { type Spawned, spawnService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

/** Quicker than a real chain's, so that a short run has many steps. */
const SWEEP_MS = 200;
const START_MS_MAX = 120_000;
const BIND_MS_MAX = 300_000;
/** Said by the reader of each transaction, once. */
const READS = ["getTransaction", "getMultipleAccounts"] as const;

type Counts = Readonly<Record<string, number>>;

/** A chain in this process, which counts every request, and a service that may be ended and started again. */
interface SteppedService {
  readonly devnet: Devnet;
  readonly database: Database;
  counts(): Counts;
  restart(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  remove(): Promise<void>;
}

async function setStage(): Promise<SteppedService> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
  const devnet = await startDevnet({ dataDir: join(dataDir, "chain"), slotMs: 40, finalizedAfter: 32 });
  const env = {
    TEST_RPC_URLS: devnet.rpcUrl,
    TEST_WS_URLS: devnet.wsUrl,
    TEST_PROGRAM_ID: devnet.programId,
    TEST_OPERATOR: devnet.operator,
    SWEEP_MS: String(SWEEP_MS),
    WEBHOOK_KEYS: JSON.stringify(showKeyRing(newKeyRing())),
  };
  const start = async (): Promise<Spawned> => {
    const spawned = spawnService({ dataDir, databaseUrl: null, env }, await findFreePorts(4));
    const isReady = () => {
      if (spawned.process.exitCode !== null) throw new Error(`The service ended at its start: ${spawned.errors()}`);
      return fetch(`http://localhost:${spawned.port}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
    };
    await eventually("the service is ready", isReady, START_MS_MAX);
    return spawned;
  };
  let service = await start();
  const connect = async () => {
    const { url } = JSON.parse(await readFile(join(dataDir, "database.json"), "utf8")) as { url: string };
    const connection = { connectionString: url };
    return openDatabase({ connection, connectionsMax: 2, statementTimeoutMs: 120_000, log: () => undefined });
  };
  let database = await connect();
  return {
    devnet,
    get database() {
      return database;
    },
    counts: () => devnet.controls.stats().requests,
    restart: async (signal) => {
      await database.close();
      service.process.kill(signal);
      await service.ended;
      service = await start();
      database = await connect();
    },
    remove: async () => {
      await database.close();
      service.process.kill("SIGTERM");
      await service.ended;
      await devnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Inserts open intents, as create would, with payment ids from `first` on. */
async function insertIntents(
  { database, devnet }: SteppedService,
  business: string,
  first: number,
  count: number,
): Promise<void> {
  await database.rows(sql`
    with made as (
      insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
        merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at, list_position)
      select ${business}, 'pi_test_' || lpad(to_hex(n), 32, '0'), 'test', 'requires_payment', true, ${devnet.addresses.recipient},
        1000, ${devnet.asset}, 'sevenDays', 'order ' || n, '{}', n, now(), date_trunc('second', now()) + interval '1 day', now(), n
      from generate_series(${first}::bigint, ${first + count - 1}::bigint) n
      returning payment_id, id)
    insert into payment_ids (payment_id, business_id, intent_id) select payment_id, ${business}, id from made`);
  await database.rows(sql`analyze`);
}

const difference = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );

/** A step of the feed lists signatures once: its calls count the steps. */
const STEP = "getSignaturesForAddress";

async function idle(stepped: SteppedService, business: string, seconds: number): Promise<void> {
  console.log(`An idle sweep, ${seconds} s each, one step every ${SWEEP_MS} ms:\n`);
  console.log("| open intents | steps | RPC calls | calls a step | by method, a step |\n|---|---|---|---|---|");
  let inserted = 0;
  for (const open of [10, 100_000]) {
    await insertIntents(stepped, business, 1_000_001 + inserted, open - inserted);
    inserted = open;
    await sleep(2_000); // The statement's own weight is over; what follows is an idle service.
    const before = stepped.counts();
    await sleep(seconds * 1_000);
    const calls = difference(before, stepped.counts());
    const steps = calls[STEP] ?? 0;
    const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
    const each = Object.entries(calls).map(([method, count]) => `${method} ${(count / steps).toFixed(2)}`);
    console.log(`| ${open} | ${steps} | ${total} | ${(total / steps).toFixed(2)} | ${each.join(", ")} |`);
  }
}

/** Makes payments at this pace, straight into the chain in this process: nothing of it is a request. */
async function makePayments(
  { devnet }: SteppedService,
  first: number,
  count: number,
  perSecond: number,
): Promise<void> {
  const { chain, programId, operator, addresses, asset } = devnet;
  const buyer = devnet.wallets["buyer-1"];
  const startedAt = performance.now();
  for (let made = 0; made < count; made++) {
    const instructions = await createPaymentInstructions({
      programId,
      operator,
      sender: buyer.address,
      recipient: addresses.recipient,
      mint: asset,
      tokenProgram: TOKEN_PROGRAM_ID,
      paymentId: BigInt(first + made),
      amount: 1_000n,
      period: "sevenDays",
      arbiter: addresses.arbiter,
    });
    chain.send(instructions, buyer);
    const dueMs = startedAt + ((made + 1) * 1_000) / perSecond - performance.now();
    if (dueMs > 1) await sleep(dueMs);
    else await yieldToOthers();
  }
}

async function busy(stepped: SteppedService, business: string, transactions: number, perSecond: number): Promise<void> {
  await insertIntents(stepped, business, 1, transactions);
  const before = stepped.counts();
  const startedAt = performance.now();
  const third = Math.floor(transactions / 3);
  await makePayments(stepped, 1, third, perSecond);
  await Promise.all([stepped.restart("SIGTERM"), makePayments(stepped, 1 + third, third, perSecond)]);
  const left = transactions - 2 * third;
  await Promise.all([stepped.restart("SIGKILL"), makePayments(stepped, 1 + 2 * third, left, perSecond)]);
  await eventually(
    "every payment is bound and final, its transaction known, and the inbox read",
    () =>
      stepped.database.row(sql`
        select 1 from payments where finalized and signature is not null
        having count(*) = ${transactions} and not exists (select from chain_inbox where not processed)`),
    BIND_MS_MAX,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = difference(before, stepped.counts());
  const reads = READS.reduce((sum, method) => sum + (calls[method] ?? 0), 0);
  console.log(
    `\n${transactions} payments at up to ${perSecond} a second, a restart by SIGTERM and one by SIGKILL among them; all bound and final after ${seconds.toFixed(0)} s:\n`,
  );
  console.log("| method | calls | ÷ transactions |\n|---|---|---|");
  for (const [method, count] of Object.entries(calls).toSorted(([, a], [, b]) => b - a))
    console.log(`| ${method} | ${count} | ${(count / transactions).toFixed(3)} |`);
  console.log(
    `| **reading transactions** (${READS.join(" + ")}) | ${reads} | **${(reads / transactions).toFixed(3)}** |`,
  );
  const polling = Object.values(calls).reduce((sum, count) => sum + count, 0) - reads;
  console.log(`| polling (the rest) | ${polling} | ${(polling / seconds).toFixed(1)} a second |`);
}

/** What reading the chain costs: by the step while nothing happens, by the transaction while much does. */
export async function benchSweepCost(args: readonly string[]): Promise<void> {
  const [seconds = 20, transactions = 5_000, perSecond = 300] = args.map(Number);
  const stepped = await setStage();
  try {
    const business = (await addBusiness(stepped.database, { kind: "service" }, "Bench")).id;
    await idle(stepped, business, seconds);
    await busy(stepped, business, transactions, perSecond);
  } finally {
    await stepped.remove();
  }
}
