// A stock Medusa with the plugin, as its buyers, its staff and its warehouse reach it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { newSecret, type ShopOrder } from "@holdfast/testing";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { type PlayedShop, type ShopOptions, shownState, totalIn } from "../../../tools/shops/play.ts";
import { awaitAnswer, awaitValue, killGroup } from "../../../tools/shops/processes.ts";
import { MEDUSA, QUIET, SHOP } from "./install.ts";

const run = promisify(execFile);
const COMMAND_MS_MAX = 300_000;
const CALL_MS_MAX = 60_000;
const PAGE_ORDERS = 100;
const STAFF = { email: "owner@shop.example", password: "of a throw-away shop" };
const PAYMENT_FIELDS = "*payment_collections.payments,*payment_collections.payments.refunds";

// biome-ignore lint/suspicious/noExplicitAny: answers of Medusa, whose types are not installed here.
type Wire = any;

/** Makes the tables of an empty database, fills the shop, and starts it. */
export async function startMedusa({ holdfast, amounts }: ShopOptions): Promise<PlayedShop> {
  const database = await createDatabase();
  const [port, secrets] = [await findFreePorts(1), [newSecret(), newSecret()] as const];
  const url = `http://localhost:${port}`;
  const facts = join(SHOP, "facts.json");
  const env = {
    ...{ ...process.env, ...QUIET, DATABASE_URL: database.url, SHOP_URL: url, SHOP_FACTS: facts, PORT: String(port) },
    ...{ HOLDFAST_API_URL: holdfast.apiUrl, HOLDFAST_API_KEY: holdfast.apiKey },
    ...{ HOLDFAST_WEBHOOK_SECRET: secrets.join(" ") },
  };
  const medusaWith = (more: object, ...words: string[]) =>
    run(process.execPath, [MEDUSA, ...words], {
      ...{ cwd: SHOP, env: { ...env, ...more }, timeout: COMMAND_MS_MAX, maxBuffer: 50_000_000 },
    });
  const medusa = (...words: string[]) => medusaWith({}, ...words);
  await medusa("db:migrate");
  await medusa("exec", "./seed.js");
  await medusaWith({ HOLDFAST_API_URL: `http://127.0.0.1:${await findFreePorts(1)}/api/v1` }, "exec", "./orders.js");
  await medusa("user", "-e", STAFF.email, "-p", STAFF.password);
  const token = { mint: holdfast.asset, amounts };
  const shop = new RunningShop(url, secrets, env, database, {
    ...JSON.parse(await readFile(facts, "utf8")),
    token,
  });
  await shop.start();
  await shop.signIn();
  await shop.saveRecipient(holdfast.recipient);
  return shop;
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

class RunningShop implements PlayedShop {
  readonly name = "medusa";
  readonly url: string;
  readonly secret: string;
  readonly oldSecret: string;
  readonly webhookUrl: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #database: AsyncDisposable;
  readonly #facts: Wire;
  #child: ChildProcess | null = null;
  #token = "";
  #intent = "";

  constructor(
    url: string,
    secrets: readonly [string, string],
    env: NodeJS.ProcessEnv,
    database: AsyncDisposable,
    facts: Wire,
  ) {
    [this.url, this.webhookUrl] = [url, `${url}/holdfast/hooks`];
    [this.secret, this.oldSecret] = secrets;
    [this.#env, this.#database, this.#facts] = [env, database, facts];
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [MEDUSA, "start"], {
      ...{ cwd: SHOP, env: this.#env, detached: true },
      stdio: ["ignore", process.env.SHOP_LOG === "on" ? "inherit" : "ignore", "inherit"],
    });
    await awaitAnswer(this.#child, `${this.url}/health`);
  }

  restart = async (): Promise<void> => {
    await killGroup(this.#child);
    await this.start();
  };

  [Symbol.asyncDispose] = async (): Promise<void> => {
    await killGroup(this.#child);
    await this.#database[Symbol.asyncDispose]();
  };

  returnUrl = (reference: string): string => `${this.url}/holdfast/orders/${reference}/pay`;

  async signIn(): Promise<void> {
    const { token } = await this.#ok("POST", "/auth/user/emailpass", STAFF);
    this.#token = token;
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; json: Wire; location: string | null }> {
    const answer = await fetch(`${this.url}${path}`, {
      ...{ method, redirect: "manual", signal: AbortSignal.timeout(CALL_MS_MAX) },
      headers: {
        "Content-Type": "application/json",
        ...(path.startsWith("/store") ? { "x-publishable-api-key": this.#facts.publishableKey } : {}),
        ...(path.startsWith("/admin") ? { Authorization: `Bearer ${this.#token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, json: isJson ? JSON.parse(text) : text, location: answer.headers.get("location") };
  }

  async #ok(method: string, path: string, body?: object): Promise<Wire> {
    const { status, json } = await this.#ask(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  saveRecipient = (recipient: string): Promise<Wire> => {
    const settings = { recipient, protection_period: "sevenDays", tokens: { usd: this.#facts.token } };
    return this.post("/admin/holdfast/settings", settings);
  };

  setRecipient = async (recipient: string, isRight: boolean): Promise<void> => {
    const { pays, problems } = await this.saveRecipient(recipient);
    const isTold = isRight
      ? /^For 1\.00 USD a buyer pays 1 USDC to /.test(pays)
      : /^Nobody can pay in USD\. recipient: /.test(problems);
    if (!isTold) throw new Error(`Saved ${recipient}: ${pays} ${problems}`);
  };

  post = (path: string, body: object): Promise<Wire> => this.#ok("POST", path, body);

  /** A buyer who writes into the cart and its session what only the plugin should. */
  order = async (): Promise<{ reference: string; intent: string }> => {
    const { region, variant, option, provider } = this.#facts;
    const address = { first_name: "Ada", last_name: "B", address_1: "2 Elm St", city: "Boston", country_code: "us" };
    const { cart } = await this.post("/store/carts", {
      ...{ region_id: region, email: `${randomUUID()}@buyer.example`, items: [{ variant_id: variant, quantity: 1 }] },
      metadata: { gift: true, holdfast: { progress: "protected", mayShip: true, owed: [] } },
      shipping_address: { ...address, postal_code: "02101" },
    });
    await this.post(`/store/carts/${cart.id}/shipping-methods`, { option_id: option });
    const { payment_collection } = await this.post("/store/payment-collections", { cart_id: cart.id });
    // The intent of the order before, which may be paid.
    const data = { intent: this.#intent, code: "0".repeat(64), total: "1", refunded: "-1" };
    await this.post(`/store/payment-collections/${payment_collection.id}/payment-sessions`, {
      ...{ provider_id: provider, data },
    });
    const { order, error } = await this.post(`/store/carts/${cart.id}/complete`, {});
    if (order === undefined) throw new Error(`No order: ${JSON.stringify(error)}`);
    const { metadata } = await this.#read(order.id);
    if (JSON.stringify(metadata) !== '{"gift":true}') throw new Error(JSON.stringify(metadata));
    this.#intent = (await this.payAgain(order.id))!;
    return { reference: order.id, intent: this.#intent };
  };

  payAgain = async (reference: string): Promise<string | null> => {
    const { status, location, json } = await this.#ask("GET", `/holdfast/orders/${reference}/pay`);
    if (status === 303) return location!.split("/").at(-1)!;
    if (status === 409) return null;
    throw new Error(`No checkout of ${reference}: ${status} ${JSON.stringify(json)}`);
  };

  comeBack = async (reference: string): Promise<void> =>
    void (await this.#ok("GET", `/store/holdfast/orders/${reference}`));

  giveUp = async (reference: string): Promise<boolean> =>
    (await this.#ask("POST", `/admin/orders/${reference}/cancel`)).status < 300;

  /** The shop refuses, and says which total waits for the wallet. */
  askRefund = async (reference: string, part: "half" | "all"): Promise<string> => {
    const read = async (): Promise<Wire> => paymentOf(await this.#read(reference));
    const payment = await awaitValue(read, `${reference} was paid, and the shop did not enter that.`);
    const amount = part === "all" ? payment.amount : payment.amount / 2;
    const { status, json } = await this.#ask("POST", `/admin/payments/${payment.id}/refund`, { amount });
    const total = totalIn(json.message);
    if (status !== 400 || total === undefined)
      throw new Error(`A refund was answered ${status} ${JSON.stringify(json)}`);
    return total;
  };

  async #read(reference: string): Promise<Wire> {
    const fields = `id,status,total,metadata,*items,*fulfillments,${PAYMENT_FIELDS}`;
    return (await this.#ok("GET", `/admin/orders/${reference}?fields=${fields}`)).order;
  }

  effects = async (reference: string): Promise<{ isEntered: boolean; refunded: number; refundTotal: string }> => {
    const order = await this.#read(reference);
    const { state } = await this.show(reference);
    const refundTotal = order.metadata?.holdfast?.refundTotal ?? "0";
    return { isEntered: paymentOf(order) !== undefined, refunded: state === "refunded" ? 1 : 0, refundTotal };
  };

  shipAll = async (): Promise<void> => {
    for (let offset = 0; ; offset += PAGE_ORDERS) {
      const fields = `id,status,metadata,*items,*fulfillments,${PAYMENT_FIELDS}`;
      const page = `limit=${PAGE_ORDERS}&offset=${offset}&order=created_at`;
      const { orders } = await this.#ok("GET", `/admin/orders?fields=${fields}&${page}`);
      for (const { id, status, metadata, items, fulfillments, ...order } of orders)
        if (paymentOf(order) && metadata?.holdfast?.mayShip && fulfillments.length === 0 && status !== "canceled")
          await this.post(`/admin/orders/${id}/fulfillments`, {
            items: items.map((item: Wire) => ({ id: item.id, quantity: item.quantity })),
            location_id: this.#facts.location,
          });
      if (orders.length < PAGE_ORDERS) return;
    }
  };

  show = async (reference: string): Promise<ShopOrder> => {
    const order = await this.#read(reference);
    const payment = paymentOf(order);
    const total = minor(payment?.amount ?? order.total);
    const back = (payment?.refunds ?? []).reduce((sum: number, one: Wire) => sum + one.amount, 0);
    const progress = order.metadata?.holdfast?.progress ?? "open";
    const books = { isCanceled: order.status === "canceled", isPaid: payment !== undefined };
    return {
      state: shownState(progress, { ...books, isRefunded: minor(back) === total }),
      shipments: order.fulfillments.filter((one: Wire) => one.canceled_at === null).length,
      ...{ total, refunded: minor(back) },
    };
  };
}

const paymentOf = (order: Wire): Wire => order.payment_collections?.flatMap((one: Wire) => one.payments ?? [])[0];
const minor = (amount: number): string => Math.round(amount * 100).toString();
