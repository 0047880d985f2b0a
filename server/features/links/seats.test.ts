import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tenant } from "../../domain/callers.ts";
import type { Row } from "../../lib/columns.ts";
import { Turns } from "../../lib/turns.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { saveFindings, saveSent } from "../checkout/paying/queries.ts";
import type { Intent } from "../intents/intent.ts";
import { recordPayment } from "../overview/testing.ts";
import { readKnownRow } from "../recording/decide/queries.ts";
import { revertPayment } from "../recording/finality/applyReversal.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";
import { testContext } from "../testing.ts";
import { takeSeat } from "./fragments.ts";
import { draftLink, type PaymentLink } from "./link.ts";
import { closeLink, countIntent, insertLink, insertLinkIntent } from "./queries.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let tenant: Tenant;
before(async () => {
  opened = await openTestDatabase();
  await opened.database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  await opened.database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator, watermark)
    values ('test', 'test', 'program', 'operator', now())`);
  tenant = { businessId: "biz_1", environment: "test" };
});
after(() => opened?.[Symbol.asyncDispose]());

async function newLink(seatsMax: number | null): Promise<PaymentLink> {
  const terms = {
    recipient: someAddress(),
    asset: someAddress(),
    amount: "5000000",
    protectionPeriod: "oneDay",
  } as const;
  const link = draftLink(
    tenant,
    { ...terms, locale: null, price: null, title: "Workshop", description: null, seatsMax, expiresAt: null },
    new Date(),
  );
  assert.ok(await insertLink(opened.database, link));
  return link;
}

async function newIntent(link: PaymentLink): Promise<Intent> {
  const number = await countIntent(opened.database, link);
  const { recipient, asset, protectionPeriod } = link;
  const terms = {
    recipient,
    asset,
    protectionPeriod,
    amount: link.amount!,
    merchantReference: `${link.id} #${number}`,
  };
  const { intent } = await insertIntent(opened.database, tenant, terms);
  await insertLinkIntent(opened.database, link, intent.id);
  return intent;
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const take = (
  link: PaymentLink,
  intent: Intent,
  wallet: string,
  given: { until?: Date; follow?: () => Promise<void> } = {},
) =>
  turns.run(link.id, () =>
    takeSeat(
      opened.database,
      {
        ...{ businessId: "biz_1", environment: "test", linkId: link.id, intentId: intent.id, wallet },
        until: given.until ?? inMinutes(10),
      },
      given.follow ?? (async () => {}),
    ),
  );
const turns = new Turns({ waitingMax: 500 });
const seats = (link: PaymentLink) =>
  opened.database.rows<{ seat: number; wallet: string; payment: string | null }>(
    sql`select seat, wallet, payment from payment_link_seats where link_id = ${link.id} order by seat`,
  );
const overLimit = async (address: string) =>
  (await opened.database.row<{ over_limit: boolean }>(sql`select over_limit from payments where address = ${address}`))!
    .over_limit;

test("§13.21.5 of 200 buyers who ask at once, 50 get the 50 seats and 150 are told", async () => {
  const link = await newLink(50);
  const intent = await newIntent(link);
  const answers = await Promise.all(Array.from({ length: 200 }, () => take(link, intent, someAddress())));
  assert.deepEqual(
    [answers.filter((one) => one === "taken").length, answers.filter((one) => one === "full").length],
    [50, 150],
  );
  assert.deepEqual(
    (await seats(link)).map(({ seat }) => seat),
    Array.from({ length: 50 }, (_, n) => n + 1),
  );
});

test("§13.21.5 a seat is one a wallet, and nothing without a limit or of a closed link", async () => {
  const [link, open] = [await newLink(30), await newLink(null)];
  const intent = await newIntent(link);
  const wallet = someAddress();
  assert.equal(await take(link, intent, wallet), "taken");
  assert.equal(await take(link, await newIntent(link), wallet), "taken");
  assert.equal((await seats(link)).length, 1);
  assert.equal(await take(open, await newIntent(open), wallet), "unlimited");
  await closeLink(opened.database, tenant, link.id);
  assert.equal(await take(link, intent, wallet), "closed");
});

test("§13.21.5 a seat is held for as long as a transaction lives, however late the intent ends", async () => {
  const link = await newLink(1);
  const intent = await newIntent(link);
  assert.equal(await take(link, intent, someAddress()), "taken");
  const [row] = await opened.database.rows<{ seconds: number }>(sql`
    select extract(epoch from until - now())::float8 as seconds from payment_link_seats where link_id = ${link.id}`);
  assert.ok(row!.seconds > 0 && row!.seconds <= 150, String(row!.seconds));
});

test("§13.21.5 renewals hold a seat for 300 seconds, then others come first; a refused transaction holds none", async () => {
  const link = await newLink(1);
  const intent = await newIntent(link);
  const wallet = someAddress();
  const refused = { follow: () => Promise.reject(new Error("too many")) };
  await assert.rejects(take(link, intent, wallet, refused), /too many/);
  assert.deepEqual(await seats(link), []);
  const age = (seconds: number) =>
    opened.database.rows(sql`
      update payment_link_seats set held_since = held_since - make_interval(secs => ${seconds}::integer),
        until = until - make_interval(secs => ${seconds}::integer) where link_id = ${link.id}`);
  const held = async () => {
    assert.equal(await take(link, intent, wallet), "taken");
    const row = await opened.database.row<{ seconds: number }>(sql`
      select extract(epoch from until - held_since)::integer as seconds from payment_link_seats where link_id = ${link.id}`);
    return row!.seconds;
  };
  assert.equal(await held(), 150);
  for (let renewal = 0; renewal < 3; renewal++) {
    await age(140);
    assert.ok((await held()) <= 300);
  }
  await age(200);
  assert.equal(await held(), 150, "nobody came");
  await age(300);
  await opened.database.rows(sql`update chains set watermark = now()`);
  assert.equal(await take(link, intent, someAddress()), "taken");
  assert.equal(await take(link, intent, wallet), "full");
});

test("§13.21.5 a seat is free once no transaction of its wallet can land", async () => {
  const link = await newLink(1);
  const intent = await newIntent(link);
  const wallet = someAddress();
  await take(link, intent, wallet);
  const sent = { account: wallet, until: inMinutes(2), transaction: "AQ==", canLand: true };
  for (const signature of ["one", "two"]) await saveSent(opened.database, intent, { ...sent, signature }, new Date());
  const find = (signature: string, finding: "failed" | "would_fail") =>
    saveFindings(opened.database, "test", [{ businessId: "biz_1", intentId: intent.id, signature, finding }]);
  await find("one", "failed");
  assert.equal((await seats(link)).length, 1, "the other can land");
  await find("two", "would_fail");
  assert.deepEqual(await seats(link), []);
});

test("§13.21.6 a seat whose time is over is free only once all payments up to then are recorded", async () => {
  const link = await newLink(1);
  const intent = await newIntent(link);
  const [first, second] = [someAddress(), someAddress()];
  assert.equal(await take(link, intent, first, { until: inMinutes(-1) }), "taken");
  await opened.database.rows(sql`update chains set watermark = now() - interval '2 minutes'`);
  assert.equal(await take(link, intent, second), "full");
  await opened.database.rows(sql`update chains set watermark = now()`);
  assert.equal(await take(link, intent, second), "taken");
  assert.equal(await take(link, intent, first), "full");
});

test("§13.21.6 a paid seat is final, and who pays without one is marked once all are taken", async () => {
  const link = await newLink(2);
  const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(() => newIntent(link)));
  const holder = someAddress();
  await take(link, one!, holder, { until: inMinutes(-5) });
  const paid = await recordPayment(opened.database, one!, { sender: holder });
  assert.equal(await overLimit(paid), false);
  const free = await recordPayment(opened.database, two!);
  assert.equal(await overLimit(free), false, "a payment by other tools takes a free seat");
  assert.equal(await overLimit(await recordPayment(opened.database, three!)), true);
  assert.equal(await overLimit(await recordPayment(opened.database, four!, { sender: holder })), true, "one a wallet");
  assert.equal(await take(link, three!, someAddress()), "full");
  assert.equal(await take(link, three!, holder), "has_paid");
  assert.deepEqual(
    (await seats(link)).map(({ payment }) => payment),
    [paid, free],
  );
  const duplicate = await recordPayment(opened.database, one!);
  assert.equal(await overLimit(duplicate), true);
});

test("§13.21.6 payments of many intents at once take no more seats than there are", async () => {
  const link = await newLink(5);
  const intents = await Promise.all(Array.from({ length: 20 }, () => newIntent(link)));
  const paid = await Promise.all(intents.map((intent) => recordPayment(opened.database, intent)));
  const marks = await Promise.all(paid.map(overLimit));
  assert.equal(marks.filter((mark) => !mark).length, 5);
  assert.equal((await seats(link)).length, 5);
});

test("§13.21.6 the seat of a payment that a fork removes is held no longer than its time", async () => {
  const link = await newLink(1);
  const [one, two] = [await newIntent(link), await newIntent(link)];
  const paid = await recordPayment(opened.database, one);
  const ctx = testContext({ database: opened.database });
  const [row] = await opened.database.rows<Row>(sql`
    update payments set suspected_at = now() where address = ${paid} returning *`);
  await revertPayment(ctx, "test", readKnownRow(row!));
  assert.deepEqual(
    (await seats(link)).map(({ payment }) => payment),
    [null],
  );
  await opened.database.rows(sql`update chains set watermark = now() + interval '1 second'`);
  assert.equal(await overLimit(await recordPayment(opened.database, two)), false);
});

test("§13.21.5 the database refuses a seat above the limit, two of one wallet and one seat twice", async () => {
  const link = await newLink(2);
  const insert = (wallet: string, seat: number, seatsMax = 2) =>
    opened.database.rows(sql`
      insert into payment_link_seats (business_id, link_id, wallet, seat, seats_max, intent_id, until)
      values ('biz_1', ${link.id}, ${wallet}, ${seat}::integer, ${seatsMax}::integer, 'pi_1', now())`);
  await insert("a", 1);
  await assert.rejects(insert("b", 3), /payment_link_seats_limit/);
  await assert.rejects(insert("b", 0), /payment_link_seats_limit/);
  await assert.rejects(insert("b", 3, 3), /foreign key/);
  await assert.rejects(insert("a", 2), /pkey/);
  await assert.rejects(insert("b", 1), /payment_link_seats_seat/);
});
