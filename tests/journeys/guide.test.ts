import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createAuthority } from "../harness/certificates.ts";
import { act, newBuyer, pay, whilePaused } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import { PROJECT_ROOT, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const HOST = "hooks.shop-demo.com";
const { ca, issue } = createAuthority();

let service: Service;
let shop: Merchant;
let folder: string;
let port: number;
let receiver: ChildProcess;
let written = "";

before(async () => {
  service = await startService();
  shop = await newMerchant(service);
  folder = await mkdtemp(join(tmpdir(), "receiver-"));
  port = await findFreePorts(1);
  const guide = await readFile(join(PROJECT_ROOT, "docs/how-to/receive-webhooks.md"), "utf8");
  const code = guide.match(/```js\n(\/\/ receiver\.mjs\n[\s\S]*?)```/)![1]!;
  const { key, cert } = issue([HOST]);
  await writeFile(join(folder, "receiver.mjs"), code.replace("8443", String(port)));
  await writeFile(join(folder, "key.pem"), key);
  await writeFile(join(folder, "cert.pem"), cert);
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, API: service.apiUrl, KEY: shop.key };
  receiver = spawn(process.execPath, ["receiver.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  receiver.stdout!.on("data", (chunk) => {
    written += chunk;
  });
});
after(async () => {
  if (receiver?.exitCode === null) {
    receiver.kill();
    await once(receiver, "exit");
  }
  await rm(folder, { recursive: true, force: true });
  await service?.remove();
});

/** Sends an event as a delivery would, signed. */
async function deliver(event: Wire, secret = SECRET): Promise<number | undefined> {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const mac = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const headers = { "Content-Type": "application/json", "Service-Signature": `t=${time},v1=${mac}` };
  return new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", port, ca, servername: HOST, method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => done(answer.statusCode));
    });
    sent.on("error", fail).end(body);
  });
}

/** What the receiver has decided to fulfil. */
const orders = () => readdir(join(folder, "orders")).catch(() => []);

test("§6.5.7 the guide's receiver fulfils an order once, and none that is disputed or on its way back", async () => {
  const [shipped, disputed, refunded] = [await shop.create(), await shop.create(), await shop.create()];
  await pay(service, shipped);
  await awaitPaid(shop, shipped.id);
  const [, , paid] = await expectEvents(shop, shipped.id, [
    "payment_intent.created",
    "payment.protected",
    "payment_intent.paid",
  ]);
  await eventually("the receiver answers", () =>
    deliver(paid).then(
      (status) => status === 204,
      () => false,
    ),
  );
  assert.equal(await deliver(paid), 204, "the same event again");
  assert.deepEqual(await orders(), [shipped.id]);
  assert.equal(await deliver(paid, `${SECRET}x`), 400, "another secret");

  // The service finds each payment only when it has gone on.
  await whilePaused(service, async () => {
    for (const [intent, who, action] of [
      [disputed, "buyer-1", "dispute"],
      [refunded, "recipient", "refund"],
    ] as const) {
      const { payment } = await pay(service, intent);
      await act(service, service.wallets[who], action, payment);
    }
  });
  for (const [intent, status, next] of [
    [disputed, "disputed", "payment.disputed"],
    [refunded, "refunded", "payment.refunded"],
  ] as const) {
    const { payment } = await awaitPaid(shop, intent.id);
    await awaitPayment(shop, payment.id, status);
    const events = await expectEvents(shop, intent.id, [
      "payment_intent.created",
      "payment.protected",
      "payment_intent.paid",
      next,
    ]);
    assert.equal(events[2].data.object.payment.status, "protected", "the event says so of its moment");
    for (const event of events) assert.equal(await deliver(event), 204);
  }
  assert.deepEqual(await orders(), [shipped.id]);
  assert.match(written, new RegExp(`^refunded ${refunded.merchantReference}$`, "m"));
});

test("§6.5.7 the guide's receiver takes nothing back of an order whose duplicate is refunded", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const { payment } = await pay(service, intent, { buyer: await newBuyer(service) });
  await eventually("the duplicate is recorded", async () => (await shop.get(`/payments/${payment}`)).status === 200);
  await act(service, service.wallets.recipient, "refund", payment);
  await awaitPayment(shop, payment, "refunded");
  const { data } = (await shop.get(`/events?payment=${payment}&type=payment.refunded`)).json;
  assert.equal(data[0].data.object.role, "duplicate");
  assert.equal(data[0].data.object.merchantReference, intent.merchantReference);
  assert.equal(await deliver(data[0]), 204);
  assert.match(written, new RegExp(`payment.refunded ${payment}$`, "m"));
  assert.doesNotMatch(written, new RegExp(`^refunded ${intent.merchantReference}$`, "m"));
});
