import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { conform, describeReport, newSecret, signedHeaders } from "@holdfast/testing";
import { act, pay } from "../../../tests/harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../../../tests/harness/merchant.ts";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { type RunningService, sharedService } from "../../../tests/harness/service.ts";
import { eventually, HUNG_MS } from "../../../tests/harness/wait.ts";

const SHOP = fileURLToPath(new URL("../shop.mjs", import.meta.url));
const SECRET = newSecret();

let service: RunningService;
let merchant: Merchant;
let folder: string;
let url: string;
let running: ChildProcess | null = null;
before(async () => {
  service = await sharedService();
  merchant = await newMerchant(service);
  folder = await mkdtemp(join(tmpdir(), "holdfast-shop-"));
  await start();
});
after(async () => {
  await stop();
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}, given?: number): Promise<void> {
  const port = given ?? (await findFreePorts(1));
  url = `http://127.0.0.1:${port}`;
  running = spawn(process.execPath, [SHOP], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{ HOLDFAST_API_URL: service.apiUrl, HOLDFAST_API_KEY: merchant.key, HOLDFAST_WEBHOOK_SECRET: SECRET },
      ...{
        RECIPIENT: service.recipient,
        ASSET: service.asset,
        PORT: String(port),
        SHOP_FILE: join(folder, "shop.json"),
        ENVIRONMENT: "test",
      },
      ...env,
    },
  });
  await once(running.stdout!, "data");
}

async function stop(): Promise<void> {
  if (running === null || running.exitCode !== null) return;
  const ended = once(running, "exit");
  running.kill("SIGKILL");
  await ended;
}

const ask = async (method: string, path: string, body?: string): Promise<Wire> => {
  const answer = await fetch(`${url}${path}`, { method, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, ...((await answer.json()) as object) };
};
const orderOf = ({ merchantReference }: Wire): Promise<Wire> => ask("GET", `/orders/${merchantReference}`);

async function buy(cart: readonly string[]): Promise<Wire> {
  const { checkoutUrl } = await ask("POST", "/orders", JSON.stringify(cart));
  return merchant.intent(checkoutUrl.split("/").at(-1));
}

/** Delivers an event of the API as the service does. */
const deliver = (event: Wire, secret = SECRET) => {
  const body = JSON.stringify(event);
  return fetch(`${url}/hooks`, { method: "POST", headers: signedHeaders(event, body, secret), body });
};

test("a cart becomes a payment, ships once however its events come, and a duplicate is refunded", async () => {
  const intent = await buy(["yirgacheffe", "huila"]);
  assert.deepEqual([intent.amount, intent.description], ["23500000", "Yirgacheffe, Huila"]);
  const again = await ask("GET", `/orders/${intent.merchantReference}/pay`);
  assert.equal(again.checkoutUrl, intent.checkoutUrl);
  await pay(service, intent);
  await eventually("it ships", async () => (await orderOf(intent)).state === "shipped");
  const { data } = (await merchant.get(`/events?intent=${intent.id}&type=payment_intent.paid`)).json;
  const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(data[0])));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
  assert.equal((await deliver(data[0], newSecret())).status, 400);
  const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  const draft = await eventually("the refund is due", async () => {
    const found = await ask("GET", `/orders/${intent.merchantReference}/refund`);
    return found.status === 200 ? found : null;
  });
  assert.deepEqual([draft.payment, draft.signer], [second.payment, service.recipient]);
  await act(service, service.wallets.recipient, "refund", second.payment);
  await eventually("it is refunded", async () => (await orderOf(intent)).refunds[second.payment] === "refunded");
  const { state, shipments } = await orderOf(intent);
  assert.deepEqual([state, shipments], ["shipped", 1]);
});

test("an order that is paid while the shop is down ships once it is back; nothing else is sold", async () => {
  const ended = await buy(["huila"]);
  await merchant.cancel(ended.id);
  const { checkoutUrl } = await ask("GET", `/orders/${ended.merchantReference}/pay`);
  assert.notEqual(checkoutUrl, ended.checkoutUrl, "an order whose intent has ended gets another one");
  const intent = await merchant.intent(checkoutUrl.split("/").at(-1));
  assert.equal(intent.merchantReference, ended.merchantReference);
  await stop();
  await pay(service, intent);
  await start();
  await eventually("it ships", async () => (await orderOf(intent)).state === "shipped");
  for (const cart of ["[]", '["tea"]', '["__proto__"]', "{}"])
    assert.equal((await ask("POST", "/orders", cart)).status, 400);
  assert.equal((await ask("GET", "/orders/__proto__")).status, 404);
});

test("the handler kit finds nothing in the shop, which makes its orders and reads their intents at the kit's own API", async () => {
  await stop();
  const [apiPort, port] = [await findFreePorts(1), await findFreePorts(1)];
  const env = { HOLDFAST_API_URL: `http://127.0.0.1:${apiPort}`, SHOP_FILE: join(folder, "tried.json") };
  const patience = { effectMsMax: HUNG_MS };
  const tried = { url: `http://127.0.0.1:${port}/hooks`, secrets: [SECRET], apiPort, ...patience };
  let started: Promise<void> | null = null;
  const report = await conform({
    ...tried,
    createOrder: async () => {
      // The shop asks for its token when it starts.
      started ??= start(env, port);
      await started;
      return (await ask("POST", "/orders", '["huila"]')).reference;
    },
    probe: async (reference) => {
      const { shipments = 0, state } = await ask("GET", `/orders/${reference}`);
      return { fulfilled: shipments, refunded: state === "refunded" ? 1 : 0 };
    },
  });
  assert.deepEqual(
    report.checks.filter(({ verdict }) => verdict === "fail" || verdict === "note").map(({ name }) => name),
    [],
    describeReport(report),
  );
});
