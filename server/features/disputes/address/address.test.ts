import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { emailFinders } from "../../../app/emails.ts";
import { openLanguages } from "../../../app/languages/languages.ts";
import { addressSealing } from "../../../domain/buyerAddress.ts";
import { sql } from "../../../store/sql.ts";
import { findSealedSecret } from "../../buyerEmails/queries.ts";
import { createEmailStep, type Message } from "../../emails/send.ts";
import { testContext } from "../../testing.ts";
import { newKeyRing, sealingOf } from "../../webhooks/sending/secret.ts";
import { actIn, makeOffer, sendStatement } from "../actions.ts";
import { buyerReads } from "../buyerReads.ts";
import { openWorld, pagePathOf, prove, type TestDispute } from "../testing/disputes.ts";
import { addressLinkFinder, createAddressStep, createBuyerNewsStep, openEntered } from "./gather.ts";
import { listSealedBuyers, resealBuyers } from "./keys.ts";
import { removeAddress, renewLink, setAddress } from "./queries.ts";

let world: Awaited<ReturnType<typeof openWorld>>;
let isDown = false;
const emails: Message[] = [];
before(async () => {
  world = await openWorld();
});
beforeEach(() => {
  isDown = false;
});
after(() => world?.[Symbol.asyncDispose]());

/** Sends what is due, as a quarter of an hour later. */
async function send(): Promise<string[]> {
  emails.length = 0;
  const { database } = world;
  await database.rows(sql`update dispute_addresses set next_at = now()`);
  await database.rows(sql`update emails set due_at = now()`);
  const ctx = testContext({ database, sealing: world.sealing, checkoutUrl: "https://pay.shop.example/" });
  const upkeep = createAddressStep(ctx, world.book);
  while (await upkeep());
  const gather = createBuyerNewsStep(ctx);
  while (await gather());
  const mailer = async (message: Message) => {
    if (isDown) return 451;
    emails.push(message);
    return 250;
  };
  const step = createEmailStep(ctx, mailer, emailFinders(ctx, openLanguages([])));
  while (await step());
  return emails.map(({ to, subject }) => `${to}: ${subject}`);
}

const SHOP = { author: "usr_1", authorKind: "user" } as const;
const offerOfShop = (one: TestDispute) =>
  world.database.transaction((db) =>
    actIn(
      db,
      { businessId: one.businessId, environment: "test" },
      one.disputeId,
      makeOffer("merchant", SHOP, { total: "1", text: "A secret.", until: null }),
    ),
  );

async function aBuyer() {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  await prove(browser, one);
  const post = async (path: string, body: object = {}) => {
    const { status, json } = await browser.post(`${pagePathOf(one)}/address${path}`, body);
    return status === 200 ? 200 : `${status} ${json.error.code}`;
  };
  return { one, browser, post };
}
const addressOf = async (one: TestDispute) => (await openEntered(world.database, world.book, one))?.email;
const sealed = async ({ businessId }: TestDispute, email: string) => ({
  sealed: world.book.seal(businessId, email),
  mailbox: await world.book.mailboxOf(email),
});
const linkOf = async (one: TestDispute, email: string) =>
  renewLink(world.database, one, (await world.book.mailboxOf(email)).toString("hex"));
const EMAIL = { recipient: "", attempts: 0 };
const secretOf = (text: string) => /#confirm=([\w-]{43})\n/.exec(text)![1]!;

test("§16.8 emails go to an address once its link was opened with a session of the dispute; they have no text and no key", async () => {
  const { one, post } = await aBuyer();
  const stranger = await aBuyer();
  assert.equal(await post("", { email: "kim@buyer.example" }), 200);
  await offerOfShop(one);
  assert.deepEqual(await send(), ["kim@buyer.example: Confirm your email address"]);
  const code = secretOf(emails[0]!.text);
  assert.ok(emails[0]!.text.includes(`https://pay.shop.example${pagePathOf(one)}#confirm=`));
  assert.deepEqual(await send(), [], "not confirmed");
  assert.equal(await stranger.post("/confirm", { code }), "400 invalid_request", "of another dispute");
  assert.equal(
    (await world.aBrowser().post(`${pagePathOf(one)}/address/confirm`, { code })).json.error.code,
    "proof_needed",
  );
  assert.equal(await post("/confirm", { code: `${code.slice(1)}A` }), "400 invalid_request");
  assert.equal(await post("/confirm", { code }), 200);
  assert.deepEqual(await send(), ["kim@buyer.example: [Test] The shop of a dispute made an offer"]);
  const { text } = emails[0]!;
  assert.match(
    text,
    /^The shop made an offer\. It is your turn until .* UTC\.\n\nhttps:\/\/pay\.shop\.example\/pay\/p\//,
  );
  for (const hidden of ["secret", "order-", "key=", "AAECAwQFBgcICQoLDA0ODw", "Fernweh"])
    assert.ok(!text.includes(hidden), hidden);
  assert.deepEqual(await send(), []);
  assert.equal(await post("/remove"), 200);
  await offerOfShop(one);
  assert.deepEqual(await send(), []);
});

test("§16.8 an address is encrypted wherever it is stored, also one that was entered before addresses were", async () => {
  const { one, post } = await aBuyer();
  const { database } = world;
  assert.equal(await post("", { email: "Kim@sealed.example" }), 200);
  await database.rows(sql`
    insert into dispute_addresses (business_id, dispute_id, email, link_hash, changed_at, confirmed_at)
    select business_id, id, 'before@sealed.example', decode(repeat('00', 32), 'hex'), now(), now() from disputes
    where id = ${(await world.aDispute()).disputeId}`);
  const stored = await database.rows<{ row: string }>(sql`
    select a::text as row from dispute_addresses a union all select l::text from dispute_links l union all
    select e::text from emails e union all select k::text from idempotency_keys k`);
  assert.deepEqual(
    stored.filter(({ row }) => /kim@sealed/i.test(row)),
    [],
  );
  assert.deepEqual(await send(), ["Kim@sealed.example: Confirm your email address"]);
  assert.equal(await addressOf(one), "Kim@sealed.example");
  assert.deepEqual(await database.rows(sql`select email from dispute_addresses where email is not null`), []);
  const readAll = async () =>
    (
      await database.rows<{ sealed: string; businessId: string }>(sql`
      select sealed, business_id as "businessId" from dispute_addresses where sealed is not null`)
    ).toSorted((a, b) => a.sealed.length - b.sealed.length);
  assert.deepEqual(
    (await readAll()).map(({ businessId, sealed: text }) => world.book.open(businessId, text)),
    ["Kim@sealed.example", "before@sealed.example"],
  );
  // Another key takes over.
  const next = sealingOf({ current: 2, keys: new Map([...world.ring.keys, [2, newKeyRing().keys.get(1)!]]) });
  const countOld = async () => {
    let count = 0;
    for await (const _ of listSealedBuyers(database, next)) count++;
    return count;
  };
  assert.equal(await countOld(), 2);
  await resealBuyers(database, next, (what) => assert.fail(what));
  assert.deepEqual(
    (await readAll()).map(({ businessId, sealed: text }) => addressSealing(next).open(businessId, text)),
    ["Kim@sealed.example", "before@sealed.example"],
  );
  assert.equal(await countOld(), 0);
});

test("§16.8 an address that cannot be read takes the page from no buyer, who can remove it", async () => {
  const { one, browser, post } = await aBuyer();
  assert.equal(await post("", { email: "kim@lost.example" }), 200);
  await world.database.rows(sql`
    update dispute_addresses set sealed = overlay(sealed placing 'AAAA' from 5) where dispute_id = ${one.disputeId}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const ctx = testContext({ database: world.database, checkoutUrl: "http://localhost" });
  const { findCase } = buyerReads(ctx, world.book);
  const readEmails = async () => (await findCase(one.payment, cookie))?.emails;
  assert.deepEqual(await readEmails(), { address: { email: null, isConfirmed: false } });
  await assert.rejects(addressOf(one), { code: "unavailable" });
  assert.equal(await post("/remove"), 200);
  assert.deepEqual(await readEmails(), { address: null });
});

test("§16.8 no address is flooded with links: three a day of a session, five disputes for an address", async () => {
  const { one, browser, post } = await aBuyer();
  const victim = "Victim@else.example";
  assert.equal(await post("", { email: victim }), 200);
  assert.equal(await post("", { email: "no address" }), "400 invalid_request");
  assert.equal(await post("/remove"), 200);
  assert.equal(await post("", { email: victim }), 200);
  assert.equal(await post("", { email: victim }), 200);
  assert.equal(await post("", { email: victim }), "429 rate_limited");
  for (let count = 0; count < 4; count++) {
    const other = await aBuyer();
    assert.equal(await other.post("", { email: victim.toLowerCase() }), 200);
  }
  assert.equal(await (await aBuyer()).post("", { email: victim }), "429 rate_limited");
  assert.equal((await send()).length, 7);
  const buyers = [];
  for (let count = 0; count < 8; count++) buyers.push(await aBuyer());
  await Promise.all(buyers.map((buyer) => buyer.post("", { email: "crowd@else.example" })));
  assert.ok((await send()).length <= 5, "disputes at the same moment count each other");
  await world.database.rows(sql`update dispute_links set sent_at = sent_at - interval '25 hours'`);
  await world.database.rows(sql`update dispute_addresses set changed_at = changed_at - interval '25 hours'`);
  const code = secretOf(emails[0]!.text);
  assert.equal(await post("/confirm", { code }), "400 invalid_request", "the link has ended");
  assert.equal(await post("", { email: victim }), 200);
  const elsewhere = world.aBrowser({ "sec-fetch-site": "cross-site" });
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const forged = await elsewhere.post(`${pagePathOf(one)}/address`, { email: "thief@else.example" });
  assert.equal(forged.status, 403, JSON.stringify(forged.json));
});

test("§16.8 an address is not flooded from disputes that name another one afterwards", async () => {
  const victim = "again@else.example";
  for (let count = 0; count < 5; count++) {
    const { post } = await aBuyer();
    assert.equal(await post("", { email: victim }), 200);
    assert.equal(await post("", { email: `other-${count}@else.example` }), 200);
  }
  assert.equal(await (await aBuyer()).post("", { email: victim }), "429 rate_limited");
});

test("§16.8 one dispute does not use up an address: each other has a first link", async () => {
  const [{ one }, shared] = [await aBuyer(), "shared@else.example"];
  for (let session = 0; session < 5; session++) {
    const browser = world.aBrowser();
    await prove(browser, one);
    for (let link = 0; link < 3; link++)
      assert.equal((await browser.post(`${pagePathOf(one)}/address`, { email: shared })).status, 200);
  }
  const { post } = await aBuyer();
  assert.equal(await post("", { email: shared }), 200);
  assert.equal(await post("", { email: shared }), "429 rate_limited");
});

test("§16.8 the thief of a cookie cannot redirect emails, nor use up the day's links", async () => {
  const { one, browser, post } = await aBuyer();
  const age = () =>
    world.database.rows(sql`
      update dispute_sessions set created_at = created_at - interval '11 minutes', expires_at = expires_at - interval '11 minutes'
      where payment_address = ${one.payment}`);
  assert.equal(await post("", { email: "kim@home.example" }), 200);
  await send();
  assert.equal(
    await post("/confirm", { code: secretOf(emails.find(({ to }) => to === "kim@home.example")!.text) }),
    200,
  );
  await age();
  const thief = world.aBrowser({ "sec-fetch-site": "same-origin", "x-address": "203.0.113.66" });
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  const steal = async (path: string, body: object) =>
    (await thief.post(`${pagePathOf(one)}/address${path}`, body)).status;
  assert.equal(await steal("", { email: "thief@else.example" }), 401);
  assert.equal(await steal("/remove", {}), 401);
  assert.equal(await addressOf(one), "kim@home.example");

  const mine = world.aBrowser();
  await prove(mine, one);
  const change = (path: string, body: object) => mine.post(`${pagePathOf(one)}/address${path}`, body);
  assert.equal((await change("/remove", {})).status, 200, "the wallet has signed just now");
  for (let links = 0; links < 4; links++) await steal("", { email: "thief@else.example" });
  assert.equal((await change("", { email: "kim@new.example" })).status, 200, "a session has links of its own");
  assert.equal(await steal("", { email: "other@else.example" }), 401, "an older session, before the link is opened");
  assert.equal(await steal("/remove", {}), 401);
  const stale = { id: "ds_1", createdAt: new Date(), isFresh: false };
  assert.ok(await linkOf(one, "kim@new.example"));
  await world.database.rows(sql`
    update dispute_addresses set confirmed_at = now() where business_id = ${one.businessId} and dispute_id = ${one.disputeId}`);
  assert.equal(
    await setAddress(world.database, one, stale, await sealed(one, "late@else.example")),
    false,
    "confirmed since the check",
  );
  await removeAddress(world.database, one, stale);
  assert.equal(await addressOf(one), "kim@new.example");
});

test("§16.8 a mail server that is away gets the news later; an address goes a month after its dispute", async () => {
  const { one, post } = await aBuyer();
  await post("", { email: "sam@buyer.example" });
  await send();
  await post("/confirm", { code: secretOf(emails.find(({ to }) => to === "sam@buyer.example")!.text) });
  await offerOfShop(one);
  isDown = true;
  assert.deepEqual(await send(), []);
  isDown = false;
  assert.equal((await send()).length, 1);
  await offerOfShop(one);
  isDown = true;
  assert.deepEqual(await send(), []);
  isDown = false;
  await post("", { email: "new@buyer.example" });
  const secret = await linkOf(one, "new@buyer.example");
  assert.equal(await post("/confirm", { code: secret!.secret }), 200);
  assert.deepEqual(
    (await send()).filter((line) => line.includes("[Test]")),
    ["new@buyer.example: [Test] The shop of a dispute made an offer"],
    "it goes to the address that is confirmed by now",
  );
  await offerOfShop(one);
  isDown = true;
  assert.deepEqual(await send(), []);
  isDown = false;
  assert.equal(await post("/remove"), 200);
  assert.deepEqual(await send(), [], "nothing goes to an address that was removed");
  await world.database.transaction((db) =>
    actIn(
      db,
      { businessId: one.businessId, environment: "test" },
      one.disputeId,
      sendStatement("buyer", { author: one.wallet.address, authorKind: "wallet" }, "No."),
    ),
  );
  assert.deepEqual(await send(), [], "an own text is no news");
  await world.database.rows(sql`
    update disputes set status = 'closed', turn = 'nobody', next_at = null, resumes_as = 'talking',
      closed_at = now() - interval '31 days' where id = ${one.disputeId}`);
  await world.database.rows(sql`update dispute_addresses set changed_at = now() - interval '31 days'`);
  await send();
  assert.equal(await addressOf(one), undefined);
});

test("§16.8 a link goes to the mailbox that it confirms, also when another address is entered while it is made", async () => {
  const { one, post } = await aBuyer();
  const [mine, other] = ["mine@race.example", "other@race.example"];
  const enter = async (email: string) => assert.equal(await post("", { email }), 200);
  await enter(mine);
  await enter(other);
  const find = addressLinkFinder(world.database, "https://pay.shop.example", {
    book: world.book,
    findTexts: async () => openLanguages([]).all[0].emails,
    isStopped: async () => {
      await enter(mine);
      return false;
    },
  });
  const mailbox = (await world.book.mailboxOf(mine)).toString("hex");
  const place = { businessId: one.businessId, disputeId: one.disputeId };
  assert.notEqual((await find(EMAIL, { ...place, mailbox }))?.to, other);
});

test("§16.8 a link that was queued before addresses were encrypted goes out, whether its address is by now or not", async () => {
  const { database, book } = world;
  const find = addressLinkFinder(database, "https://pay.shop.example", {
    book,
    findTexts: async () => openLanguages([]).all[0].emails,
    isStopped: async () => false,
  });
  const [encrypted, plain] = [await aBuyer(), await aBuyer()];
  assert.equal(await encrypted.post("", { email: "kim@queued.example" }), 200);
  await database.rows(sql`
    insert into dispute_addresses (business_id, dispute_id, email, changed_at)
    values (${plain.one.businessId}, ${plain.one.disputeId}, 'kim@queued.example', now())`);
  for (const { one, post } of [encrypted, plain]) {
    const found = await find(EMAIL, { businessId: one.businessId, disputeId: one.disputeId });
    assert.equal(found?.to, "kim@queued.example");
    assert.equal(await post("/confirm", { code: found.link.split("#confirm=")[1] }), 200);
  }
});

test("§16.8 a secret of mailboxes that cannot be read holds up no news", async () => {
  const { database } = world;
  const { one, post } = await aBuyer();
  assert.equal(await post("", { email: "kim@news.example" }), 200);
  assert.equal(await post("/confirm", { code: (await linkOf(one, "kim@news.example"))!.secret }), 200);
  await offerOfShop(one);
  await database.rows(sql`
    insert into dispute_addresses (business_id, dispute_id, email, changed_at)
    select business_id, id, 'before@news.example', now() from disputes where id = ${(await world.aDispute()).disputeId}`);
  const secret = await findSealedSecret(database);
  await database.rows(sql`update mailbox_secret set sealed = 'v9.AAAA'`);
  await database.rows(sql`update dispute_addresses set next_at = now()`);
  const gather = createBuyerNewsStep(testContext({ database }));
  try {
    await assert.rejects(createAddressStep(testContext({ database }), world.book));
    while (await gather());
  } finally {
    await database.rows(sql`update mailbox_secret set sealed = ${secret}`);
  }
  assert.ok(await database.has(sql`select true from emails where kind = 'buyer_news' and source = ${one.disputeId}`));
});
