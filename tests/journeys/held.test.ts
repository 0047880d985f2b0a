import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { createAuthority } from "../harness/certificates.ts";
import { advance, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, listEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type MailServer, startMailServer } from "../harness/mailServer.ts";
import { type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";

const HOST = "hooks.shop-demo.com";
const HOUR_SECONDS = 3_600;

let folder: string;
let receiver: Receiver;
let mail: MailServer;
let service: Service;
let shop: Merchant;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-held-"));
  const authority = createAuthority();
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  receiver = await startReceiver(authority.issue([HOST]));
  mail = await startMailServer("127.0.0.1");
  const env = {
    HOLD: "webhooks,keeper",
    SMTP_URL: mail.url,
    MAIL_FROM: "no-reply@shop.example",
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
    WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOST]: `127.0.0.1:${receiver.port}` }),
  };
  service = await startService({ env });
  shop = await newMerchant(service);
});
after(async () => {
  await service?.remove();
  await receiver?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const figures = async (): Promise<string[]> =>
  (await exchange("GET", `${service.checkoutUrl}/metrics`)).text.split("\n").filter((line) => !line.startsWith("#"));
const linesWith = (words: string): string[] =>
  service
    .errors()
    .split("\n")
    .filter((line) => line.includes(words));

/** Signs in from two browsers, of which the second is news to the user. */
async function signInTwice(): Promise<string> {
  const ready = JSON.parse(readFileSync(join(service.dataDir, "ready.json"), "utf8"));
  const { origin } = new URL(ready.dashboardUrl);
  for (let count = 0; count < 2; count++) {
    const browser = new Browser(`http://localhost:${service.port}`, origin);
    assert.equal((await browser.post("/sign-in", ready.dashboardLogin)).status, 200);
  }
  return ready.dashboardLogin.email;
}

test("HOLD keeps a process from sending and from paying out, and nothing is lost by it", async () => {
  assert.equal(linesWith("warn HOLD is set: webhooks and keeper do nothing in this process.").length, 1);
  await admin(service, "webhook", "add", shop.business, "--url", `https://${HOST}/`);
  const user = await signInTwice();
  const intent = await shop.create({ protectionPeriod: "oneHour" });
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await advance(service, HOUR_SECONDS + 60);
  const announced = () => listEvents(shop, intent.id);
  // All the rest goes on: the payment is announced as due.
  await eventually("it is due", async () =>
    (await announced()).some(({ type }: Wire) => type === "payment.settleable"),
  );
  const held = await figures();
  assert.ok(held.includes('holdfast_held{part="webhooks"} 1') && held.includes('holdfast_held{part="keeper"} 1'));
  assert.ok(held.includes("holdfast_webhook_attempts_waiting 4"), "created, protected, paid, settleable");
  assert.ok(!held.some((line) => line.includes('loop="test keeper"')), "no keeper runs");
  assert.equal(receiver.received.length, 0);
  assert.deepEqual(mail.lines, []);
  assert.equal((await shop.payment(payment.id)).status, "protected");

  await service.end("SIGTERM");
  service = await service.restart({ HOLD: "" });
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
  assert.equal(linesWith("HOLD is set").length, 0);
  await awaitPayment(shop, payment.id, "released");
  await eventually("every event has arrived", async () => {
    const arrived = new Set(receiver.received.map(({ headers }) => headers["service-event-id"]));
    const events = await announced();
    return events.length === 5 && events.every(({ id }: Wire) => arrived.has(id));
  });
  await eventually("the email has arrived", () => mail.lines.includes(`RCPT TO:<${user}>`));
});

test("what somebody does at the command line is a line of the log, without options and secrets; a look is none", async () => {
  const { secret } = await admin(service, "key", "add", shop.business, "--environment", "test", "--rate", "77");
  await admin(service, "key", "list", shop.business);
  await admin(service, "business", "rename", shop.business, "Another name");
  const acts = await eventually("both acts are logged", () => {
    const lines = linesWith(" at the command line: ").filter((line) => line.includes(shop.business));
    return lines.length >= 2 && lines;
  });
  assert.equal(acts.length, 2, acts.join("\n"));
  assert.match(acts[0]!, /^\S+ info \S.* at the command line: key add biz_[0-9a-f]{32}$/);
  assert.match(acts[1]!, / at the command line: business rename biz_[0-9a-f]{32}/);
  assert.ok(typeof secret === "string" && !service.errors().includes(secret));
});
