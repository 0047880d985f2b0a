import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inForm } from "../../../tests/harness/form.ts";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { describeStaffRoutes } from "../../app/staffRoutes.ts";
import type { ChainReader } from "../../chain/port.ts";
import { deliveryId, newDecisionId, newRequestId } from "../../domain/ids.ts";
import type { Environment } from "../../domain/terms.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { insertDispute, insertFile, offerOfBuyer } from "../disputes/testing.ts";
import { draftLink, type NewLink } from "../links/link.ts";
import { insertLink } from "../links/queries.ts";
import { aLoggedRequest } from "../requests/fixtures.ts";
import { insertRequests } from "../requests/queries.ts";
import { insertIntent, insertPayment, someAddress, someSignature } from "./testing/objects.ts";
import { newWalletAddress } from "./testing/walletAddress.ts";

let staff: StaffServer;
before(async () => {
  // A chain without transactions.
  const fetchTransaction = async () => ({ value: { kind: "not_found" }, slot: 1, node: 0 }) as const;
  staff = await startStaffServer({
    reader: { fetchTransaction } as unknown as ChainReader,
    countLook: () => undefined,
  });
});
after(() => staff?.[Symbol.asyncDispose]());

const OWN = "kim@own.example";
const OTHER = "lee@other.example";

const A_LINK: NewLink = {
  locale: null,
  title: "Workshop",
  description: null,
  recipient: someAddress(),
  asset: someAddress(),
  amount: "1",
  price: null,
  protectionPeriod: "oneDay",
  seatsMax: 5,
  expiresAt: null,
};

/** The ids that a path can contain, of one business and of the user who owns it. */
interface Ids {
  readonly business: string;
  readonly key: string;
  readonly liveKey: string;
  readonly endpoint: string;
  readonly liveEndpoint: string;
  readonly delivery: string;
  readonly liveDelivery: string;
  readonly request: string;
  readonly liveRequest: string;
  readonly event: string;
  readonly liveEvent: string;
  readonly intent: string;
  readonly liveIntent: string;
  readonly payment: string;
  readonly livePayment: string;
  readonly dispute: string;
  readonly liveDispute: string;
  readonly offer: string;
  readonly liveOffer: string;
  readonly file: string;
  readonly liveFile: string;
  readonly decision: string;
  readonly unmatched: string;
  readonly liveUnmatched: string;
  readonly recipient: string;
  readonly liveRecipient: string;
  readonly link: string;
  readonly liveLink: string;
  readonly signature: string;
  readonly liveSignature: string;
  readonly invitation: string;
  readonly user: string;
  readonly session: string;
  readonly passkey: string;
}

async function fill(email: string, name: string): Promise<{ browser: Browser; ids: Ids }> {
  const owner = await staff.addUser(email);
  const user = await staff.addUser(`member-of-${email}`);
  const business = await staff.addBusiness(name, { [owner]: "owner", [user]: "developer" });
  const browser = await staff.signIn(email);
  const issue = async (environment: string) =>
    (await browser.post(`/businesses/${business}/${environment}/keys`, { name: "Key" })).json.id;
  const addEndpoint = async (environment: string) =>
    (await browser.post(`/businesses/${business}/${environment}/endpoints`, { url: "https://shop.com/" })).json.id;
  const invited = { email: `guest-of-${email}`, role: "developer" };
  const invitation = (await browser.post(`/businesses/${business}/invitations`, invited)).json.id;
  const passkey = `pk_${"0".repeat(31)}${name.length}`;
  await staff.database.rows(sql`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    values (${owner}, ${passkey}, ${name}, '\\x00', 0, '{}', 'Laptop', now())`);
  const session = (await browser.get("/sessions")).json.data[0].id;
  const keys = { key: await issue("test"), liveKey: await issue("live") };
  const endpoints = { endpoint: await addEndpoint("test"), liveEndpoint: await addEndpoint("live") };
  const addObjects = async (environment: Environment) => {
    const { intent, eventId } = await insertIntent(staff.database, { businessId: business, environment });
    const signature = someSignature();
    const payment = await insertPayment(staff.database, intent, signature);
    const unmatched = someAddress();
    await staff.database.rows(sql`
      insert into unmatched_payments (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
        protection_period, created_at, protection_deadline, checked_at, observed_slot, refund_total, amount_refunded, amount_released)
      select environment, ${unmatched}, 'terms_differ', ${intent.paymentId}::numeric, 'protected', sender, recipient, 1, asset,
        protection_period, created_at, protection_deadline, now(), 1, 0, 0, 0
      from payments where business_id = ${business} and address = ${payment}`);
    const opened = await insertDispute(staff.database, { businessId: business, environment });
    const offer = await offerOfBuyer(staff.database, opened, "1");
    const file = await insertFile(staff.database, opened);
    return { intent: intent.id, event: eventId, payment, signature, unmatched, dispute: opened.id, offer, file };
  };
  const [test, live] = [await addObjects("test"), await addObjects("live")];
  const objects = {
    ...test,
    liveIntent: live.intent,
    liveEvent: live.event,
    livePayment: live.payment,
    liveUnmatched: live.unmatched,
    liveDispute: live.dispute,
    liveOffer: live.offer,
    liveFile: live.file,
    liveSignature: live.signature,
  };
  const deliveries = {
    delivery: deliveryId(test.event, endpoints.endpoint),
    liveDelivery: deliveryId(live.event, endpoints.liveEndpoint),
  };
  const addRequest = async (environment: Environment) => {
    const id = newRequestId(new Date());
    await insertRequests(staff.database, [aLoggedRequest({ businessId: business, environment, id, keyId: keys.key })]);
    return id;
  };
  const requests = { request: await addRequest("test"), liveRequest: await addRequest("live") };
  const addRecipient = async (environment: string, address: string) =>
    (
      await browser.post(`/businesses/${business}/${environment}/recipients`, {
        address,
        label: name,
        accepted: ["unread"],
      })
    ).json.id;
  const recipients = {
    recipient: await addRecipient("test", newWalletAddress()),
    liveRecipient: await addRecipient("live", newWalletAddress()),
  };
  const addLink = async (environment: Environment) => {
    const link = draftLink({ businessId: business, environment }, A_LINK, new Date());
    assert.ok(await insertLink(staff.database, link));
    return link.id;
  };
  const links = { link: await addLink("test"), liveLink: await addLink("live") };
  // Only an arbiter finds a decision, whatever its id.
  const decision = newDecisionId({ businessId: business, environment: "test" }, new Date());
  const ofTenant = { decision, ...links, ...keys, ...endpoints, ...deliveries, ...requests, ...objects, ...recipients };
  const ids = { business, ...ofTenant, invitation, user, session, passkey };
  return { browser, ids };
}

/** Objects of one environment, each with its twin in the other. */
const LIVE: Readonly<Record<string, keyof Ids>> = {
  key: "liveKey",
  endpoint: "liveEndpoint",
  delivery: "liveDelivery",
  request: "liveRequest",
  event: "liveEvent",
  intent: "liveIntent",
  payment: "livePayment",
  unmatched: "liveUnmatched",
  dispute: "liveDispute",
  offer: "liveOffer",
  file: "liveFile",
  recipient: "liveRecipient",
  link: "liveLink",
  signature: "liveSignature",
};

/** An unknown id, and one of another kind: the long form gives them to every parameter, beside every malformed one. */
const ofLong = (...values: readonly string[]): readonly string[] => inForm({ short: [], long: values });

/** The object that a parameter names: payments that match no order have a path of their own. */
const objectOf = (path: string, name: string): keyof Ids =>
  path.includes("/unmatched-payments/") && name === "payment" ? "unmatched" : (name as keyof Ids);

/** The names of a path's parameters. */
const parametersOf = (path: string): string[] => [...path.matchAll(/:([a-z]+)/g)].map(([, name]) => name!);

/** A body that the route accepts, so that only the ids can be wrong. */
const bodyOf = (path: string, method: string): unknown =>
  staff.routes.find((route) => route.path === path && route.method === method)!.docs.body?.example;

test("§13.4.3 every route × every id of another business, user or environment: 404 with the body of an unknown id", async () => {
  const own = await fill(OWN, "own");
  const other = await fill(OTHER, "other shop");
  const { browser, ids } = own;
  const asOwn = (path: string, name: string): string => {
    if (name === "environment") return "test";
    if (name === "id") return path.startsWith("/sessions") ? ids.session : ids.passkey;
    return ids[objectOf(path, name)];
  };
  let turn = 0;
  /** The wrong values of a parameter: unknown, malformed, of the other business, of the other environment. */
  const wrongValues = (path: string, name: string): string[] => {
    const everyMalformed = ["none", "%00", "..%2f..", `${"a".repeat(3_000)}`];
    const malformed = inForm({ short: [everyMalformed[turn++ % 4]!], long: everyMalformed });
    if (name === "environment") return ["live", "prod", ...malformed];
    if (name === "id") {
      const prefix = path.startsWith("/sessions") ? "session" : "passkey";
      return [other.ids[prefix], ...ofLong(`${other.ids[prefix].slice(0, -4)}ffff`, other.ids.key), ...malformed];
    }
    const object = objectOf(path, name);
    const theirs = other.ids[object];
    const live = LIVE[object];
    const crossed = live === undefined ? [] : [ids[live], other.ids[live]];
    return [theirs, ...ofLong(`${theirs.slice(0, -4)}ffff`, other.ids.session), ...crossed, ...malformed];
  };
  const unknown = (await browser.get(`/businesses/biz_${"f".repeat(32)}`)).text;
  assert.equal(JSON.parse(unknown).error.code, "not_found");
  for (const { method, path } of staff.routes)
    if (method === "GET" && parametersOf(path).includes("environment")) {
      const url = path.replace(/:([a-z]+)/g, (_, name: string) => asOwn(path, name));
      assert.equal((await browser.get(url)).status, 200, `${url}: the own ids are found`);
    }
  let asked = 0;
  for (const { method, path } of staff.routes)
    for (const wrong of parametersOf(path)) {
      // In the list and for new keys, both environments are the business's own.
      for (const value of wrongValues(path, wrong)) {
        if (wrong === "environment" && value === "live" && !parametersOf(path).some((name) => name in LIVE)) continue;
        const url = path.replace(/:([a-z]+)/g, (_, name: string) => (name === wrong ? value : asOwn(path, name)));
        const answer = await browser.send(method, url, bodyOf(path, method));
        const said = `${method} ${url.slice(0, 200)}`;
        assert.equal(answer.status, 404, `${said} → ${answer.text}`);
        if (!value.startsWith("%00") && !value.startsWith("..")) assert.equal(answer.text, unknown, said);
        assert.equal(answer.headers.location, undefined);
        asked++;
      }
    }
  // Neither a cursor of another business's list nor any other text is a cursor of this one.
  const theirs = (await other.browser.get(`/businesses/${other.ids.business}/audit`)).json.data[0].id;
  for (const cursor of [theirs, "none", "%00", ids.key]) {
    const answer = await browser.get(`/businesses/${ids.business}/audit?starting_after=${cursor}`);
    assert.deepEqual([answer.status, answer.text], [404, unknown], cursor);
  }
  for (const cursor of [other.ids.delivery, ids.liveDelivery, "none", "%00", ids.key]) {
    const path = `/businesses/${ids.business}/test/endpoints/${ids.endpoint}/deliveries?starting_after=${cursor}`;
    const answer = await browser.get(path);
    assert.deepEqual([answer.status, answer.text], [404, unknown], cursor);
  }
  assert.ok(asked > 100, `${asked} requests were made`);
  // Neither business has changed meanwhile, and the own ids still work.
  for (const { browser: owner, ids: theirs } of [own, other]) {
    const keys = (await owner.get(`/businesses/${theirs.business}/test/keys`)).json.data;
    assert.deepEqual(
      keys.map((key: { id: string; state: string }) => [key.id, key.state]),
      [[theirs.key, "active"]],
    );
    const { data } = (await owner.get(`/businesses/${theirs.business}/test/endpoints`)).json;
    assert.deepEqual(
      data.map(({ id, status, url }: Record<string, string>) => [id, status, url]),
      [[theirs.endpoint, "enabled", "https://shop.com/"]],
    );
    assert.equal((await owner.get(`/businesses/${theirs.business}/members`)).json.data.length, 2);
    assert.equal((await owner.get(`/businesses/${theirs.business}/invitations`)).json.data.length, 1);
    assert.equal((await owner.get("/sessions")).json.data.length, 1);
    assert.equal((await owner.get("/passkeys")).json.data.length, 1);
  }
});

test("§13.4.3 every route that is not for visitors is 401 without a session, before its input is read", async () => {
  const open = new Set(
    staff.routes
      .filter(({ docs, path }) => docs.tag === "Sign-in" && path !== "/invitations/accept")
      .map(({ path }) => path),
  );
  const routes = staff.routes.filter(({ path }) => !open.has(path));
  assert.ok(routes.length > 20);
  for (const { method, path } of routes) {
    const url = path.replace(/:[a-z]+/g, "none");
    const answer = await staff.browser().send(method, url, method === "GET" ? undefined : { wrong: "field" });
    assert.deepEqual([answer.status, answer.json.error.code], [401, "unauthorized"], `${method} ${path}`);
  }
});

test("§13.4.1 every route refuses another site, and none redirects, whatever the request asks for", async () => {
  for (const { method, path } of staff.routes) {
    const url = path.replace(/:[a-z]+/g, "none");
    const evil = [
      ["Origin", "https://evil.example"],
      ["Sec-Fetch-Site", "cross-site"],
    ] as const;
    const foreign = await staff.browser().send(method, url, bodyOf(path, method), evil);
    assert.deepEqual([foreign.status, foreign.json.error.code], [403, "cross_site_request"], `${method} ${path}`);
    const asked = `${url}?next=https://evil.example&redirect=//evil.example&return_to=https://evil.example`;
    const answer = await staff.browser().send(method, asked, bodyOf(path, method));
    assert.ok(answer.status < 300 || answer.status >= 400, `${method} ${path} → ${answer.status}`);
    assert.equal(answer.headers.location, undefined);
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
  }
});

test("the document names every operation and error of the staff API once, and only those of its door", () => {
  const document = describeStaffRoutes(staff.routes);
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(operations).size, staff.routes.length);
  assert.equal(document.components.examples.intent_not_cancelable, undefined);
  assert.ok(!JSON.stringify(document).includes("Idempotent-Replayed"), "a form's answer is not kept");
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  for (const [, kind, name] of references)
    assert.ok(document.components[kind!][name!] !== undefined, `${kind} ${name} is there`);
});
