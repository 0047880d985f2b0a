import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { ChainPayment, ChainReader, Holding } from "../../chain/port.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { piece, sql } from "../../store/sql.ts";
import type { Intent } from "../intents/intent.ts";
import { rebuildDays } from "../overview/rebuildQueries.ts";
import { recordPayment, recordPayments } from "../overview/testing.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { insertOrders, someAddress } from "../staff/testing/objects.ts";
import { checkBooks, createBooksStep } from "./check.ts";
import { claimTenant } from "./queries.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const EMAIL = "reader@books.example";
let staff: StaffServer;
let user: string;
/** What the chain shows of each payment, by address. */
const chain = new Map<string, Holding>();
const arbiter = someAddress();
const intents = new Map<string, Intent>();
let slot = 1_000;
let reads = 0;
let lines: string[] = [];
/** Called before each read. */
let onRead = async (): Promise<void> => undefined;

const fetchHoldings: ChainReader["fetchHoldings"] = async (payments, { minSlot = 0 }) => {
  await onRead();
  reads++;
  slot++;
  assert.ok(slot >= minSlot);
  return { value: payments.map(({ address }) => chain.get(address) ?? { account: null, vault: null }), slot, node: 0 };
};

before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser(EMAIL);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());
beforeEach(() => {
  lines = [];
  onRead = async () => undefined;
});

const deps = () => ({
  database: staff.database,
  reader: { fetchHoldings, bindCommitment: "confirmed" as const },
  waitsMs: [1, 1],
  log: (line: string) => void lines.push(line),
});

/** Differences that are kept, as the specification says. */
const KEPT_MAX = 500;

let names = 0;
async function newShop(role: "read_only" | "developer" = "read_only") {
  const businessId = await staff.addBusiness(`books ${++names}`, { [user]: role });
  const tenant = { businessId, environment: "test" } as const;
  const payMany = async (count: number, amount = "5000000", changes: Partial<ChainPayment> = {}, dust = 0n) => {
    const orders = Array.from({ length: count }, () => ({ asset: USDC, amount }));
    const made = (await insertOrders(staff.database, tenant, orders)).map(({ intent }) => intent);
    const sender = someAddress();
    const addresses = await recordPayments(staff.database, made, { sender, rentPayer: sender, arbiter, ...changes });
    for (const [index, address] of addresses.entries()) {
      const { recipient, asset, paymentId } = made[index]!;
      intents.set(address, made[index]!);
      const { payment } = anObservedPayment({ address, sender, recipient, asset, paymentId, amount, ...changes });
      const left = BigInt(payment.amount) - BigInt(payment.amountRefunded) - BigInt(payment.amountReleased);
      chain.set(address, { account: payment, vault: String(left + dust) });
    }
    return addresses;
  };
  const pay = async (amount?: string, changes?: Partial<ChainPayment>, dust?: bigint) =>
    (await payMany(1, amount, changes, dust))[0]!;
  const check = async () => {
    const lease = await claimTenant(staff.database, tenant);
    return checkBooks(deps(), tenant, lease!, new AbortController().signal);
  };
  const get = async (path: string, query = "") =>
    (await (await staff.signIn(EMAIL)).get(`/businesses/${businessId}/test/${path}${query}`)).json;
  return { ...tenant, pay, payMany, check, get };
}

const made = new Date(Math.floor(Date.now() / 1_000) * 1_000);

test("§13.19 the books say what came in, where it is, and that the chain agrees", async () => {
  const { pay, check, get } = await newShop();
  await pay();
  await pay("3000000", { refundTotal: "1000000", amountRefunded: "1000000", refundedAt: made });
  await pay("2000000", { status: "disputed", disputedAt: made });
  await pay("1000000", { outcome: "released_by_sender" });
  await pay("4000000", { status: "released", outcome: "settled", amountReleased: "4000000", settledAt: made });
  const before = await get("books");
  assert.deepEqual([before.checkedAt, before.isChecking, before.assets[0].comparison], [null, false, null]);
  const comparison = await check();
  assert.deepEqual(comparison?.findings, []);
  const { assets, findings, differences, checkedAt, costs } = await get("books");
  const [{ comparison: compared, ...sums }] = assets;
  assert.deepEqual(sums, {
    object: "books_asset",
    asset: USDC,
    symbol: "USDC",
    decimals: 6,
    paid: "15000000",
    paidPayments: 5,
    released: "4000000",
    releasedPayments: 1,
    refunded: "1000000",
    refundedPayments: 1,
    inEscrow: "10000000",
    leavingToRecipients: "1000000",
    leavingToSenders: "0",
    values: null,
    prices: [],
    differences: 0,
  });
  const { slotMin, slotMax, ...held } = compared;
  assert.deepEqual(held, { payments: 4, held: "10000000", vaults: "10000000", gifts: "0", giftPayments: 0 });
  assert.ok(slotMin < slotMax && slotMax === slot);
  assert.deepEqual([findings, differences, costs], [[], 0, { spent: "0", lent: "0" }]);
  assert.ok(Date.parse(checkedAt) > 0);
  assert.deepEqual(lines, []);
});

test("§13.19.10 what came without an order is in the wallet and so in the books, by itself, also once it has left", async () => {
  const { businessId, pay, get, check } = await newShop();
  await pay();
  await check();
  assert.deepEqual((await get("books")).unmatched, []);
  const recipient = someAddress();
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    values (${businessId}, 'test', ${recipient}, 'Treasury', 1, now())`);
  const came = (amount: string, status: string, left: string, to = recipient) =>
    staff.database.rows(sql`
      insert into unmatched_payments (environment, address, reason, payment_id, status, outcome, sender, recipient, amount,
        asset, protection_period, created_at, protection_deadline, settled_at, checked_at, observed_slot, refund_total,
        amount_refunded, amount_released)
      values ('test', ${someAddress()}, 'unknown_payment_id', 1, ${status}, ${left === "0" ? null : "settled"}::text,
        ${someAddress()}, ${to}, ${amount}::numeric, ${USDC}, 'oneHour', now(), now(),
        ${left === "0" ? null : made}::timestamptz, now(), 1, 0, 0, ${left}::numeric)`);
  await came("9990000", "released", "9990000");
  await came("10000", "protected", "0");
  await came("7000000", "protected", "0", someAddress());
  const { unmatched, assets } = await get("books");
  const sums = { payments: 2, paid: "10000000", released: "9990000", refunded: "0", isPart: false };
  assert.deepEqual(unmatched, [{ object: "unmatched_sum", asset: USDC, symbol: "USDC", decimals: 6, ...sums }]);
  assert.equal(assets[0].paid, "5000000", "it is in no other sum");
  assert.deepEqual((await get("books", "?until=2020-01-01")).unmatched, []);
});

test("§13.19 dust in a vault is a gift and no difference", async () => {
  const { pay, check, get } = await newShop();
  const address = await pay("5000000", {}, 7n);
  assert.equal((await check())?.differences, 0);
  const { assets, findings, differences } = await get("books");
  const { gifts, giftPayments, vaults } = assets[0].comparison;
  assert.deepEqual([gifts, giftPayments, vaults, differences], ["7", 1, "5000007", 0]);
  assert.deepEqual(
    findings.map((one: { kind: string; payment: string; amount: string }) => [one.kind, one.payment, one.amount]),
    [["gift", address, "7"]],
  );
  assert.deepEqual((await get("overview")).matters, []);
});

test("§13.19 a short vault, a changed row, a lost record and a wrong sum are each found, explained, and first on Home", async () => {
  const { businessId, pay, check, get } = await newShop();
  const [short, changed, lost, fine] = [await pay(), await pay(), await pay(), await pay()];
  chain.set(short, { ...chain.get(short)!, vault: "4999999" });
  chain.delete(lost);
  await staff.database.rows(
    sql`update payments set refund_total = 1000000 where business_id = ${businessId} and address = ${changed}`,
  );
  await staff.database.rows(sql`
    update payment_days set released = released + 3 where business_id = ${businessId} and day = 'infinity'`);
  // The changed row moved no sum either.
  assert.equal((await check())?.differences, 4);
  const { assets, findings, differences } = await get("books");
  const shown = (findings as Record<string, string>[]).map(({ kind, payment, amount, detail }) => [
    kind,
    payment,
    amount,
    detail,
  ]);
  const expected = [
    [
      "sums_differ",
      null,
      "1000000",
      "due: 20000000, by payments 19000000; due by day: 20000000, by payments 19000000; released: 3, by payments 0",
    ],
    ["vault_short", short, "1", null],
    ["record_differs", changed, "0", "refundTotal"],
    ["record_missing", lost, "5000000", null],
  ];
  const byPayment = (one: readonly (string | null | undefined)[]) => String(one[1] ?? "");
  assert.deepEqual(
    shown,
    expected.toSorted((one, other) => (byPayment(one) < byPayment(other) ? -1 : 1)),
  );
  assert.deepEqual([assets[0].differences, differences], [4, 4]);
  const matters = (await get("overview")).matters as { kind: string }[];
  assert.deepEqual(
    matters.map(({ kind }) => kind),
    ["books_differ", "books_differ", "books_differ", "books_differ"],
  );
  assert.match(
    lines.join(),
    new RegExp(`4 differences for ${businessId}: .*the vault of the payment ${short} holds 1 of`),
  );
  assert.ok(!lines.join().includes(fine));
  const began = findings[0].foundAt;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await check())?.differences, 4);
  const since = (await get("overview")).matters.map((matter: { since: string }) => matter.since);
  assert.deepEqual(since, [began, began, began, began], "they began when they were found first");
  await staff.database.rows(sql`update payments set refund_total = 0 where business_id = ${businessId}`);
  await staff.database.rows(
    sql`update payment_days set released = 0 where business_id = ${businessId} and day = 'infinity'`,
  );
  for (const address of [short, lost]) {
    const account = chain.get(fine)!.account as ChainPayment;
    const booked = await staff.database.row<Record<string, string>>(
      sql`select sender, recipient from payments where business_id = ${businessId} and address = ${address}`,
    );
    chain.set(address, { account: { ...account, ...booked, address }, vault: "5000000" });
  }
  assert.equal((await check())?.differences, 0);
  assert.deepEqual((await get("overview")).matters, []);
});

test("§13.19 a payment that moves on during the comparison is no difference", async () => {
  const { pay, check } = await newShop();
  const createdAt = made;
  const address = await pay("5000000", { createdAt });
  await pay("7000000");
  const account = chain.get(address)!.account as ChainPayment;
  const end = { status: "released", outcome: "settled", amountReleased: "5000000", settledAt: made } as const;
  chain.set(address, { account: { ...account, ...end }, vault: null });
  const before = reads;
  // The sweep records it before the second look.
  onRead = async () => {
    if (reads > before)
      await recordPayment(staff.database, intents.get(address)!, {
        address,
        sender: account.sender,
        rentPayer: account.sender,
        arbiter,
        createdAt,
        ...end,
      });
  };
  const comparison = await check();
  assert.deepEqual([comparison?.findings, comparison?.assets[0]?.payments], [[], 1]);
});

test("§13.19 a node that shows no record of many payments raises no alarm: each is looked at again by another", async () => {
  const { businessId, environment, pay } = await newShop();
  const tenant = { businessId, environment };
  const intent = await pay();
  const { names } = (await staff.database.row<{ names: string }>(sql`
    select string_agg(column_name, ', ') as names from information_schema.columns
    where table_name = 'payments' and is_generated = 'NEVER'`))!;
  await staff.database.rows(sql`
    insert into payments (${piece(names)}) select ${piece(names.replaceAll(/\w+/g, "c.$&"))}
    from payments p, generate_series(1, 1100) n, lateral jsonb_populate_record(p, jsonb_build_object(
      'address', p.address || n, 'role', 'duplicate', 'recorded_sequence', p.recorded_sequence + n)) c
    where p.address = ${intent}`);
  await rebuildDays(staff.database, tenant);
  const nodes: number[] = [];
  const reader: ReturnType<typeof deps>["reader"] = {
    bindCommitment: "confirmed",
    fetchHoldings: async (payments, { notNode }) => {
      const node = notNode === 0 ? 1 : 0;
      nodes.push(node);
      const shown = payments.map(({ address }) => chain.get(address.slice(0, intent.length)) ?? assert.fail());
      return { value: node === 0 ? shown.map(() => ({ account: null, vault: null })) : shown, slot: ++slot, node };
    },
  };
  const lease = await claimTenant(staff.database, tenant);
  const comparison = await checkBooks({ ...deps(), reader }, tenant, lease!, new AbortController().signal);
  assert.deepEqual([comparison!.differences, comparison!.assets[0]!.payments], [0, 1_101]);
  assert.ok(nodes.includes(1));
});

test("§13.19 a member asks for a comparison, one worker makes it, and each tenant has one a night", async () => {
  const { businessId, pay, get } = await newShop("developer");
  await pay();
  const stopping = new AbortController().signal;
  const workers = [createBooksStep(deps(), "test"), createBooksStep(deps(), "test")];
  // The tenants of all tests here: each is compared once, by one of the two.
  const drain = async () => {
    let steps = 0;
    for (const step of workers) while (await step(stopping)) steps++;
    return steps;
  };
  await staff.database.rows(
    sql`update books_checks set checked_at = now(), began_at = now(), differences = 0, leased_until = null`,
  );
  assert.equal(await drain(), 1);
  const first = (await get("books")).checkedAt;
  assert.notEqual(first, null);
  const browser = await staff.signIn(EMAIL);
  assert.equal((await browser.post(`/businesses/${businessId}/test/books/check`)).status, 200);
  assert.equal((await get("books")).isChecking, true);
  assert.equal(await drain(), 0, "not at once: the last one is a few seconds old");
  await staff.database.rows(sql`
    update books_checks set checked_at = checked_at - interval '20 seconds', began_at = began_at - interval '20 seconds'`);
  const [one, two] = await Promise.all(workers.map((step) => step(stopping)));
  assert.deepEqual([one, two].toSorted(), [false, true]);
  const second = await get("books");
  assert.deepEqual([second.isChecking, second.checkedAt > first], [false, true]);
  const other = createBooksStep(deps(), "test");
  await staff.database.rows(sql`
    update books_checks set checked_at = checked_at - interval '2 days', began_at = began_at - interval '2 days'
    where business_id = ${businessId}`);
  assert.deepEqual([await other(stopping), await other(stopping)], [true, false]);
});

test("§13.19.5 a member who only reads the books cannot have them compared, over and over", async () => {
  const { businessId, get } = await newShop("read_only");
  const answer = await (await staff.signIn(EMAIL)).post(`/businesses/${businessId}/test/books/check`);
  assert.deepEqual([answer.status, answer.json.error.code], [403, "forbidden"]);
  assert.equal((await get("books")).isChecking, false);
});

test("§13.19.9 the books keep 500 differences, and count all", async () => {
  const { payMany, check, get } = await newShop();
  for (const address of await payMany(KEPT_MAX + 2)) chain.set(address, { ...chain.get(address)!, vault: "0" });
  const comparison = await check();
  assert.deepEqual([comparison?.differences, comparison?.findings.length], [KEPT_MAX + 2, KEPT_MAX]);
  const { differences, findings, hasMoreFindings } = await get("books");
  assert.deepEqual([differences, findings.length, hasMoreFindings], [KEPT_MAX + 2, 50, true]);
});

test("§13.19 a comparison that fails keeps what was found before, and its lease ends within a minute", async () => {
  const { pay, check, get, businessId } = await newShop();
  await pay("5000000", {}, 1n);
  await check();
  onRead = async () => {
    throw new Error("the node is away");
  };
  await assert.rejects(check(), /the node is away/);
  const { findings, isChecking } = await get("books");
  assert.deepEqual([findings.length, isChecking], [1, true]);
  const left = await staff.database.row<{ seconds: number }>(sql`
    select extract(epoch from leased_until - now())::float as seconds from books_checks where business_id = ${businessId}`);
  assert.ok(left!.seconds > 0 && left!.seconds <= 60);
});

test("§13.19 a period has the sums of its days, and the escrow of its last one", async () => {
  const { pay, get } = await newShop();
  const on = (day: string) => new Date(`${day}T12:00:00Z`);
  await pay("5000000", { createdAt: on("2026-10-31") });
  await pay("3000000", { createdAt: on("2026-11-02") });
  await pay("2000000", {
    createdAt: on("2026-10-30"),
    status: "released",
    outcome: "released_by_sender",
    amountReleased: "2000000",
    settledAt: on("2026-11-01"),
  });
  const read = async (query: string) => {
    const { paid, released, inEscrow, leavingToRecipients } = (await get("books", query)).assets[0];
    return [paid, released, inEscrow, leavingToRecipients];
  };
  assert.deepEqual(await read("?from=2026-10-01&until=2026-10-31"), ["7000000", "0", "7000000", null]);
  assert.deepEqual(await read("?from=2026-11-01&until=2026-11-01"), ["0", "2000000", "5000000", null]);
  assert.deepEqual(await read(""), ["10000000", "2000000", "8000000", "0"]);
  // The period that ends today is up to date: the escrow also says what leaves it.
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(await read(`?until=${today}`), ["10000000", "2000000", "8000000", "0"]);
  for (const wrong of ["?from=2026-02-30", "?until=today", "?from=2026-1-1", "?since=2026-01-01"])
    assert.equal((await get("books", wrong)).error.code, "invalid_request", wrong);
});
