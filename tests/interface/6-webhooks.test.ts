import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { admin, adminApart, adminRefusal } from "../harness/admin.ts";
import { createAuthority } from "../harness/certificates.ts";
import { pay } from "../harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";
import { type Answer, type Receiver, startReceiver } from "../harness/webhookReceiver.ts";

const HOST = "hooks.shop-demo.com";

let service: Service;
let receiver: Receiver;
let folder: string;
let answer: Answer = (_request, response) => void response.end("ok");

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-webhooks-"));
  const authority = createAuthority();
  const certificate = authority.issue([HOST, "*.shop-demo.com"]);
  receiver = await startReceiver(certificate, (request, response) => answer(request, response));
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  const hosts = [HOST, "a.shop-demo.com", "b.shop-demo.com"].map((name) => [name, `127.0.0.1:${receiver.port}`]);
  service = await startService({
    env: { WEBHOOK_DEV_HOSTS: JSON.stringify(Object.fromEntries(hosts)), WEBHOOK_CA_FILE: join(folder, "ca.pem") },
  });
});
after(async () => {
  await service?.remove();
  await receiver?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const URL_OF_SHOP = `https://${HOST}/hooks`;
/** Returns the requests that arrived with events of one business. */
async function arrived(merchant: Merchant): Promise<Wire[]> {
  const ids = new Set((await merchant.walk("/events", 100)).map(({ id }) => id));
  return receiver.received.filter((one) => ids.has(String(one.headers["service-event-id"])));
}
const types = (requests: readonly Wire[]): string[] => requests.map((one) => one.headers["service-event-type"]);

const stripe = new Stripe("sk_unused");
/** The check of §6.3 by another maker, over the raw body. */
const assertSigned = (request: Wire, secret: string): void =>
  void stripe.webhooks.signature!.verifyHeader(request.body, String(request.headers["service-signature"]), secret, 300);

test("§6 a payment reaches the merchant's server as signed events, the bytes of GET /events/{id}", async () => {
  const merchant = await newMerchant(service);
  const endpoint = await admin(service, "webhook", "add", merchant.business, "--url", URL_OF_SHOP);
  assert.match(endpoint.id, /^we_test_[0-9a-z]{4}[0-9a-f]{32}$/);
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(endpoint.secretForm, "standard");
  const intent = await merchant.create();
  await pay(service, intent);
  const requests = await eventually("three events arrive", async () => {
    const got = await arrived(merchant);
    return got.length === 3 && got;
  });
  assert.deepEqual(types(requests).sort(), ["payment.protected", "payment_intent.created", "payment_intent.paid"]);
  for (const request of requests) {
    assertSigned(request, endpoint.secret);
    assert.equal(request.path, "/hooks");
    const read = await merchant.get(`/events/${request.headers["service-event-id"]}`);
    assert.equal(read.text, request.body);
    assert.equal(request.headers["service-event-sequence"], JSON.parse(request.body).sequence);
  }
  const listed = await admin(service, "webhook", "list", merchant.business);
  assert.equal("secret" in listed.data[0], false, "the secret is shown once");
});

test("§13.8 staff add an endpoint and test it; the test arrives signed, and the audit log has the command line's acts too", async () => {
  const { dashboardUrl, dashboardLogin } = JSON.parse(readFileSync(join(service.dataDir, "ready.json"), "utf8"));
  const browser = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  assert.equal((await browser.post("/sign-in", dashboardLogin)).status, 200);
  const { id } = (await browser.post("/businesses", { name: "Shop of staff" })).json;
  const path = `/businesses/${id}/test/endpoints`;
  const checked = (await browser.post(`${path}/check`, { url: URL_OF_SHOP })).json;
  assert.deepEqual([checked.url, checked.problem, checked.warning], [URL_OF_SHOP, null, null]);
  const endpoint = (await browser.post(path, { url: URL_OF_SHOP })).json;
  const tested = (await browser.post(`${path}/${endpoint.id}/test`)).json;
  assert.deepEqual([tested.succeeded, tested.statusCode, tested.error], [true, 200, null]);
  const request = receiver.received.find((one) => one.headers["service-event-id"] === tested.event);
  assertSigned(request!, endpoint.secret);
  await admin(service, "webhook", "disable", endpoint.id);
  await admin(service, "webhook", "delete", endpoint.id);
  const entries = (await browser.get(`/businesses/${id}/audit`)).json.data;
  assert.deepEqual(
    entries.map((entry: { action: string; actor: { id: string } }) => [entry.action, entry.actor.id === "cli"]),
    [
      ["endpoint.deleted", true],
      ["endpoint.disabled", true],
      ["endpoint.tested", false],
      ["endpoint.added", false],
      ["business.added", false],
    ],
  );
});

test("§6.8 deliveries verify under Standard Webhooks and under Stripe's scheme, by each maker's own library, during a roll too", async () => {
  const merchant = await newMerchant(service);
  const endpoint = await admin(service, "webhook", "add", merchant.business, "--url", URL_OF_SHOP);
  const arrival = (id: string) =>
    eventually("the event arrives", async () => {
      const [first] = (await merchant.get(`/events?intent=${id}`)).json.data;
      return receiver.received.find((one) => one.headers["service-event-id"] === first?.id);
    });
  const assertVerifies = (request: Wire, secret: string) => {
    const verified = new Webhook(secret).verify(request.body, request.headers as Record<string, string>) as Wire;
    assert.equal(verified.id, request.headers["webhook-id"]);
    assertSigned(request, secret);
  };
  const first = await arrival((await merchant.create()).id);
  assertVerifies(first, endpoint.secret);
  assert.equal(first.headers["webhook-id"], first.headers["service-event-id"]);
  assert.match(String(first.headers["service-signature"]), new RegExp(`^t=${first.headers["webhook-timestamp"]},v1=`));
  assert.throws(
    () => new Webhook(endpoint.secret).verify(`${first.body} `, first.headers as Record<string, string>),
    /No matching signature/,
  );

  const rolled = await admin(service, "webhook", "roll", endpoint.id, "--grace", "1h");
  const during = await arrival((await merchant.create()).id);
  for (const secret of [rolled.secret, endpoint.secret]) assertVerifies(during, secret);
  assert.equal(String(during.headers["webhook-signature"]).split(" ").length, 2);

  const tested = await admin(service, "webhook", "test", endpoint.id);
  assert.equal(tested.succeeded, true);
  assertVerifies(
    receiver.received.findLast((one) => one.headers["service-event-type"] === "webhook.test"),
    rolled.secret,
  );
});

test("§6.1 the admin CLI manages an endpoint from its creation to its deletion", async () => {
  const merchant = await newMerchant(service);
  const { id } = await admin(
    service,
    "webhook",
    "add",
    merchant.business,
    "--url",
    "https://a.shop-demo.com:443/x?y=1",
    "--types",
    "payment_intent.canceled",
  );
  const [listed] = (await admin(service, "webhook", "list", merchant.business)).data;
  assert.deepEqual(
    [listed.url, listed.eventTypes, listed.status],
    ["https://a.shop-demo.com/x?y=1", ["payment_intent.canceled"], "enabled"],
  );

  const tested = await admin(service, "webhook", "test", id);
  assert.deepEqual([tested.succeeded, tested.statusCode], [true, 200]);

  await admin(service, "webhook", "disable", id);
  const intent = await merchant.create();
  await merchant.cancel(intent.id);
  const [held] = (await admin(service, "webhook", "deliveries", id)).data;
  assert.deepEqual([held.type, held.status, held.attempts], ["payment_intent.canceled", "pending", 0]);
  assert.match(held.id, /^del_test_[0-9a-z]{4}[0-9a-f]{64}$/);
  assert.equal((await admin(service, "webhook", "enable", id)).status, "enabled");
  await eventually("the held one arrives", async () => (await arrived(merchant)).length === 1);

  await eventually(
    "it is written down",
    async () => (await admin(service, "webhook", "deliveries", id)).data[0].status === "succeeded",
  );
  const [done] = (await admin(service, "webhook", "deliveries", id, "--status", "succeeded")).data;
  assert.deepEqual(
    [done.attempts, done.attemptLog.length, done.attemptLog[0].number, done.attemptLog[0].statusCode],
    [1, 1, 1, 200],
  );

  await admin(service, "webhook", "resend", id, "--event", done.event);
  await eventually("it arrives again", async () => (await arrived(merchant)).length === 2);
  await admin(service, "webhook", "update", id, "--types", "all", "--url", "https://b.shop-demo.com/z");
  assert.deepEqual(
    (({ resent, made }) => ({ resent, made }))(await admin(service, "webhook", "replay", id, "--after-sequence", "0")),
    { resent: 1, made: 1 },
  );
  await eventually("both arrive", async () => (await arrived(merchant)).length === 4);
  assert.equal((await admin(service, "webhook", "resend", id, "--object", intent.id)).count, 2);
  const all = await eventually("the object's events arrive", async () => {
    const got = await arrived(merchant);
    return got.length === 6 && got;
  });
  // Both are sent at the same time.
  assert.deepEqual(types(all.slice(4)).sort(), ["payment_intent.canceled", "payment_intent.created"]);
  assert.equal(all.at(-1)!.path, "/z");

  const rolled = await admin(service, "webhook", "roll", id, "--grace", "none");
  const other = await merchant.create();
  await eventually("the new secret signs", async () => {
    const last = (await arrived(merchant)).at(-1)!;
    if (!last.body.includes(other.id)) return false;
    assertSigned(last, rolled.secret);
    return true;
  });
  assert.equal((await admin(service, "webhook", "delete", id)).deleted, true);
  assert.deepEqual((await admin(service, "webhook", "list", merchant.business)).data, []);
  assert.match(await adminRefusal(service, "webhook", "test", id), /no endpoint/);
});

test("§6.1.3 of endpoints added at once to a business five are taken", async () => {
  const merchant = await newMerchant(service);
  const add = (run: typeof admin, count: number) =>
    run(service, "webhook", "add", merchant.business, "--url", `https://a.shop-demo.com/${count}`);
  for (let count = 0; count < 4; count++) await add(admin, count);
  const added = await Promise.allSettled([4, 5, 6].map((count) => add(adminApart, count)));
  assert.equal(added.filter((one) => one.status === "fulfilled").length, 1);
  const [{ id }] = (await admin(service, "webhook", "list", merchant.business)).data;
  await admin(service, "webhook", "disable", id);
  assert.match(
    await adminRefusal(service, "webhook", "add", merchant.business, "--url", "https://a.shop-demo.com/"),
    /has 5 test endpoints/,
    "a disabled one counts",
  );
  await admin(service, "webhook", "delete", id);
  await admin(service, "webhook", "add", merchant.business, "--url", "https://a.shop-demo.com/");
});

test("§6.1 the admin CLI refuses wrong endpoints in a sentence", async () => {
  const { business } = await newMerchant(service);
  const refused = (...words: string[]) => adminRefusal(service, "webhook", ...words);
  assert.match(await refused("add", business, "--url", "https://203.0.113.7:443/"), /IP address/);
  assert.match(await refused("add", business, "--url", "http://shop.com/"), /https/);
  assert.match(await refused("add", business), /Specify --url: webhook add <business id> --url <https/);
  assert.match(await refused("add", business, "--url", URL_OF_SHOP, "--types", "webhook.test"), /no event type/);
  assert.match(await refused("add", "biz_unknown", "--url", URL_OF_SHOP), /no business/);
  assert.match(await refused("add", business, "--url", URL_OF_SHOP, "--environment", "live"), /No chain is configured/);
});

test("§6.4 a failed delivery shows its reason and next attempt; a resend that succeeds ends it", async () => {
  const merchant = await newMerchant(service);
  const { id } = await admin(service, "webhook", "add", merchant.business, "--url", URL_OF_SHOP);
  answer = (_request, response) => void response.writeHead(301, { location: "https://169.254.169.254/" }).end();
  await merchant.create();
  const failed = await eventually("the failure shows", async () => {
    const [one] = (await admin(service, "webhook", "deliveries", id)).data;
    return one.attempts === 1 && one;
  });
  assert.equal(failed.attemptLog[0].error, "answered 301; redirects are not followed");
  const wait = Date.parse(failed.dueAt) - Date.parse(failed.attemptLog[0].startedAt) - failed.attemptLog[0].durationMs;
  assert.ok(Math.abs(wait - 60_000) <= 2, `due a minute after the failure, not ${wait} ms`);
  answer = (_request, response) => void response.writeHead(204).end();
  await admin(service, "webhook", "resend", id, "--event", failed.event);
  await eventually("it has succeeded", async () => {
    const [one] = (await admin(service, "webhook", "deliveries", id)).data;
    return one.status === "succeeded" && one.dueAt === null;
  });
});

test("§6.1.7 names that lead to loopback are refused where a live chain is set", async () => {
  const { status, stderr } = spawnSync(process.execPath, ["server/main.ts"], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      LIVE_CHAIN: JSON.stringify({
        rpcUrls: "http://127.0.0.1:1",
        programId: service.programId,
        operator: service.operator,
      }),
      WEBHOOK_DEV_HOSTS: '{"a.shop-demo.com":"127.0.0.1:1"}',
      WEBHOOK_CA_FILE: join(folder, "ca.pem"),
    },
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /WEBHOOK_DEV_HOSTS is for development and tests[\s\S]*WEBHOOK_CA_FILE/);
});
