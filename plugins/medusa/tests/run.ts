// Plays a shop's trade against a stock Medusa with the plugin, and the handler kit after it.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { conform, createInstance, describeReport, type TestInstance, trade } from "@holdfast/testing";
import { adminApart } from "../../../tests/harness/admin.ts";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { installShop } from "./install.ts";
import { type ShopOptions, startMedusa } from "./medusaShop.ts";

export interface RunOptions {
  readonly orders: number;
  readonly days: number;
  readonly seed: number;
  /** Leaves out the handler kit. */
  readonly isTradeOnly: boolean;
}

/** Returns false if something is wrong. */
export async function runMedusa(root: string, options: RunOptions): Promise<boolean> {
  await installShop();
  const isTraded = await tradeInMedusa(root, options);
  return (options.isTradeOnly || (await conformMedusa())) && isTraded;
}

async function tradeInMedusa(root: string, { orders, days, seed }: RunOptions): Promise<boolean> {
  await using database = await createDatabase();
  await using instance = await createInstance({ dir: root, env: SETTINGS });
  const holdfast = { ...instance, apiKey: await issueKey(instance) };
  await using shop = await startMedusa({ databaseUrl: database.url, holdfast: termsOf(holdfast), amounts: "price" });
  const onDay = (day: number, soFar: number) => console.log(`day ${day}: ${soFar} orders`);
  const report = await trade({ shop, holdfast, orders, days, seed, onDay });
  const { wrong, ...figures } = report;
  console.log(JSON.stringify(figures, null, 2));
  for (const one of wrong) console.log(`✖ ${one}`);
  console.log(`${wrong.length === 0 ? "✔" : "✖"} medusa: ${orders} orders, ${wrong.length} wrong`);
  return wrong.length === 0;
}

/** An empty database by TCP: Medusa's drivers do not take the socket's folder of a URL. */
async function createDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const database = await createEmptyDatabase();
  const { searchParams, port, username, pathname } = new URL(database.url);
  const path = join(searchParams.get("host")!, `.s.PGSQL.${port}`);
  const server = createServer((client) => {
    const upstream = connect(path);
    // Either side ends when the shop is killed.
    pipeline(client, upstream, client, () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}?sslmode=disable`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await database.drop();
    },
  };
}

/** Weeks of trade in minutes take more requests than a key has by default. */
async function issueKey(instance: TestInstance): Promise<string> {
  const me = await fetch(`${instance.apiUrl}/me`, { headers: { Authorization: `Bearer ${instance.apiKey}` } });
  const { id } = (await me.json()) as { readonly id: string };
  return (await adminApart(instance, "key", "add", id, "--rate", RATE)).secret;
}
const RATE = "6000";

/** USDC stands for the dollar, and the chain's slots are short. */
const SETTINGS = {
  ASSET_PARS:
    '{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v":{"currency":"USD","at":"2026-11-01","until":"2027-10-31"}}',
  LOCAL_CHAIN: '{"slotMs":40,"finalizedSlots":8}',
};

const termsOf = ({ apiUrl, apiKey, recipient, asset }: TestInstance): ShopOptions["holdfast"] => ({
  ...{ apiUrl, apiKey, recipient, asset },
});

async function conformMedusa(): Promise<boolean> {
  await using database = await createDatabase();
  const apiPort = await findFreePorts(1);
  const holdfast = {
    ...{ apiUrl: `http://127.0.0.1:${apiPort}`, apiKey: "sk_test_conform" },
    ...{
      recipient: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP",
      asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    },
  };
  await using shop = await startMedusa({ databaseUrl: database.url, holdfast, amounts: "amount" });
  const report = await conform({
    ...{ url: shop.webhookUrl, secrets: [shop.secret, shop.oldSecret], apiPort, restart: shop.restart },
    createOrder: async () => (await shop.order()).reference,
    probe: async (reference) => {
      const { isEntered, refunded, refundTotal } = await shop.effects(reference);
      return { fulfilled: isEntered ? 1 : 0, refunded, refundedAmount: refundTotal };
    },
    returnUrl: (reference) => `${shop.url}/holdfast/orders/${reference}/pay`,
    effectMsMax: 15_000,
  });
  console.log(describeReport(report));
  return report.passed;
}
