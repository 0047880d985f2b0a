import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { actIn, sendStatement } from "../disputes/actions.ts";
import { offerOfBuyer } from "../disputes/testing.ts";
import type { NewIntent } from "../intents/intent.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";
import type { ChainWatch } from "./overview.ts";
import { recordPayment } from "./testing.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const DAY_MS = 86_400_000;
const QUIET: ChainWatch = { isHeld: false, low: [] };
let watch = QUIET;
let staff: StaffServer;
let user: string;
let operator: string;
before(async () => {
  staff = await startStaffServer({ watchOf: () => watch });
  user = await staff.addUser("reader@overview.example");
  operator = await staff.addUser("operator@overview.example", { isOperator: true });
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(async () => {
  await staff?.[Symbol.asyncDispose]();
});

let names = 0;
async function newTenant() {
  const businessId = await staff.addBusiness(`overview ${++names}`, { [user]: "read_only", [operator]: "read_only" });
  const tenant = { businessId, environment: "test" } as const;
  const add = async (terms: Partial<NewIntent> = {}) =>
    (await insertIntent(staff.database, tenant, { asset: USDC, amount: "5000000", ...terms })).intent;
  const read = async (email = "reader@overview.example") => {
    const browser = await staff.signIn(email);
    return (await browser.get(`/businesses/${businessId}/test/overview`)).json;
  };
  return { businessId, add, read };
}

const secondsAgo = (ms: number) => new Date(Math.floor((Date.now() - ms) / 1_000) * 1_000);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

test("§13.17.2 the sums say what is in the escrow, when it is due, and what left this week", async () => {
  const { add, read } = await newTenant();
  const made = secondsAgo(0);
  await recordPayment(staff.database, await add());
  await recordPayment(staff.database, await add({ protectionPeriod: "sevenDays" }), {
    refundTotal: "1000000",
    amountRefunded: "1000000",
    refundedAt: made,
  });
  await recordPayment(staff.database, await add(), { status: "disputed", disputedAt: made });
  await recordPayment(staff.database, await add(), {
    status: "released",
    outcome: "released_by_sender",
    amountReleased: "5000000",
    settledAt: made,
  });
  await recordPayment(staff.database, await add(), { outcome: "resolved", refundTotal: "2000000" });
  await recordPayment(staff.database, await add(), { createdAt: secondsAgo(2 * DAY_MS) });
  const { assets, today, at, volume } = await read();
  assert.equal(today, at.slice(0, 10));
  assert.equal(assets.length, 1);
  const { releases, ...sums } = assets[0];
  assert.deepEqual(sums, {
    object: "asset_overview",
    asset: USDC,
    symbol: "USDC",
    decimals: 6,
    inEscrow: "24000000",
    due: "14000000",
    duePayments: 3,
    overdue: "5000000",
    overduePayments: 1,
    disputed: "5000000",
    disputedPayments: 1,
    decided: "3000000",
    returning: "2000000",
    week: { released: "5000000", releasedPayments: 1, refunded: "1000000", refundedPayments: 1 },
  });
  assert.deepEqual(releases, [
    { from: dayOf(new Date(made.getTime() + DAY_MS)), amount: "5000000", payments: 1 },
    { from: dayOf(new Date(made.getTime() + 7 * DAY_MS)), amount: "4000000", payments: 1 },
  ]);
  // One of them was made two days ago, which may be last week.
  assert.equal(volume.asset, USDC);
  const paid = (volume.weeks as { payments: number }[]).reduce((sum, { payments }) => sum + payments, 0);
  assert.equal(paid, 6);
});

test("§13.17.3 what needs a person is named, the next to act on first, and another business sees nothing of it", async () => {
  const { businessId, add, read } = await newTenant();
  const other = await newTenant();
  const disputed = await add({ merchantReference: "in dispute" });
  const dispute = await recordPayment(staff.database, disputed, { status: "disputed", disputedAt: secondsAgo(1_000) });
  const disputeId = (await staff.database.row<{ id: string }>(
    sql`select id from disputes where business_id = ${businessId}`,
  ))!.id;
  const twice = await add({ merchantReference: "paid twice" });
  await recordPayment(staff.database, twice);
  const duplicate = await recordPayment(staff.database, twice);
  const over = await recordPayment(staff.database, await add({ merchantReference: "one too many" }));
  const refundedOver = await recordPayment(staff.database, await add(), {
    refundTotal: "5000000",
    outcome: "refunded_by_recipient",
  });
  await staff.database.rows(
    sql`update payments set over_limit = true where business_id = ${businessId} and address = any(${[over, refundedOver]}::text[])`,
  );
  const wrong = await add({ protectionPeriod: "threeDays" });
  const mismatch = await recordPayment(staff.database, wrong, { amount: "4000000" });
  const recipient = someAddress();
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    values (${businessId}, 'test', ${recipient}, 'Till', 1, now())`);
  const stray = await recordPayment(
    staff.database,
    { ...wrong, paymentId: "77", protectionPeriod: "sevenDays" },
    { recipient },
  );
  await staff.database.rows(sql`
    insert into webhook_endpoints (business_id, id, environment, slot, url, api_version, secret, created_at, failing_since, last_error)
    values (${businessId}, 'we_1', 'test', 1, 'https://shop.example/hooks?token=1', '2026-01-01', 'v1.none', now(), now(), 'answered 500'),
      (${businessId}, 'we_2', 'test', 2, 'https://shop.example/fine', '2026-01-01', 'v1.none', now(), null, null)`);
  const { matters, hasMoreMatters } = await read();
  const shown = (matters as { kind: string; id: string; reference: string; detail: string; amount: string }[]).map(
    ({ kind, id, reference, detail, amount }) => [kind, id, reference, detail, amount],
  );
  assert.deepEqual(shown, [
    ["duplicate", duplicate, "paid twice", null, "5000000"],
    ["over_limit", over, "one too many", null, "5000000"],
    ["unmatched", mismatch, null, "terms_differ", "4000000"],
    ["dispute", dispute, "in dispute", disputeId, "5000000"],
    ["unmatched", stray, null, "unknown_payment_id", "5000000"],
    ["endpoint_failing", "we_1", "https://shop.example/hooks", "answered 500", null],
  ]);
  assert.equal(hasMoreMatters, false);
  assert.deepEqual((await other.read()).matters, []);

  const by = { author: "key_1", authorKind: "key" } as const;
  const tenant = { businessId, environment: "test" } as const;
  const answered = await staff.database.transaction((db) =>
    actIn(db, tenant, disputeId, sendStatement("merchant", by, "We sent it.")),
  );
  assert.equal(answered?.dispute.turn, "buyer");
  const left = (await read()).matters as { kind: string }[];
  assert.ok(!left.some(({ kind }) => kind === "dispute"), "in a dispute that was answered, it is the buyer's turn");
  await staff.database.rows(sql`update disputes set status = 'agreed', turn = 'merchant' where id = ${disputeId}`);
  const agreed = ((await read()).matters as { kind: string }[]).map(({ kind }) => kind);
  assert.ok(
    agreed.includes("agreement") && !agreed.includes("dispute"),
    "a refund that both agreed on is named as that",
  );
  await staff.database.rows(sql`
    update disputes set status = 'deciding', deciding_at = now(), decide_by = opened_at + interval '5 days' where id = ${disputeId}`);
  const asked = ((await read()).matters as { kind: string }[]).map(({ kind }) => kind);
  assert.ok(asked.includes("question") && !asked.includes("dispute"), "the arbiter's question is named as that");
  await staff.database.rows(sql`
    update disputes set questions = 1, question_until = decide_by, asked_side = 'buyer' where id = ${disputeId}`);
  const kindsNow = async () => ((await read()).matters as { kind: string }[]).map(({ kind }) => kind);
  const replied = await kindsNow();
  assert.ok(
    replied.includes("reply") && !replied.includes("question"),
    "a question to the buyer asks the shop nothing",
  );
  await staff.database.rows(sql`
    update disputes set turn = 'arbiter', question_until = null, asked_side = null where id = ${disputeId}`);
  assert.ok(!(await kindsNow()).includes("offer"));
  await offerOfBuyer(staff.database, answered!.dispute, "1000000");
  assert.ok((await kindsNow()).includes("offer"), "an offer of the buyer can be accepted while the arbiter decides");
});

test("§13.17.3 payments of strangers to a saved recipient hide none that an order has", async () => {
  const { businessId, add, read } = await newTenant();
  const recipient = someAddress();
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    values (${businessId}, 'test', ${recipient}, 'Till', 1, now())`);
  const order = await add({ protectionPeriod: "threeDays" });
  const mismatch = await recordPayment(staff.database, order, { amount: "4000000" });
  for (let count = 0; count < 6; count++)
    await recordPayment(
      staff.database,
      { ...order, paymentId: `9${count}`, protectionPeriod: "oneDay" },
      { recipient },
    );
  const { matters, hasMoreMatters } = await read();
  assert.equal(matters.length, 5);
  assert.equal(matters.at(-1).id, mismatch);
  assert.equal(hasMoreMatters, true);
});

test("§13.17.3 at most five of a kind are shown, and the answer says that there are more", async () => {
  const { add, read } = await newTenant();
  for (let count = 0; count < 7; count++)
    await recordPayment(staff.database, await add(), { status: "disputed", disputedAt: secondsAgo(1_000) });
  const { matters, hasMoreMatters } = await read();
  assert.equal(matters.length, 5);
  assert.equal(hasMoreMatters, true);
});

test("§13.17.3 a stranger who pays a wallet of their own in the name of an order bothers nobody", async () => {
  const { add, read } = await newTenant();
  const order = await add({ protectionPeriod: "threeDays" });
  const underpaid = await recordPayment(staff.database, order, { amount: "4000000" });
  for (let count = 0; count < 6; count++)
    await recordPayment(staff.database, await add(), { recipient: someAddress(), amount: "999000000" });
  const { matters, hasMoreMatters } = await read();
  assert.deepEqual([(matters as { id: string }[]).map(({ id }) => id), hasMoreMatters], [[underpaid], false]);
});

test("§13.17.3 a payment that needs a person is named, however many others of its kind need none any more", async () => {
  const { add, read } = await newTenant();
  const made = secondsAgo(0);
  const twice = await add({ merchantReference: "paid twice" });
  await recordPayment(staff.database, twice);
  const duplicate = await recordPayment(staff.database, twice);
  // A stranger pays a cheap order again and again, and releases each payment at once.
  const cheap = await add({ amount: "1" });
  await recordPayment(staff.database, cheap);
  for (let count = 0; count < 21; count++)
    await recordPayment(staff.database, cheap, {
      status: "released",
      outcome: "released_by_sender",
      amountReleased: "1",
      settledAt: made,
    });
  // Decided, and not paid out: the token account of somebody is frozen.
  for (let count = 0; count < 21; count++)
    await recordPayment(staff.database, await add(), { status: "disputed", disputedAt: made, outcome: "resolved" });
  const dispute = await recordPayment(staff.database, await add(), { status: "disputed", disputedAt: made });
  const { matters } = await read();
  const shown = (matters as { kind: string; id: string }[]).map(({ kind, id }) => [kind, id]);
  assert.deepEqual(shown, [
    ["duplicate", duplicate],
    ["dispute", dispute],
  ]);
});

test("§13.17.3 members see a changed deployment and held checkouts; operators also wallets and payouts", async (t) => {
  const { read } = await newTenant();
  await staff.database.rows(sql`
    insert into deployments (environment, slot, authority, arbiter, upgrade_authority, program_slot, program_hash, confirmed_arbiter,
      confirmed_upgrade_authority, confirmed_program_hash, changes)
    values ('test', 1, 'authority', 'new', 'none', 1, repeat('a', 64), 'old', 'none', repeat('a', 64), 1)`);
  t.after(async () => {
    watch = QUIET;
    await staff.database.rows(sql`delete from deployments`);
  });
  const kinds = async (email?: string) =>
    ((await read(email)).matters as { kind: string; detail: string | null }[]).map(
      ({ kind, detail }) => `${kind} ${detail}`,
    );
  watch = {
    isHeld: true,
    low: [{ kind: "keeper_low", address: someAddress(), lamports: 5n }],
  };
  assert.deepEqual(await kinds(), ["checkouts_held arbiter"]);
  assert.deepEqual(await kinds("operator@overview.example"), ["checkouts_held arbiter", "keeper_low 5"]);
  watch = QUIET;
  assert.deepEqual(await kinds(), ["deployment_changed null"]);
  await staff.database.rows(sql`update deployments set changed_at = now() - interval '8 days'`);
  assert.deepEqual(await kinds(), []);
});
