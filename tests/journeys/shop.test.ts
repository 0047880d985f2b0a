import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { createAuthority } from "../harness/certificates.ts";
import { act, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import { PROJECT_ROOT, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

// The shop of docs/how-to/integrate-a-shop.md, as it stands there, in front of a real service.
const HOST = "hooks.shop-demo.com";
const guide = readFileSync(join(PROJECT_ROOT, "docs/how-to/integrate-a-shop.md"), "utf8");
const code = /^```js\n(\/\/ shop\.mjs\n.*?)^```$/ms.exec(guide)?.[1];

let service: Service;
let merchant: Merchant;
let folder: string;
let tlsPort: number;
let port: number;
let running: ChildProcess | null = null;

before(async () => {
  assert.ok(code !== undefined, "the guide has a shop");
  folder = mkdtempSync(join(tmpdir(), "holdfast-shop-"));
  const authority = createAuthority();
  const { key, cert } = authority.issue([HOST]);
  for (const [name, text] of Object.entries({
    "shop.mjs": code,
    "key.pem": key,
    "cert.pem": cert,
    "ca.pem": authority.ca,
  }))
    writeFileSync(join(folder, name), text);
  port = await findFreePorts(2);
  tlsPort = port + 1;
  const hosts = JSON.stringify({ [HOST]: `127.0.0.1:${tlsPort}` });
  service = await startService({ env: { WEBHOOK_DEV_HOSTS: hosts, WEBHOOK_CA_FILE: join(folder, "ca.pem") } });
  merchant = await newMerchant(service);
});
after(async () => {
  await stopShop();
  await service?.remove();
  rmSync(folder, { recursive: true });
});

/** Starts the shop as its guide does, and waits until it listens. */
async function startShop(env: Readonly<Record<string, string>> = {}): Promise<void> {
  running = spawn(process.execPath, [join(folder, "shop.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      API: service.apiUrl,
      KEY: merchant.key,
      RECIPIENT: service.recipient,
      ASSET: service.asset,
      ENVIRONMENT: "test",
      PORT: String(port),
      TLS_PORT: String(tlsPort),
      ...env,
    },
  });
  const ended = once(running, "exit").then(([status]) => assert.fail(`the shop ended with ${status}`));
  await Promise.race([once(running.stdout!, "data"), ended]);
  ended.catch(() => undefined); // later it may end
}

async function stopShop(): Promise<void> {
  if (running === null) return;
  const ended = once(running, "exit");
  running.kill();
  await ended;
  running = null;
}

const ask = (method: string, path: string) => exchange(method, `http://localhost:${port}${path}`);
const orderOf = async ({ merchantReference }: Wire): Promise<Wire> =>
  (await ask("GET", `/orders/${merchantReference}`)).json;
const todoOf = async (intent: Wire): Promise<string[]> => Object.values((await orderOf(intent)).todo);
const state = (intent: Wire, wanted: string) =>
  eventually(`the order is ${wanted}`, async () => (await orderOf(intent)).state === wanted);
const todo = (intent: Wire, wanted: RegExp) =>
  eventually(`there is ${wanted} to do`, async () => (await todoOf(intent)).some((words) => wanted.test(words)));

/** Presses the button as a buyer, who is led to the checkout. */
async function buy(): Promise<Wire> {
  const ordered = await ask("POST", "/orders");
  assert.equal(ordered.status, 303);
  const led = await ask("GET", ordered.headers.location!);
  const again = await ask("GET", ordered.headers.location!);
  assert.deepEqual([led.status, again.headers.location], [303, led.headers.location], "a page loaded again asks once");
  return merchant.intent(led.headers.location!.split("/").at(-1)!);
}

test("§6.5.7 the guide's shop ships once, and knows late, second, wrong, disputed and refunded payments", async () => {
  await startShop();
  const intent = await buy();
  await pay(service, intent);
  await state(intent, "shipped");
  const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  await todo(intent, /paid twice/);
  await act(service, service.wallets.recipient, "refund", second.payment);
  await eventually("nothing is left to do", async () => (await todoOf(intent)).length === 0);
  assert.equal((await orderOf(intent)).state, "shipped", "the refund was the duplicate's");
  await act(service, service.wallets["buyer-1"], "dispute", (await merchant.intent(intent.id)).payment.id);
  await todo(intent, /disputed/);
  await act(service, service.wallets.recipient, "refund", (await merchant.intent(intent.id)).payment.id);
  await state(intent, "refunded");

  const [wrong, canceled] = [await buy(), await buy()];
  await pay(service, wrong, { amount: "1" });
  await todo(wrong, /other terms/);
  assert.equal((await orderOf(wrong)).state, "open");
  await merchant.cancel(canceled.id);
  const { headers } = await ask("GET", `/orders/${canceled.merchantReference}/pay`);
  assert.notEqual(headers.location, canceled.checkoutUrl, "an order whose intent has ended gets another one");
  await pay(service, canceled);
  await todo(canceled, /late/);
  assert.equal((await orderOf(canceled)).state, "open");
});

test("§4.10 what happened while the guide's shop was down reaches it once it is back, in order", async () => {
  const [paid, returned] = [await buy(), await buy()];
  await stopShop();
  await pay(service, paid);
  const { payment } = await pay(service, returned);
  await awaitPaid(merchant, returned.id);
  await act(service, service.wallets.recipient, "refund", payment);
  await startShop();
  await state(paid, "shipped");
  await state(returned, "refunded");
  await stopShop();
});

test("§6.3 the guide's shop takes webhooks that are signed for it, and no others", async () => {
  const { id, secret } = await admin(service, "webhook", "add", merchant.business, "--url", `https://${HOST}/events`);
  await using api = await apiWithoutEvents();
  await startShop({ HOLDFAST_WEBHOOK_SECRET: secret, API: api.url });
  const intent = await buy();
  await pay(service, intent);
  await state(intent, "shipped");
  await admin(service, "webhook", "test", id);

  const { data } = (await merchant.get(`/events?intent=${intent.id}&limit=1`)).json;
  const forged = { ...data[0], type: "payment.refunded", sequence: "999999" };
  for (const signature of [
    [],
    [["Service-Signature", `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}`]],
  ] as const) {
    const answer = await exchange("POST", `http://localhost:${port}/events`, {
      headers: signature,
      body: JSON.stringify(forged),
    });
    assert.equal(answer.status, 400);
  }
  assert.equal((await orderOf(intent)).state, "shipped");
  assert.ok(api.refused > 0, "it learned of the payment by webhooks alone");
});

/** The API as the shop reaches it while reading events fails. */
async function apiWithoutEvents() {
  let refused = 0;
  const server: Server = createServer(async (request, response) => {
    if (request.url!.startsWith("/events")) {
      refused++;
      return response.writeHead(503).end('{"error":{"code":"unavailable","message":"Not now."}}');
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = ["authorization", "content-type", "idempotency-key"].map(
      (name) => [name, String(request.headers[name])] as const,
    );
    const answer = await exchange(request.method!, `${service.apiUrl}${request.url}`, {
      headers,
      body: Buffer.concat(chunks),
    });
    return response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refused() {
      return refused;
    },
    [Symbol.asyncDispose]: async () => {
      await stopShop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
