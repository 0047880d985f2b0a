import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Tenant } from "../../domain/callers.ts";
import { sql } from "../../store/sql.ts";
import { actIn, makeOffer } from "../disputes/actions.ts";
import { recordFulfillment } from "../fulfillments/actions.ts";
import { requireSecret } from "./actions.ts";
import { hashMailbox, keyOfMailbox, readMailboxKey } from "./buyerEmail.ts";
import { DAILY_MAX, ENTERED_MAX, UNANSWERED_MAX } from "./queries.ts";
import { createAddressErasure } from "./retention.ts";
import { keyIn, openBuyers, pay, type TestPayment } from "./testing.ts";

let world: Awaited<ReturnType<typeof openBuyers>>;
before(async () => {
  world = await openBuyers();
});
beforeEach(async () => {
  await moveTime(0);
  await world.database.rows(sql`with waiting as (delete from emails) delete from buyer_notices`);
});
after(() => world?.[Symbol.asyncDispose]());

const confirm = async (key: string) =>
  assert.equal((await world.post(`/pay/emails?key=${key}`, { set: "confirmed" })).status, 200);
const moveTime = (days: number) =>
  world.database.rows(sql`
    insert into clocks (environment, ahead) values ('test', make_interval(days => ${days}::integer))
    on conflict (environment) do update set ahead = excluded.ahead`);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const CONFIRM = "[Test] Confirm your email address";
const SENT = { carrier: "DHL", trackingNumber: null, link: null, sentAt: null, deliveredAt: null, delivery: null };
const RECORDED = { recordedBy: "key_1", findTerms: async () => null };

test("§4.22 a buyer confirms the mailbox by a press, and gets each email once, until a press ends them", async () => {
  const shop = await world.aShop("Fernweh Coffee");
  const paid = await pay(world.database, await world.anOrder(shop, "Kim@buyer.example"));
  assert.deepEqual(await world.deliver(), [`Kim@buyer.example: ${CONFIRM}`]);
  const key = keyIn(world.emails[0]!);
  for (const secret of [paid.address, "order-", "/pay/p/"])
    assert.ok(!world.emails[0]!.text.includes(secret), `nothing of the payment before: ${secret}`);
  assert.match(
    await world.get(`/pay/emails?key=${key}`),
    /not confirmed\. Until it is, nothing is sent to it but requests/,
  );
  assert.deepEqual(await world.deliver(), [], "opening a link confirms nothing");
  assert.equal((await world.post(`/pay/emails?key=${key}`, { set: "confirmed" }, "cross-site")).status, 400);
  assert.deepEqual(await world.deliver(), [], "nor does another site");

  await confirm(key);
  assert.deepEqual(await world.deliver(), ["Kim@buyer.example: [Test] You paid: your receipt"]);
  assert.match(world.emails[0]!.text, new RegExp(`/pay/p/${paid.address}\\?key=`));
  assert.match(world.emails[0]!.text, /erased a year after the payment has ended, on \d+ \w+ \d{4} or later\.\n$/);
  for (let count = 0; count < 2; count++)
    await world.database.transaction((db) => recordFulfillment(db, shop, paid.intent.id, SENT, RECORDED));
  assert.deepEqual(await world.deliver(), ["Kim@buyer.example: [Test] Your order was sent"]);
  await paid.move({ refundTotal: "1000000", amountRefunded: "1000000", refundedAt: new Date() });
  assert.deepEqual(await world.deliver(), ["Kim@buyer.example: [Test] You got a refund"]);
  assert.deepEqual(await world.deliver(), []);

  assert.equal((await world.post(`/pay/emails?key=${key}`, { set: "stopped" })).status, 200);
  assert.match(await world.get(`/pay/emails?key=${key}`), /have ended.*erased from every payment that emails were for/);
  await paid.move({ refundTotal: "2000000", amountRefunded: "2000000", refundedAt: new Date() });
  await pay(world.database, await world.anOrder(await world.aShop("Another"), "kim@buyer.example"));
  assert.deepEqual(await world.deliver(), [], "nothing from any shop");
  await confirm(key);
  await pay(world.database, await world.anOrder(shop, "kim@buyer.example"));
  assert.deepEqual(await world.deliver(), ["kim@buyer.example: [Test] You paid: your receipt"]);
});

test("§4.22 an email that waits is not sent once a press ends them, and its payment is read when it is sent", async () => {
  const shop = await world.aShop("Waiting");
  const paid = await pay(world.database, await world.anOrder(shop, "sam@buyer.example"));
  await world.deliver();
  const key = keyIn(world.emails[0]!);
  await confirm(key);
  world.mailServer.answer = 451;
  assert.deepEqual(await world.deliver(), []);
  world.mailServer.answer = 250;
  assert.deepEqual(await world.deliver(), ["sam@buyer.example: [Test] You paid: your receipt"]);
  await paid.move({ refundTotal: "1000000", amountRefunded: "1000000", refundedAt: new Date() });
  world.mailServer.answer = 451;
  await world.deliver();
  await world.post(`/pay/emails?key=${key}`, { set: "stopped" });
  world.mailServer.answer = 250;
  assert.deepEqual(await world.deliver(), []);
});

test("§4.22 48 hours before the end of a period of three days or more, unless the payment was released or disputed", async () => {
  const shop = await world.aShop("Reminders");
  const address = "rita@buyer.example";
  const order = async (period: "oneDay" | "sevenDays") =>
    pay(world.database, await world.anOrder(shop, address, period));
  await order("sevenDays");
  await world.deliver();
  await confirm(keyIn(world.emails[0]!));
  const [kept, released, disputed] = [await order("sevenDays"), await order("sevenDays"), await order("sevenDays")];
  await order("oneDay");
  await pay(world.database, await world.anOrder(shop, null));
  await world.deliver();
  await released.move({
    outcome: "released_by_sender",
    amountReleased: "5000000",
    status: "released",
    settledAt: new Date(),
  });
  await disputed.move({ status: "disputed", disputedAt: new Date() });
  await kept.move({ refundTotal: "2000000", amountRefunded: "2000000", refundedAt: new Date() });
  await world.deliver();
  await moveTime(4);
  assert.deepEqual(await world.deliver(), [], "not sooner");
  await moveTime(5);
  const ending = `${address}: [Test] Your protection ends soon`;
  assert.deepEqual(await world.deliver(), [ending, ending]);
  assert.match(world.emails[0]!.text, /gets 5\b/);
  assert.match(world.emails[1]!.text, /gets 3\b/, "without what was refunded");
  assert.deepEqual(await world.deliver(), []);
  for (const [days, emails] of [
    [6, [ending]],
    [7, []],
  ] as const) {
    await moveTime(0);
    await order("sevenDays");
    await world.deliver();
    await moveTime(days);
    assert.deepEqual(await world.deliver(), emails, "a worker that was down sends it at once, unless the time is over");
  }
});

test("§4.22 a full source, of a shop and an environment, keeps no other waiting, and loses nothing", async () => {
  const [full, other] = [await world.aShop("Full"), await world.aShop("Free")];
  const order = async (shop: Tenant) => pay(world.database, await world.anOrder(shop, "gus@buyer.example"));
  await order(full);
  await world.deliver();
  await confirm(keyIn(world.emails[0]!));
  await world.gather();
  await world.database.rows(sql`
    insert into emails (kind, source, recipient, facts, expires_at, ranked_at)
    select kind, source, recipient, facts, expires_at, ranked_at from emails, generate_series(1, 99)`);
  const waits = await order(full);
  const goes = await order(other);
  while (await world.gather());
  const isQueued = ({ intent }: TestPayment) =>
    world.database.has(sql`select true from emails where recipient = ${intent.id}`);
  assert.deepEqual([await isQueued(waits), await isQueued(goes)], [false, true]);
  await world.database.rows(sql`delete from emails`);
  await order(full);
  const next = await order(other);
  await world.gather();
  await world.gather();
  assert.ok(await isQueued(next), "sources take turns");
  while (await world.gather());
  assert.ok(await isQueued(waits));
});

test("§4.22 emails name the time for objections only while the buyer can object", async () => {
  const shop = await world.aShop("Objections");
  const order = async () => pay(world.database, await world.anOrder(shop, "olga@buyer.example"));
  const send = ({ intent }: TestPayment) =>
    world.database.transaction((db) => recordFulfillment(db, shop, intent.id, SENT, RECORDED));
  await order();
  await world.deliver();
  await confirm(keyIn(world.emails[0]!));
  await world.deliver();
  await send(await order());
  await world.deliver();
  assert.deepEqual(
    world.emails.map(({ text }) => /you can object/i.test(text)),
    [true, true],
  );
  const released = await order();
  await released.move({
    ...{ outcome: "released_by_sender", amountReleased: "5000000", status: "released", settledAt: new Date() },
  });
  await send(released);
  await send(await pay(world.database, await world.anOrder(shop, "olga@buyer.example"), daysAgo(8)));
  await world.deliver();
  assert.equal(world.emails.length, 4);
  for (const { text } of world.emails) assert.doesNotMatch(text, /object|open a dispute|does not have the money/);
});

test("§4.22 a request for a confirmation goes to the mailbox that was asked alone, unless emails to it ended", async () => {
  const shop = await world.aShop("Typos");
  const order = async (email: string | null) => pay(world.database, await world.anOrder(shop, email));
  await order("asked@else.example");
  assert.deepEqual(await world.deliver(), [`asked@else.example: ${CONFIRM}`]);
  const { intent } = await order(null);
  const enter = (email: string) => world.post(`/pay/i/${intent.id}/email`, { email });
  await enter("typo@else.example");
  await world.gather();
  await enter("asked@else.example");
  assert.deepEqual(await world.deliver(), [], "one a day");
  await enter("ended@else.example");
  await world.gather();
  const secret = await requireSecret(world.database, world.sealing);
  const key = keyOfMailbox(secret, hashMailbox(secret, "ended@else.example"));
  await world.post(`/pay/emails?key=${key}`, { set: "stopped" });
  await enter("ended@else.example");
  assert.deepEqual(await world.deliver(), []);
});

test("§4.22 a mailbox gets so many emails of one shop in a day, and one of several refunds", async () => {
  const [shop, other] = [await world.aShop("Many"), await world.aShop("Few")];
  const order = async (tenant: Tenant) => pay(world.database, await world.anOrder(tenant, "max@buyer.example"));
  const paid = await order(shop);
  await world.deliver();
  await confirm(keyIn(world.emails[0]!));
  await world.deliver();
  for (const total of ["1000000", "2000000"])
    await paid.move({ refundTotal: total, amountRefunded: total, refundedAt: new Date() });
  assert.deepEqual(await world.deliver(), ["max@buyer.example: [Test] You got a refund"]);
  for (let count = 2; count < DAILY_MAX + 1; count++) await order(shop);
  assert.equal((await world.deliver()).length, DAILY_MAX - 2);
  await order(other);
  assert.equal((await world.deliver()).length, 1);
  await world.database.rows(sql`update buyer_email_days set since = since - interval '1 day'`);
  await order(shop);
  assert.equal((await world.deliver()).length, 1);
});

test("§4.22 a payment takes five addresses a day, from however many networks", async () => {
  const paid = await pay(world.database, await world.anOrder(await world.aShop("Networks"), null));
  const enter = ({ intent }: TestPayment, count: number, address: string) =>
    world.post(`/pay/i/${intent.id}/email`, { email: `${count}@else.example` }, "same-origin", address);
  const statuses: number[] = [];
  for (let count = 0; count < 8; count++) statuses.push((await enter(paid, count, `2001:db8:${count}::1`)).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
  const other = await pay(world.database, await world.anOrder(await world.aShop("Other networks"), null));
  assert.equal((await enter(other, 0, "2001:db8:9::1")).status, 200);
});

test("§4.22 addresses that were entered use up requests of their own, none of those for a shop's buyerEmail", async () => {
  const shop = await world.aShop("Strangers");
  const order = async (email: string | null) => pay(world.database, await world.anOrder(shop, email));
  const enter = async (email: string) => {
    const { intent } = await order(null);
    assert.equal(
      (await world.post(`/pay/i/${intent.id}/email`, { email }, "same-origin", "2001:db8:a::1")).status,
      200,
    );
    return world.deliver();
  };
  const ask = (count: number) =>
    world.database.rows(sql`
    insert into buyer_mailboxes (hash, asked_at, asked_by)
    select sha256(('stranger' || encode(m.hash, 'hex') || n)::bytea), m.asked_at, m.asked_by
    from (select * from buyer_mailboxes order by asked_at desc nulls last limit 1) m, generate_series(1, ${count}::integer) n`);
  assert.deepEqual(await enter("first@else.example"), [`first@else.example: ${CONFIRM}`]);
  await ask(ENTERED_MAX - 2);
  assert.deepEqual(await enter("next@else.example"), [`next@else.example: ${CONFIRM}`]);
  assert.deepEqual(await enter("over@else.example"), []);
  await order("own@buyer.example");
  assert.deepEqual(await world.deliver(), [`own@buyer.example: ${CONFIRM}`]);
  await ask(UNANSWERED_MAX - 2);
  await order("second@buyer.example");
  assert.deepEqual(await world.deliver(), [`second@buyer.example: ${CONFIRM}`]);
  await order("third@buyer.example");
  assert.deepEqual(await world.deliver(), []);
});

test("§4.22 addresses of one person, with or without a plus, are asked once a day together, each for itself", async () => {
  const shop = await world.aShop("Plus");
  const order = async (email: string) => pay(world.database, await world.anOrder(shop, email));
  await order("Vic+1@else.example");
  assert.deepEqual(await world.deliver(), [`Vic+1@else.example: ${CONFIRM}`]);
  const key = keyIn(world.emails[0]!);
  for (const email of ["vic+2@else.example", "vic@else.example", "vic++@else.example", "VIC+1@else.example"])
    await order(email);
  assert.deepEqual(await world.deliver(), []);
  await order("+vic@else.example");
  await order("vic+1@another.example");
  assert.deepEqual((await world.deliver()).toSorted(), [
    `+vic@else.example: ${CONFIRM}`,
    `vic+1@another.example: ${CONFIRM}`,
  ]);
  await confirm(key);
  assert.deepEqual(
    (await world.deliver()).map((line) => line.toLowerCase()),
    ["vic+1@else.example: [test] you paid: your receipt", "vic+1@else.example: [test] you paid: your receipt"],
    "the others confirmed nothing",
  );
  await world.database.rows(sql`update buyer_mailboxes set asked_at = asked_at - interval '25 hours'`);
  await moveTime(2);
  assert.equal((await world.deliver()).length, 1, "one of those that wait, the next day");
});

test("§4.22 a refused request is made the next day, one for all that waits", async () => {
  const shop = await world.aShop("Refused");
  await world.database.rows(sql`
    insert into buyer_mailboxes (hash, asked_at, asked_by)
    select sha256(('refused' || n)::bytea), now(), ${shop.businessId} from generate_series(1, ${UNANSWERED_MAX}::integer) n`);
  for (let count = 0; count < 2; count++) await pay(world.database, await world.anOrder(shop, "late@else.example"));
  assert.deepEqual(await world.deliver(), []);
  await world.database.rows(sql`update buyer_mailboxes set asked_at = asked_at - interval '25 hours'`);
  await moveTime(2);
  assert.deepEqual(await world.deliver(), [`late@else.example: ${CONFIRM}`], "one for both");
  await moveTime(4);
  await world.database.rows(sql`update buyer_mailboxes set asked_at = asked_at - interval '25 hours'`);
  assert.deepEqual(await world.deliver(), [], "not daily");
});

test("§4.22 what waits for a confirmation stays while it is of use: a receipt and a reminder until the protection ends", async () => {
  const shop = await world.aShop("Patient");
  const paid = await pay(world.database, await world.anOrder(shop, "pat@buyer.example", "thirtyDays"));
  await world.database.transaction((db) => recordFulfillment(db, shop, paid.intent.id, SENT, RECORDED));
  await world.deliver();
  const key = keyIn(world.emails[0]!);
  await moveTime(29);
  assert.deepEqual(await world.deliver(), []);
  await world.database.rows(sql`
    update buyer_notices set created_at = created_at - interval '20 days', kept_until = kept_until - interval '20 days'`);
  await createAddressErasure(world.database)();
  await confirm(key);
  assert.deepEqual((await world.deliver()).toSorted(), [
    "pat@buyer.example: [Test] You paid: your receipt",
    "pat@buyer.example: [Test] Your protection ends soon",
  ]);
});

test("§4.22 the news of a dispute goes to the mailbox of the order, until it ends emails", async () => {
  const shop = await world.aShop("Disputed");
  const paid = await pay(world.database, await world.anOrder(shop, "dora@buyer.example"));
  await world.deliver();
  const key = keyIn(world.emails[0]!);
  await confirm(key);
  await world.deliver();
  await paid.move({ status: "disputed", disputedAt: new Date() });
  const { id } = (await world.database.row<{ id: string }>(
    sql`select id from disputes where payment_address = ${paid.address}`,
  ))!;
  const offer = (total: string) =>
    world.database.transaction((db) =>
      actIn(
        db,
        shop,
        id,
        makeOffer("merchant", { author: "usr_1", authorKind: "user" }, { total, text: "A secret.", until: null }),
      ),
    );
  await offer("1");
  assert.deepEqual(await world.deliver(), ["dora@buyer.example: [Test] The shop of a dispute made an offer"]);
  assert.ok(!world.emails[0]!.text.includes("secret"));
  assert.equal(keyIn(world.emails[0]!), key);
  await offer("2");
  await world.post(`/pay/emails?key=${key}`, { set: "stopped" });
  assert.deepEqual(await world.deliver(), []);
});

test("§4.22 a mailbox is asked once a day over all shops, and a shop asks so many a day without an answer", async () => {
  const [one, other] = [await world.aShop("One"), await world.aShop("Other")];
  for (const shop of [one, other, one]) await pay(world.database, await world.anOrder(shop, "victim@else.example"));
  assert.deepEqual(await world.deliver(), [`victim@else.example: ${CONFIRM}`]);
  await world.database.rows(sql`update buyer_mailboxes set asked_at = asked_at - interval '25 hours'`);
  await pay(world.database, await world.anOrder(other, "victim@else.example"));
  assert.deepEqual(await world.deliver(), [`victim@else.example: ${CONFIRM}`]);
  await world.database.rows(sql`
    insert into buyer_mailboxes (hash, asked_at, asked_by)
    select sha256(n::text::bytea), now(), ${one.businessId} from generate_series(1, ${UNANSWERED_MAX}::integer) n`);
  await pay(world.database, await world.anOrder(one, "10001@else.example"));
  assert.deepEqual(await world.deliver(), []);
  await pay(world.database, await world.anOrder(other, "10001@else.example"));
  assert.deepEqual(await world.deliver(), [`10001@else.example: ${CONFIRM}`]);
  await confirm(keyIn(world.emails[0]!));
  assert.equal((await world.deliver()).length, 2, "what waited for the confirmation is sent, of both shops");
});

test("§4.22 names and lines of a shop are quoted, cut, and hold no link and no header", async () => {
  const shop = await world.aShop(`Your bank". Log in at https://evil.example${"x".repeat(40)}`);
  await world.database.rows(sql`
    update businesses set email_line = ${"See www.evil.example now\r\nBcc: all@else.example"}, email_reply_to = 'help@shop.example' where id = ${shop.businessId}`);
  await pay(world.database, await world.anOrder(shop, "ann@buyer.example"));
  await world.deliver();
  await confirm(keyIn(world.emails[0]!));
  const asked = world.emails[0]!;
  await world.deliver();
  for (const { subject, text, replyTo } of [asked, world.emails[0]!]) {
    assert.ok(!/[\r\n]/.test(subject) && !subject.includes("bank"), subject);
    assert.match(text, /“Your bank \. Log in at https evil example”/);
    assert.ok(!text.includes("evil.example") && !/^Bcc/m.test(text), text);
    assert.equal(replyTo, text === asked.text ? undefined : "help@shop.example");
  }
  assert.match(world.emails[0]!.text, /The shop writes: “See www evil example now Bcc: all@else example”/);
});

test("§4.22 a buyer enters an address after paying; the merchant's own and a confirmed one are not replaced", async () => {
  const shop = await world.aShop("Entered");
  const order = await world.anOrder(shop, null);
  const enter = (id: string, email: string, site?: string) => world.post(`/pay/i/${id}/email`, { email }, site);
  assert.equal((await enter(order.id, "joe@buyer.example")).status, 409, "not paid");
  const paid = await pay(world.database, order);
  assert.equal((await enter(order.id, "no address\r\nBcc: x@y.example")).status, 422);
  assert.equal((await enter(order.id, "joe@buyer.example", "cross-site")).status, 403);
  assert.match(await world.get(`/pay/i/${order.id}/email`), /type="email"/);
  assert.equal((await enter(order.id, "typo@buyer.example")).status, 200);
  assert.equal((await enter(order.id, "joe@buyer.example")).status, 200);
  assert.deepEqual(await world.deliver(), [`joe@buyer.example: ${CONFIRM}`]);
  await confirm(keyIn(world.emails[0]!));
  assert.deepEqual(await world.deliver(), ["joe@buyer.example: [Test] You paid: your receipt"]);
  assert.equal((await enter(order.id, "thief@else.example")).status, 409, "the mailbox is confirmed");
  assert.deepEqual(await world.deliver(), [], "and hears of nothing twice");
  await paid.move({ refundTotal: "1000000", amountRefunded: "1000000", refundedAt: new Date() });
  assert.deepEqual(await world.deliver(), ["joe@buyer.example: [Test] You got a refund"]);
  const named = await pay(world.database, await world.anOrder(shop, "own@buyer.example"));
  assert.equal((await enter(named.intent.id, "thief@else.example")).status, 409);
  for (let count = 0; count < 3; count++) await enter(order.id, `${count}@else.example`);
  assert.equal((await enter(order.id, "last@else.example")).status, 429);
});

test("§4.22 no row holds an address in plain text; it goes 30 days after expiry if unpaid, else a year after the end", async () => {
  const shop = await world.aShop("Erased");
  const [unpaid, paid] = [
    await world.anOrder(shop, "gone@buyer.example"),
    await pay(world.database, await world.anOrder(shop, "kept@buyer.example")),
  ];
  await world.gather();
  const holding = async (text: string) =>
    (
      await world.database.rows<{ name: string }>(sql`
        select c.relname as name from pg_class c
        where relnamespace = 'public'::regnamespace and relkind = 'r'
          and query_to_xml('select t::text from ' || c.oid::regclass || ' t', true, false, '')::text ilike ${`%${text}%`}`)
    ).map(({ name }) => name);
  assert.deepEqual(await holding("@buyer.example"), [], "waiting emails too");
  const erase = createAddressErasure(world.database);
  const left = async () => {
    while (await erase());
    const rows = await world.database.rows<{ id: string; email: string | null }>(sql`
      select i.id, nullif(i.buyer_email, 'erased') as email from intents i where i.business_id = ${shop.businessId}`);
    return [unpaid.id, paid.intent.id].map((id) => rows.find((row) => row.id === id)!.email !== null);
  };
  await moveTime(30);
  assert.deepEqual(await left(), [true, true]);
  await moveTime(31);
  assert.deepEqual(await left(), [false, true]);
  await paid.move({ status: "released", outcome: "settled", amountReleased: "5000000", settledAt: new Date() });
  await moveTime(364);
  assert.deepEqual(await left(), [false, true]);
  await moveTime(366);
  assert.deepEqual(await left(), [false, false]);
  assert.ok(!(await world.database.has(sql`select true from buyer_addresses where business_id = ${shop.businessId}`)));
});

test("§4.22 the key of a mailbox's page is its own, and opens no other", () => {
  const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const hash = hashMailbox(secret, "Kim@Buyer.example");
  assert.deepEqual(hash, hashMailbox(secret, "kim@buyer.example"));
  const key = keyOfMailbox(secret, hash);
  assert.deepEqual(readMailboxKey(secret, key), hash);
  for (const wrong of [
    keyOfMailbox(other, hash),
    `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
    key.slice(1),
    "",
  ])
    assert.equal(readMailboxKey(secret, wrong), null);
});

test("§4.22 emails and their pages speak the language of the intent, else of the business, and none that is off", async () => {
  const shop = await world.aShop("Sprachen");
  const order = (email: string, locale: string | null) => world.anOrder(shop, email, "sevenDays", locale);
  const german = await pay(world.database, await order("uwe@buyer.example", "de-AT"));
  assert.deepEqual(await world.deliver(), ["uwe@buyer.example: [Test] Bestätigen Sie Ihre E-Mail-Adresse"]);
  const key = keyIn(world.emails[0]!);
  assert.match(await world.get(`/pay/emails?key=${key}`, { "accept-language": "de" }), /nicht bestätigt/);
  const entering = await world.get(`/pay/i/${german.intent.id}/email`, { "accept-language": "en" });
  assert.match(entering, /<html lang="de".*Ihre E-Mail-Adresse/s);
  await confirm(key);
  assert.deepEqual(await world.deliver(), ["uwe@buyer.example: [Test] Sie haben bezahlt: Ihr Beleg"]);
  assert.match(world.emails[0]!.text, /5\.000\.000 kleinste Einheiten .*beanstanden bis \d+\. \w+ \d{4} um .* UTC/);

  await pay(world.database, await order("uwe@buyer.example", "fr"));
  assert.deepEqual(await world.deliver(), ["uwe@buyer.example: [Test] You paid: your receipt"], "French is off");
  await world.database.rows(sql`update businesses set locale = 'ar' where id = ${shop.businessId}`);
  const arabic = await pay(world.database, await order("uwe@buyer.example", null));
  await world.deliver();
  const { text } = world.emails[0]!;
  assert.match(text, /المتجر \u2068“Sprachen”\u2069/, "a name keeps its own direction");
  assert.match(text, new RegExp(`\n[^\u2068]*/pay/p/${arabic.address}\\?key=[\\w-]+\n`), "no mark behind a link");
  await german.move({ status: "disputed", disputedAt: new Date() });
  const { id } = (await world.database.row<{ id: string }>(
    sql`select id from disputes where payment_address = ${german.address}`,
  ))!;
  const by = { author: "usr_1", authorKind: "user" } as const;
  await world.database.transaction((db) =>
    actIn(db, shop, id, makeOffer("merchant", by, { total: "1", text: null, until: null })),
  );
  assert.deepEqual(await world.deliver(), [
    "uwe@buyer.example: [Test] Der Shop hat in einem Streitfall ein Angebot gemacht",
  ]);
  assert.match(world.emails[0]!.text, /Sie sind am Zug bis .*Hier beenden Sie diese E-Mails/s);
});
