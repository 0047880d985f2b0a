import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChainReader, ChainUnavailableError } from "../../server/chain/port.ts";
import { findHold } from "../../server/features/recording/queries.ts";
import { createBehindWatch } from "../../server/features/recording/sweep/behindWatch.ts";
import { fetchTransactions } from "../../server/features/recording/sweep/fetchTransactions.ts";
import { createReconcileStep } from "../../server/features/recording/sweep/reconcile.ts";
import { sweepInbox } from "../../server/features/recording/sweep/sweep.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const never = new AbortController().signal;

async function payMany(stepped: SteppedService, count: number) {
  const made = [];
  for (let at = 0; at < count; at++) {
    const intent = await stepped.create();
    made.push({ intent, ...(await stepped.pay(intent)) });
  }
  stepped.tick(12);
  return made;
}

/** The deps of a step whose reads of the chain are replaced. */
const withReader = ({ ctx }: SteppedService, replaced: Partial<ChainReader>) => ({
  ...ctx,
  chain: { ...ctx.chain, reader: { ...ctx.chain.reader, ...replaced } },
});

/** A chain reader to which no node returns these accounts. */
const refusing = ({ ctx }: SteppedService, isRefused: (address: string) => boolean): Partial<ChainReader> => ({
  fetchPayments: (addresses, options) =>
    addresses.some(isRefused)
      ? Promise.reject(new ChainUnavailableError("no node gives the account"))
      : ctx.chain.reader.fetchPayments(addresses, options),
});

const listOpen = (stepped: SteppedService) =>
  stepped.database.rows<{ signature: string; attempts: number; leased: boolean }>(
    sql`select signature, attempts, leased_until is not null as leased from chain_inbox where not processed order by signature`,
  );

test("a payment whose account no node gives holds up none that was found with it", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped, 7);
  const bad = made[3]!;
  await stepped.feed();
  await sweepInbox(
    withReader(
      stepped,
      refusing(stepped, (address) => address === bad.payment),
    ),
    never,
  );
  for (const { intent } of made)
    assert.equal((await stepped.intent(intent)).status, intent === bad.intent ? "requires_payment" : "paid");
  assert.deepEqual(await listOpen(stepped), [{ signature: bad.signature, attempts: 1, leased: true }], "it waits");
  assert.ok(
    stepped.lines.some((line) => line.includes(bad.signature)),
    "the log names it",
  );

  await stepped.settle();
  assert.equal((await stepped.intent(bad.intent)).status, "paid");
  await stepped.assertSound();
});

test("where nodes are so slow that the time of a step is over, what was read by then is kept", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped, 3);
  const over = new AbortController();
  const { reader } = stepped.ctx.chain;
  const answered = Promise.withResolvers<void>();
  const slow: Partial<ChainReader> = {
    fetchTransaction: async (signature, options) => {
      if (signature === made[0]!.signature)
        return reader.fetchTransaction(signature, options).finally(answered.resolve);
      await answered.promise;
      over.abort();
      throw new ChainUnavailableError("no answer before the caller's deadline");
    },
  };
  const rows = made.map(({ signature }) => ({ signature, slot: null }));
  const { landed, unknown, unanswered, unread } = await fetchTransactions(withReader(stepped, slow), rows, over.signal);
  const [first, ...others] = rows.map(({ signature }) => signature);
  assert.deepEqual(
    [landed.map(({ signature }) => signature), unknown, [...unanswered], unread.toSorted()],
    [[first], [], [], others.toSorted()],
  );
});

const away = () => Promise.reject(new ChainUnavailableError("no connection"));

test("where no node gives an account or the head, the chain is away: everything is given back as it was", async () => {
  await using stepped = await SteppedService.open();
  await payMany(stepped, 4);
  await stepped.feed();
  const listed = await listOpen(stepped);
  const ctx = withReader(stepped, { ...refusing(stepped, () => true), fetchHead: away });
  await assert.rejects(() => sweepInbox(ctx, never), ChainUnavailableError);
  assert.deepEqual(await listOpen(stepped), listed);
});

/** Withholds these transactions at every node, which answers otherwise, and counts how often one was asked for. */
function withholding(stepped: SteppedService, withheld: ReadonlySet<string>) {
  const { reader } = stepped.ctx.chain;
  const asked = { count: 0 };
  const fetchTransaction: ChainReader["fetchTransaction"] = (signature, options) => {
    if (!withheld.has(signature)) return reader.fetchTransaction(signature, options);
    asked.count++;
    return Promise.reject(new ChainUnavailableError("node 0: knows the signature but not its transaction"));
  };
  return { asked, fetchTransaction };
}

test("transactions that no node gives, however many, hold up none behind them and are asked for less and less often", async () => {
  await using stepped = await SteppedService.open();
  const bad = await payMany(stepped, 24);
  await stepped.feed();
  const { asked, fetchTransaction } = withholding(stepped, new Set(bad.map(({ signature }) => signature)));
  const ctx = withReader(stepped, { fetchTransaction });
  const now = async () => (await stepped.database.row<{ now: string }>(sql`select now()::text as now`))!.now;
  const assertWait = async (tries: number, since: string) => {
    const waits = await stepped.database.row<{ tried: string; seconds: number }>(sql`
      select count(*) as tried, min(extract(epoch from leased_until - ${since}::timestamptz))::float as seconds
      from chain_inbox where not processed and attempts = ${tries}`);
    assert.equal(Number(waits!.tried), bad.length);
    assert.ok(waits!.seconds >= 2 ** (tries - 1), `${waits!.seconds} s after ${tries} tries`);
  };
  const startedAt = await now();
  assert.equal(await sweepInbox(ctx, never), false, "there is nothing to do at once");
  await assertWait(1, startedAt);
  // Their first wait is a second, in which a busy machine may do nothing of what follows.
  await stepped.database.rows(sql`update chain_inbox set leased_until = leased_until + interval '1 hour'`);
  const [good] = await payMany(stepped, 1);
  await stepped.feed();
  for (let steps = 0; steps < 3; steps++) await sweepInbox(ctx, never);
  assert.equal((await stepped.intent(good!.intent)).status, "paid");
  assert.equal(asked.count, bad.length, "they wait");
  for (let tries = 2; tries <= 4; tries++) {
    const before = await now();
    await stepped.sweep(ctx);
    await assertWait(tries, before);
  }
  assert.equal(stepped.lines.filter((line) => line.includes("a transaction could not be read")).length, 1);

  await stepped.settle();
  for (const { intent } of bad) assert.equal((await stepped.intent(intent)).status, "paid");
  await stepped.assertSound();
});

test("what was read before the chain went away is recorded, and the rest given back as it was", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped, 12);
  await stepped.feed();
  const { fetchTransaction } = withholding(stepped, new Set(made.slice(1).map(({ signature }) => signature)));
  await assert.rejects(
    () => sweepInbox(withReader(stepped, { fetchTransaction, fetchHead: away }), never),
    ChainUnavailableError,
  );
  assert.equal((await stepped.intent(made[0]!.intent)).status, "paid");
  assert.deepEqual(
    (await listOpen(stepped)).map(({ attempts, leased }) => ({ attempts, leased })),
    made.slice(1).map(() => ({ attempts: 0, leased: false })),
  );
});

test("§3.1.5 a transaction that no node gives holds the watermark, which the log says, until a scan of all accounts makes up for it", async () => {
  await using stepped = await SteppedService.open();
  await stepped.reconcile();
  await stepped.settle();
  await stepped.feed();
  const [bad] = await payMany(stepped, 1);
  const { fetchTransaction } = withholding(stepped, new Set([bad!.signature]));
  const ctx = withReader(stepped, { fetchTransaction });
  await stepped.feed();
  for (let tries = 0; tries < 6; tries++) await stepped.sweep(ctx);
  const step = async () => {
    stepped.tick(400);
    await stepped.feed();
    await stepped.sweep(ctx);
    await stepped.feed();
  };
  await stepped.advance(600);
  await step();
  const hold = (await findHold(stepped.database, "test"))!;
  assert.deepEqual([hold.reason, hold.signature], ["transaction", bad!.signature]);
  const watch = createBehindWatch(stepped.database, "test", stepped.ctx.log);
  await watch();
  assert.ok(
    stepped.lines.some(
      (line) =>
        line.includes("is announced as expired") && line.includes(`waits for the transaction ${bad!.signature}`),
    ),
    "the log says what holds it",
  );

  // A day later.
  await stepped.database.rows(sql`update chains set reconciled_at = reconciled_at - interval '25 hours'`);
  await createReconcileStep(ctx)(never);
  assert.equal((await stepped.intent(bad!.intent)).status, "paid", "by its account");
  await step();
  await watch();
  assert.ok(stepped.lines.at(-1)!.includes("again"), "the watermark goes on");
  await stepped.assertSound();
});

test("§4.5.14 a large payment that one node alone shows is bound by none of the ways, until a second shows it", async () => {
  await using stepped = await SteppedService.open({
    nodes: ["one", "two"],
    secondNodeFrom: new Map([["*", 5_000_000n]]),
  });
  const [made] = await payMany(stepped, 1);
  const { intent, signature, payment } = made!;
  stepped.net.controls.faults({ mode: "ignorant", node: "two", names: [payment] });
  await stepped.catchUp();
  assert.equal(await stepped.confirm(intent, signature), "chain_unavailable");
  await stepped.reconcile();
  assert.equal((await stepped.intent(intent)).status, "requires_payment");

  stepped.net.controls.faults({ mode: "none" });
  await stepped.settle();
  assert.equal((await stepped.intent(intent)).status, "paid");
  assert.equal(await stepped.confirm(intent, signature), "already_recorded");
  await stepped.assertSound();
});

test("§4.5.14 a large payment is final once a second node shows it so", async () => {
  await using stepped = await SteppedService.open({
    nodes: ["one", "two"],
    secondNodeFrom: new Map([["*", 5_000_000n]]),
  });
  const [made] = await payMany(stepped, 1);
  const { payment } = made!;
  await stepped.catchUp();
  const isFinal = async () => (await stepped.payment(payment))!.finalized;
  assert.equal(await isFinal(), false);
  stepped.tick(12);
  stepped.net.controls.faults({ mode: "ignorant", node: "two", names: [payment] });
  await stepped.finalize();
  assert.equal(await isFinal(), false);
  stepped.net.controls.faults({ mode: "none" });
  await stepped.finalize();
  assert.equal(await isFinal(), true);
  await stepped.assertSound();
});

test("a payment that cannot be recorded keeps a scan of all accounts from nothing else, and the scan from repeating at once", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped, 4);
  const stuck = made[1]!;
  const giveBack = await stepped.takeKey(stuck.intent.id, "payment_intent.paid");
  let scans = 0;
  const { reader } = stepped.ctx.chain;
  const counting: Partial<ChainReader> = {
    fetchPaymentsInSpan: (span, options) => {
      scans++;
      return reader.fetchPaymentsInSpan(span, options);
    },
  };
  const step = createReconcileStep(withReader(stepped, counting));
  for (let count = 0; count < 3; count++) await step(never);
  assert.equal(scans, 1);
  for (const { intent } of made)
    assert.equal((await stepped.intent(intent)).status, intent === stuck.intent ? "requires_payment" : "paid");
  assert.equal(stepped.lines.filter((line) => line.includes(stuck.payment)).length, 1, "the log names it once");

  // Another process, with the remedy, scans at once: the time of the last scan did not move.
  await giveBack();
  await stepped.reconcile();
  assert.equal((await stepped.intent(stuck.intent)).status, "paid");
  await stepped.settle();
  await stepped.assertSound();
});
