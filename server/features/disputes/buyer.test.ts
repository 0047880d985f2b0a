import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { BuyerBrowser } from "../../../tests/harness/buyerBrowser.ts";
import { sql } from "../../store/sql.ts";
import { actIn, makeOffer } from "./actions.ts";
import { purgeProofs } from "./proof/queries.ts";
import { findDispute } from "./queries.ts";
import { AMOUNT, openWorld, pagePathOf, prove, signText, type TestDispute } from "./testing/disputes.ts";

let world: Awaited<ReturnType<typeof openWorld>>;
before(async () => {
  world = await openWorld();
});
after(() => world?.[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const codeOf = ({ status, json }: { status: number; json: { error?: { code: string } } | null }) =>
  `${status} ${json?.error?.code}`;
const tenantOf = ({ businessId }: TestDispute) => ({ businessId, environment: "test" }) as const;

async function aBuyer() {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  await prove(browser, one);
  return { one, browser };
}
const ask = async (browser: BuyerBrowser, one: TestDispute, body: object = {}) =>
  (await browser.post(`${pagePathOf(one)}/challenge`, { way: "message", act: "open_session", ...body })).json;

test("§16.1 a session is of one payment in one browser, by a cookie of the page's own path that no script reads", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const { nonce, text } = await ask(browser, one);
  const opened = await browser.post(`${pagePathOf(one)}/session`, { nonce, signature: signText(one.wallet, text) });
  assert.equal(opened.status, 201);
  const [cookie] = opened.cookies;
  assert.match(cookie!, new RegExp(`; Path=/pay/p/${one.payment}/case; HttpOnly; SameSite=Strict; Max-Age=2592000$`));
  assert.equal((await browser.get(`${pagePathOf(one)}/sessions`)).json.sessions.length, 1);
  const other = await world.aDispute({ businessId: one.businessId, wallet: one.wallet });
  assert.equal(codeOf(await browser.get(`${pagePathOf(other)}/sessions`)), "401 proof_needed", "another payment");
  // The very cookie under the name of the other payment.
  const token = browser.cookies.get(`holdfast_case_${one.payment.slice(0, 8)}`)!;
  browser.cookies.set(`holdfast_case_${other.payment.slice(0, 8)}`, token);
  assert.equal(codeOf(await browser.get(`${pagePathOf(other)}/sessions`)), "401 proof_needed", "its cookie elsewhere");
});

test("§16.1 with https the cookies are sent by https alone", async () => {
  await using secure = await openWorld({ checkoutUrl: "https://pay.example" });
  const [one, browser] = [await secure.aDispute(), secure.aBrowser()];
  const { nonce, text } = await ask(browser, one);
  assert.match(text, /^Holdfast\nHost: pay\.example\n/);
  const opened = await browser.post(`${pagePathOf(one)}/session`, { nonce, signature: signText(one.wallet, text) });
  assert.match(opened.cookies[0]!, /^__Secure-holdfast_case_.*; Secure; Max-Age=/);
});

test("§16.1 a browser's sessions are listed, and each can be ended from any of them", async () => {
  const { one, browser } = await aBuyer();
  const second = world.aBrowser({ "sec-fetch-site": "same-origin", "user-agent": "Second" });
  await prove(second, one);
  const { sessions } = (await browser.get(`${pagePathOf(one)}/sessions`)).json;
  assert.deepEqual(
    sessions.map(({ isThis, userAgent }: { isThis: boolean; userAgent: string }) => [isThis, userAgent === "Second"]),
    [
      [false, true],
      [true, false],
    ],
  );
  assert.equal((await browser.post(`${pagePathOf(one)}/sessions/${sessions[0].id}/end`)).status, 200);
  assert.equal(codeOf(await second.get(`${pagePathOf(one)}/sessions`)), "401 proof_needed");
  assert.equal(codeOf(await browser.post(`${pagePathOf(one)}/sessions/${sessions[0].id}/end`)), "404 not_found");
  const stranger = await aBuyer();
  const own = (await browser.get(`${pagePathOf(one)}/sessions`)).json.sessions[0].id;
  assert.equal(codeOf(await stranger.browser.post(`${pagePathOf(stranger.one)}/sessions/${own}/end`)), "404 not_found");
  assert.equal((await browser.post(`${pagePathOf(one)}/sessions/${own}/end`)).status, 200);
  assert.equal(codeOf(await browser.get(`${pagePathOf(one)}/sessions`)), "401 proof_needed");
});

test("§16.2 a challenge is used once, by the browser that asked, for its payment and act, within ten minutes", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const askedAt = Date.now();
  const { nonce, text, expiresAt } = await ask(browser, one);
  const madeAt = Date.parse(expiresAt) - 600_000;
  assert.ok(askedAt - 1_000 < madeAt && madeAt <= Date.now(), "in whole seconds");
  const proof = { nonce, signature: signText(one.wallet, text) };
  const session = `${pagePathOf(one)}/session`;
  assert.equal(codeOf(await world.aBrowser().post(session, proof)), "409 proof_refused", "no browser");
  const other = world.aBrowser();
  await ask(other, one);
  assert.equal(codeOf(await other.post(session, proof)), "409 proof_refused", "another browser");
  const second = await world.aDispute({ businessId: one.businessId, wallet: one.wallet });
  browser.cookies.set(`holdfast_browser_${second.payment.slice(0, 8)}`, [...browser.cookies.values()][0]!);
  assert.equal(
    codeOf(await browser.post(`${pagePathOf(second)}/session`, proof)),
    "409 proof_refused",
    "another payment",
  );
  assert.equal((await browser.post(session, proof)).status, 201);
  assert.equal(codeOf(await browser.post(session, proof)), "409 proof_refused", "a second time");

  const late = await ask(browser, one);
  await world.database.rows(sql`update clocks set ahead = ahead + interval '11 minutes' where environment = 'test'`);
  const stale = { nonce: late.nonce, signature: signText(one.wallet, late.text) };
  assert.equal(codeOf(await browser.post(session, stale)), "409 proof_refused", "too late");
});

test("§16.2 two tabs that use one challenge at once get one session", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const { nonce, text } = await ask(browser, one);
  const proof = { nonce, signature: signText(one.wallet, text) };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${pagePathOf(one)}/session`, proof)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test("§16.2 only the wallet that paid proves, by exactly the text of the challenge and its own way", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const thief = newWallet();
  const { nonce, text } = await ask(browser, one);
  const post = (proof: object) => browser.post(`${pagePathOf(one)}/session`, { nonce, ...proof });
  world.signedMemos.set("SIGNED", { text, signer: one.wallet.address });
  for (const [why, proof] of [
    ["another wallet", { signature: signText(thief, text) }],
    ["another host", { signature: signText(one.wallet, text.replace("localhost", "evil.example")) }],
    ["another text", { signature: signText(one.wallet, `${text} `) }],
    ["nothing", {}],
    ["no base64", { signature: "%" }],
    ["a proof of another way", { transaction: "SIGNED" }],
    ["a nonce that is none", { nonce: "0".repeat(48), signature: signText(one.wallet, text) }],
    ["a nonce of another kind", { nonce: 7 }],
  ] as const)
    assert.equal(codeOf(await post(proof)), "409 proof_refused", why);
  assert.equal((await post({ signature: signText(one.wallet, text) })).status, 201, "no failed try uses it up");
});

test("§16.2 a transaction that is never sent, and a memo on chain, prove the wallet that signed them", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const asked = await ask(browser, one, { way: "transaction" });
  world.signedMemos.set("OTHERS", { text: asked.text, signer: newWallet().address });
  world.signedMemos.set("OTHER TEXT", { text: `${asked.text}.`, signer: one.wallet.address });
  world.signedMemos.set("OWN", { text: asked.text, signer: one.wallet.address });
  const post = (proof: object) => browser.post(`${pagePathOf(one)}/session`, proof);
  for (const transaction of ["OTHERS", "OTHER TEXT", "NONE"])
    assert.equal(codeOf(await post({ nonce: asked.nonce, transaction })), "409 proof_refused", transaction);
  assert.equal((await post({ nonce: asked.nonce, transaction: "OWN" })).status, 201);

  const memo = await ask(browser, one, { way: "memo" });
  assert.ok(Date.parse(memo.expiresAt) - Date.now() > 6.9 * 24 * HOUR_MS, "seven days");
  const signature = "5".repeat(87);
  const land = (text: string, signers: string[]) =>
    world.landed.set(signature, {
      ...{ signature, slot: 1, failed: false, blockTime: new Date(), created: [], touched: [] },
      memo: { text, signers },
    });
  const landed = { nonce: memo.nonce, landed: signature };
  assert.equal(codeOf(await post(landed)), "409 proof_refused", "not there yet");
  land(memo.text, [newWallet().address]);
  assert.equal(codeOf(await post(landed)), "409 proof_refused", "another signer");
  // A third party landed a transaction that was never to be sent: its challenge is of another way, and used.
  land(asked.text, [one.wallet.address]);
  assert.equal(codeOf(await post(landed)), "409 proof_refused", "the memo of another challenge");
  assert.equal(codeOf(await post({ nonce: asked.nonce, landed: signature })), "409 proof_refused");
  land(memo.text, [one.wallet.address]);
  assert.equal((await post(landed)).status, 201);
  assert.equal(codeOf(await post(landed)), "409 proof_refused", "a second time");
  assert.equal(codeOf(await post({ nonce: memo.nonce, landed: "no signature" })), "400 invalid_request");
});

test("§16.2 with several nodes a memo on chain is proof only if a second one shows the same", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const { nonce, text } = await ask(browser, one, { way: "memo" });
  const signature = "6".repeat(87);
  const transactionOf = (signers: string[]) => ({
    ...{ signature, slot: 1, failed: false, blockTime: new Date(), created: [], touched: [] },
    memo: { text, signers },
  });
  const post = () => browser.post(`${pagePathOf(one)}/session`, { nonce, landed: signature });
  world.landed.set(signature, transactionOf([one.wallet.address]));
  world.other.landed = new Map();
  try {
    assert.equal(codeOf(await post()), "409 proof_refused", "the second node does not know it");
    world.other.landed.set(signature, transactionOf([newWallet().address]));
    assert.equal(codeOf(await post()), "409 proof_refused", "the second node shows another signer");
    world.other.landed.set(signature, transactionOf([one.wallet.address]));
    assert.equal((await post()).status, 201);
  } finally {
    world.other.landed = null;
  }
});

/** Bodies that are valid; the other routes take none, or are refused before theirs is read. */
const BODIES: Readonly<Record<string, object>> = {
  opening: { reason: "other", requestedTotal: "1", text: "Words." },
  statements: { text: "Words." },
  offers: { total: "1", until: inHours(24) },
  challenge: { way: "message", act: "offer", total: "1", until: inHours(24) },
};

/** Every route of the page but the one that takes the proof of a session: a new one is here by being declared. */
const routesOfPage = () =>
  world.routes
    .map(({ method, path }) => [method, path.replace("/pay/p/:payment/case/", "")] as const)
    .filter(([, path]) => path !== "session")
    .map(([method, path]) => [method, path.replaceAll(/:(\w)\w*/g, "$1_x"), BODIES[path]] as const);

test("§16.1 without a session of this very payment every route is refused: for strangers, other buyers, ended sessions and other sites", async () => {
  const { one, browser } = await aBuyer();
  const other = await aBuyer();
  const ended = await aBuyer();
  await world.database.rows(
    sql`update dispute_sessions set ended_at = now() where business_id = ${ended.one.businessId}`,
  );
  const expired = await aBuyer();
  await world.database.rows(sql`
    update dispute_sessions set created_at = now() - interval '31 days', expires_at = now() - interval '1 day'
    where business_id = ${expired.one.businessId}`);
  const elsewhere = world.aBrowser({ "sec-fetch-site": "cross-site", origin: "https://evil.example" });
  const nameless = world.aBrowser({});
  for (const one of [elsewhere, nameless]) for (const [name, value] of browser.cookies) one.cookies.set(name, value);
  const version = async () => (await findDispute(world.database, tenantOf(one), one.disputeId))!.version;
  const before = await version();
  const routes = [
    ...routesOfPage(),
    ["POST", "challenge", { way: "message", act: "accept_offer", offer: "o_x" }] as const,
  ];
  assert.ok(routes.length >= 16, "all routes were found");
  for (const [method, path, body] of routes) {
    const at = (given: TestDispute) => `${pagePathOf(given)}/${path}`;
    const asked = method === "POST" ? (body ?? {}) : undefined;
    for (const [who, answer] of [
      ["a stranger with the link", await world.aBrowser().call(method, at(one), asked)],
      ["another buyer", await other.browser.call(method, at(one), asked)],
      ["an ended session", await ended.browser.call(method, at(ended.one), asked)],
      ["an expired session", await expired.browser.call(method, at(expired.one), asked)],
    ] as const)
      assert.equal(codeOf(answer), "401 proof_needed", `${who}: ${method} ${path}`);
    assert.equal(codeOf(await elsewhere.call(method, at(one), asked)), "403 browser_request", `another site: ${path}`);
    if (method === "POST") assert.equal(codeOf(await nameless.call(method, at(one), asked)), "403 browser_request");
  }
  assert.equal(await version(), before, "nothing was changed");
});

test("§13.4.6 a key of a form writes a row once the session is found, and nowhere else; a repeat is told", async () => {
  const { one, browser } = await aBuyer();
  const path = pagePathOf(one);
  const send = (key: string, { cookies }: BuyerBrowser, to: string, body: object) => {
    const keyed = world.aBrowser({ "sec-fetch-site": "same-origin", "idempotency-key": key });
    for (const [name, value] of cookies) keyed.cookies.set(name, value);
    return keyed.post(`${path}/${to}`, body);
  };
  const stranger = world.aBrowser();
  const asked = { way: "message", act: "open_session" };
  assert.deepEqual(
    (await Promise.all([send("a", stranger, "challenge", asked), send("a", stranger, "challenge", asked)])).map(
      ({ status }) => status,
    ),
    [200, 200],
  );
  assert.equal((await send("a", stranger, "statements", { text: "It is empty." })).status, 401);
  const rows = () => world.database.rows(sql`select from form_keys`);
  assert.equal((await rows()).length, 0);
  assert.equal((await send("a", browser, "statements", { text: "It is empty." })).status, 200);
  assert.equal(codeOf(await send("a", browser, "statements", { text: "It is empty." })), "409 sent_before");
  assert.equal((await rows()).length, 1);
});

test("§16.4 a buyer opens the dispute once, writes, and asks for the arbiter; all of it is kept in order", async () => {
  const { one, browser } = await aBuyer();
  const post = (path: string, body: object = {}) => browser.post(`${pagePathOf(one)}/${path}`, body);
  for (const [body, why] of [
    [{ reason: "not_given", requestedTotal: "1", text: "Words." }, "a reason that is none"],
    [{ reason: "other", requestedTotal: String(BigInt(AMOUNT) + 1n), text: "Words." }, "more than was paid"],
    [{ reason: "other", requestedTotal: "1", text: "   " }, "no text"],
    [{ reason: "other", requestedTotal: "1", text: "x".repeat(5_001) }, "too long a text"],
    [{ reason: "other", requestedTotal: "1", text: "a\u0000b" }, "a NUL"],
  ] as const)
    assert.equal(codeOf(await post("opening", body)), "400 invalid_request", why);
  const opening = { reason: "not_as_described", requestedTotal: "18500000", text: "The bag is torn." };
  assert.equal((await post("opening", opening)).status, 200);
  assert.equal(codeOf(await post("opening", opening)), "409 dispute_changed");
  assert.equal((await post("statements", { text: "And half empty." })).status, 200);
  assert.equal((await post("ask-arbiter")).status, 200);
  assert.equal((await post("ask-arbiter")).json.error.details.reason, "already_asked");
  const dispute = (await findDispute(world.database, tenantOf(one), one.disputeId))!;
  assert.deepEqual(
    [dispute.reason, dispute.requestedTotal, dispute.buyerStatements, dispute.turn, dispute.status],
    ["not_as_described", "18500000", 2, "merchant", "talking"],
  );
  const rows = await world.database.rows<{ text: string; author: string }>(
    sql`select text, author from dispute_statements where dispute_id = ${one.disputeId} order by number`,
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["The bag is torn.", "And half empty."],
  );
  assert.ok(rows.every(({ author }) => author === one.wallet.address));
  const events = await world.database.rows<{ type: string; body: string }>(
    sql`select type, body from events where business_id = ${one.businessId} order by sequence`,
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ["dispute.updated", "dispute.updated", "dispute.updated"],
  );
  assert.ok(
    events.every(({ body }) => !body.includes("torn")),
    "an event has no text",
  );
});

/** The shop's offer, as its own routes make it. */
async function shopOffers(one: TestDispute, total: string): Promise<string> {
  const offer = { total, text: "Half.", until: null };
  const acted = await world.database.transaction((db) =>
    actIn(db, tenantOf(one), one.disputeId, makeOffer("merchant", { author: "usr_1", authorKind: "user" }, offer)),
  );
  return acted!.dispute.offers.at(-1)!.id;
}

/** Signs what binds, and sends it. */
async function bind(browser: BuyerBrowser, one: TestDispute, path: string, act: object, body: object = {}) {
  const { nonce, text } = await ask(browser, one, act);
  return browser.post(`${pagePathOf(one)}/${path}`, { ...body, nonce, signature: signText(one.wallet, text) });
}

test("§16.4 an offer of the buyer is made by a signature over its amounts, and over nothing else", async () => {
  const { one, browser } = await aBuyer();
  const offer = { total: "18500000", until: inHours(48) };
  const path = `${pagePathOf(one)}/offers`;
  assert.equal(codeOf(await browser.post(path, offer)), "409 proof_refused", "a session alone binds nothing");
  const { nonce, text } = await ask(browser, one, { act: "offer", ...offer });
  assert.match(text, /\nYou have in the end: 18\.5\nThe shop has in the end: 6\n/);
  const proof = { nonce, signature: signText(one.wallet, text) };
  for (const changed of [{ total: "18500001" }, { until: inHours(49) }])
    assert.equal(codeOf(await browser.post(path, { ...offer, ...changed, ...proof })), "409 proof_refused");
  assert.equal(
    codeOf(await browser.post(`${pagePathOf(one)}/session`, proof)),
    "409 proof_refused",
    "it opens no session",
  );
  assert.equal((await browser.post(path, { ...offer, text: "I keep both.", ...proof })).status, 200);
  assert.equal(codeOf(await browser.post(path, { ...offer, ...proof })), "409 proof_refused", "it is used once");
  const [made] = (await findDispute(world.database, tenantOf(one), one.disputeId))!.offers;
  assert.deepEqual([made!.total, made!.text, made!.status], ["18500000", "I keep both.", "open"]);
  const kept = await world.database.row<{ signed_text: string; signature: string }>(
    sql`select signed_text, signature from dispute_offers where id = ${made!.id}`,
  );
  assert.deepEqual(kept, { signed_text: text, signature: proof.signature });
  assert.equal((await browser.post(`${path}/${made!.id}/withdraw`)).status, 200);
  assert.equal((await browser.post(`${path}/${made!.id}/withdraw`)).json.error.details.reason, "offer_not_open");
});

test("§16.4 accepting binds by a signature over this very offer, as the amounts are then", async () => {
  const { one, browser } = await aBuyer();
  const first = await shopOffers(one, "12500000");
  const { nonce, text } = await ask(browser, one, { act: "accept_offer", offer: first });
  const stale = { nonce, signature: signText(one.wallet, text) };
  const second = await shopOffers(one, "12600000");
  const path = (offer: string) => `offers/${offer}/accept`;
  assert.equal(codeOf(await browser.post(`${pagePathOf(one)}/${path(second)}`, stale)), "409 proof_refused");
  assert.equal(
    (await browser.post(`${pagePathOf(one)}/${path(first)}`, stale)).json.error.details.reason,
    "offer_not_open",
  );

  const again = await ask(browser, one, { act: "accept_offer", offer: second });
  const before = { nonce: again.nonce, signature: signText(one.wallet, again.text) };
  await world.database.rows(sql`update disputes set refund_total = 1 where id = ${one.disputeId}`);
  assert.equal(
    codeOf(await browser.post(`${pagePathOf(one)}/${path(second)}`, before)),
    "409 proof_refused",
    "a refund was bound",
  );
  const agreed = await bind(browser, one, path(second), { act: "accept_offer", offer: second });
  assert.deepEqual([agreed.status, agreed.json.status], [200, "agreed"]);
  const dispute = (await findDispute(world.database, tenantOf(one), one.disputeId))!;
  assert.equal(dispute.agreement?.total, "12600000");
});

test("§16.4 the thief of a session's cookie binds nobody: neither offers nor accepts without the wallet", async () => {
  const { one, browser } = await aBuyer();
  const offer = await shopOffers(one, "12500000");
  const thief = world.aBrowser();
  const name = `holdfast_case_${one.payment.slice(0, 8)}`;
  thief.cookies.set(name, browser.cookies.get(name)!);
  assert.equal((await thief.get(`${pagePathOf(one)}/sessions`)).status, 200, "the cookie is a session");
  const made = await thief.post(`${pagePathOf(one)}/offers`, { total: "1", until: inHours(24) });
  assert.equal(codeOf(made), "409 proof_refused");
  assert.equal(codeOf(await thief.post(`${pagePathOf(one)}/offers/${offer}/accept`, {})), "409 proof_refused");
  // The proof that the owner asked for belongs to the owner's browser.
  const { nonce, text } = await ask(browser, one, { act: "offer", total: "1", until: inHours(24) });
  const proof = { nonce, signature: signText(one.wallet, text) };
  const stolen = await thief.post(`${pagePathOf(one)}/offers`, { total: "1", until: inHours(24), ...proof });
  assert.equal(codeOf(stolen), "409 proof_refused");
  const dispute = (await findDispute(world.database, tenantOf(one), one.disputeId))!;
  assert.deepEqual([dispute.status, dispute.offers.length], ["talking", 1]);
});

test("§16.2 the cookie by which a browser is known outlives every challenge that it asks for", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  const post = () => browser.post(`${pagePathOf(one)}/challenge`, { way: "memo", act: "open_session" });
  const secretOf = ({ cookies: [cookie] }: Awaited<ReturnType<typeof post>>) =>
    /=([^;]+).*Max-Age=2592000/.exec(cookie!)![1];
  const first = secretOf(await post());
  assert.equal(secretOf(await post()), first);
});

test("§16.2 a payment of no order has no dispute here, and one that is not disputed has no text, but may be proven", async () => {
  const one = await world.aDispute();
  await world.database.rows(sql`delete from disputes where id = ${one.disputeId}`);
  const browser = world.aBrowser();
  await prove(browser, one);
  assert.equal(codeOf(await browser.post(`${pagePathOf(one)}/statements`, { text: "Words." })), "404 not_found");
  const unknown = await browser.post(`${pagePathOf(one)}/challenge`, { way: "letter", act: "open_session" });
  assert.equal(unknown.json.error.message, "There is no such way to prove a wallet.");
  const nowhere = `/pay/p/${newWallet().address}/case`;
  assert.equal(
    codeOf(await browser.post(`${nowhere}/challenge`, { way: "message", act: "open_session" })),
    "404 not_found",
  );
});

test("§16.1 one network proves and writes a limited number of times a minute for a payment, and no other buyer waits for it", async (context) => {
  // The minute does not end meanwhile.
  context.mock.method(performance, "now", () => 1_000);
  const one = await world.aDispute();
  const headers = { "sec-fetch-site": "same-origin", "x-address": "192.0.2.7" };
  const flood = world.aBrowser(headers);
  const answers = await Promise.all(
    Array.from({ length: 22 }, () =>
      flood.post(`${pagePathOf(one)}/challenge`, { way: "message", act: "open_session" }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 429).length, 2);
  await prove(world.aBrowser({ ...headers, "x-address": "192.0.2.8" }), one);
});

test("challenges and sessions are deleted a day after their end, and no others", async () => {
  const { one, browser } = await aBuyer();
  const ended = await aBuyer();
  await ask(ended.browser, ended.one);
  await world.database.rows(sql`
    update dispute_challenges set expires_at = expires_at - interval '32 days' where business_id = ${ended.one.businessId}`);
  await world.database.rows(sql`
    update dispute_sessions set created_at = created_at - interval '32 days', expires_at = expires_at - interval '32 days'
    where business_id = ${ended.one.businessId}`);
  assert.equal(await purgeProofs(world.database), false);
  const left = await world.database.rows(sql`
    select nonce as id from dispute_challenges where business_id = ${ended.one.businessId}
    union all select id from dispute_sessions where business_id = ${ended.one.businessId}`);
  assert.deepEqual(left, []);
  assert.equal((await browser.get(`${pagePathOf(one)}/sessions`)).status, 200);
});
