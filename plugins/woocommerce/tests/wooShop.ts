// A stock WordPress with WooCommerce and the plugin, as its buyers, its staff and its warehouse reach it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { newSecret, type ShopOrder } from "@holdfast/testing";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { type PlayedShop, type ShopOptions, totalIn } from "../../../tools/shops/play.ts";
import { awaitValue, killGroup } from "../../../tools/shops/processes.ts";
import { Browser, fieldsOf } from "./browser.ts";
import { SHOP } from "./install.ts";

const run = promisify(execFile);
const COMMAND_MS_MAX = 300_000;
const START_MS_MAX = 120_000;
const POLL_MS = 200;
const CATCH_UP_MS = 5_000;
const PAGE_ORDERS = 100;
const WORKERS = "6";
/** Characters of a page that an error names. */
const SAID_MAX = 4_000;
const PHP = ["-d", "sendmail_path=/bin/true", "-d", "memory_limit=512M", "-d", "opcache.enable_cli=1"];
const BILLING = {
  ...{ first_name: "Ada", last_name: "B", address_1: "2 Elm St", city: "Boston", state: "MA" },
  ...{ country: "US", postcode: "02101", phone: "6175550100" },
};

// biome-ignore lint/suspicious/noExplicitAny: answers of WooCommerce, which has no types here.
type Wire = any;
type Page = Readonly<Record<string, string>>;

/** An empty database of a MariaDB of its own. */
async function startDatabase(): Promise<AsyncDisposable & { readonly socket: string }> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-woo-"));
  const socket = join(folder, "s");
  const options = [`--datadir=${join(folder, "data")}`, "--user=root"];
  await mkdir(join(folder, "data"));
  await run("mariadb-install-db", ["--no-defaults", ...options, "--auth-root-authentication-method=normal"], {
    timeout: COMMAND_MS_MAX,
  });
  const server = spawn("mariadbd", ["--no-defaults", ...options, `--socket=${socket}`, "--skip-networking"], {
    stdio: "ignore",
  });
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(POLL_MS)) {
    if (server.exitCode !== null) throw new Error("MariaDB ended at its start.");
    const made = await run("mariadb", [
      ...["--no-defaults", "-u", "root", `--socket=${socket}`],
      ...["-e", "create database shop character set utf8mb4"],
    ]).catch(() => null);
    if (made === null) continue;
    return {
      socket,
      [Symbol.asyncDispose]: async () => {
        const ended = once(server, "exit");
        server.kill("SIGKILL");
        await ended;
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error("MariaDB did not start in time.");
}

/** Makes the tables of an empty database, fills the shop, and starts it. */
export async function startWooCommerce({ holdfast, amounts }: ShopOptions): Promise<PlayedShop> {
  const database = await startDatabase();
  const [port, secrets] = [await findFreePorts(1), [newSecret(), newSecret()] as const];
  const url = `http://localhost:${port}`;
  const settings = {
    ...{ api_url: holdfast.apiUrl, api_key: holdfast.apiKey, webhook_secret: secrets.join(" ") },
    ...{ recipient: holdfast.recipient, token: holdfast.asset, amounts, protection_period: "sevenDays", return: "yes" },
  };
  const env = {
    ...{ ...process.env, SHOP_URL: url, SHOP_SOCKET: database.socket, SHOP_DATABASE: "shop" },
    ...{ SHOP_HOLDFAST: JSON.stringify(settings), PHP_CLI_SERVER_WORKERS: WORKERS },
  };
  const runScript = (...script: string[]) =>
    run("php", [...PHP, ...script], { cwd: SHOP, env, timeout: COMMAND_MS_MAX, maxBuffer: 50_000_000 });
  try {
    await runScript("seed.php", "install");
    await runScript("seed.php", "activate");
    const { stdout } = await runScript("seed.php", "fill");
    await runScript("orders.php");
    const facts = JSON.parse(stdout.slice(stdout.indexOf('{"product"')));
    const { wordpress, woocommerce, tables } = facts;
    console.log(`WordPress ${wordpress}, WooCommerce ${woocommerce}, orders in ${tables ? "tables" : "posts"}`);
    const shop = new RunningShop(url, secrets, env, database, facts);
    await shop.start();
    return shop;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

class RunningShop implements PlayedShop {
  readonly name = "woocommerce";
  readonly url: string;
  readonly secret: string;
  readonly oldSecret: string;
  readonly webhookUrl: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #database: AsyncDisposable;
  readonly #facts: Wire;
  readonly #staff: Readonly<Record<string, string>>;
  readonly #shipped = new Map<string, number>();
  /** Each buyer has a browser of their own. */
  readonly #buyers = new Map<string, { browser: Browser; key: string }>();
  readonly #ending = new AbortController();
  #child: ChildProcess | null = null;
  #feed: Promise<void> | null = null;
  #orders = 0;
  readonly #walkedAway: string[] = [];
  /** The owner's session, and pages of orders that are open there. */
  readonly #owner: Browser;
  #signedIn: Promise<void> | null = null;
  readonly #unpaidPages = new Map<string, Page>();
  readonly #unrefundedPages = new Map<string, Page>();

  constructor(
    url: string,
    secrets: readonly [string, string],
    env: NodeJS.ProcessEnv,
    database: AsyncDisposable,
    facts: Wire,
  ) {
    [this.url, this.webhookUrl] = [url, `${url}/wp-json/holdfast/v1/hooks`];
    [this.secret, this.oldSecret] = secrets;
    [this.#env, this.#database, this.#facts] = [env, database, facts];
    this.#owner = new Browser(url);
    this.#staff = { Authorization: `Basic ${Buffer.from(`owner:${facts.password}`).toString("base64")}` };
  }

  async start(): Promise<void> {
    for (const endsAt = performance.now() + START_MS_MAX; ; await sleep(POLL_MS)) {
      // Workers of a killed one hold the port for a moment longer.
      if (this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null)
        this.#child = this.#spawn();
      if (performance.now() > endsAt) throw new Error("The shop did not start in time.");
      const answer = await fetch(`${this.url}/wp-json/`).catch(() => null);
      if (answer?.ok) break;
    }
    this.#feed ??= this.#runFeed();
  }

  #spawn(): ChildProcess {
    return spawn("php", [...PHP, "-S", new URL(this.url).host, "-t", SHOP], {
      ...{ cwd: SHOP, env: this.#env, detached: true },
      stdio: ["ignore", "ignore", process.env.SHOP_LOG === "on" ? "inherit" : "ignore"],
    });
  }

  /** The shop's cron, more often than every minute. */
  async #runFeed(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await run("php", [...PHP, "catch-up.php", ...this.#walkedAway], {
        cwd: SHOP,
        env: this.#env,
        timeout: COMMAND_MS_MAX,
      }).catch((error: Error) => console.log(`The feed failed: ${error.message}`));
      await sleep(CATCH_UP_MS, null, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  restart = async (): Promise<void> => {
    await killGroup(this.#child);
    await this.start();
  };

  [Symbol.asyncDispose] = async (): Promise<void> => {
    this.#ending.abort();
    await this.#feed;
    await killGroup(this.#child);
    await this.#database[Symbol.asyncDispose]();
  };

  /** Buyers come by the block checkout and by the classic one. */
  order = async (): Promise<{ reference: string; intent: string }> => {
    const browser = new Browser(this.url);
    const email = `${randomUUID()}@buyer.example`;
    const { id, redirect } = await (++this.#orders % 2 === 0
      ? this.#orderByBlocks(browser, email)
      : this.#orderByForm(browser, email));
    const { order_key } = await this.#staffAsk("GET", `/orders/${id}`);
    const reference = `wc-${this.#facts.site}-${id}-${hash("sha256", order_key).slice(0, 8)}`;
    this.#buyers.set(reference, { browser, key: order_key });
    if (Number(id) % 3 === 0) this.#unpaidPages.set(id, await this.#openPage(id));
    return { reference, intent: intentOf(redirect)! };
  };

  async #orderByBlocks(browser: Browser, email: string): Promise<{ id: string; redirect: string }> {
    const store = `/wp-json/wc/store/v1`;
    const { headers } = await browser.ask("GET", `${store}/cart`);
    const token = { "Cart-Token": headers.get("Cart-Token")! };
    await browser.ok("POST", `${store}/cart/add-item`, { id: this.#facts.product, quantity: 1 }, token);
    const billing = { ...BILLING, email };
    const { json } = await browser.ok(
      ...(["POST", `${store}/checkout`] as const),
      { billing_address: billing, shipping_address: BILLING, payment_method: "holdfast", payment_data: [] },
      token,
    );
    return { id: String(json.order_id), redirect: json.payment_result.redirect_url };
  }

  async #orderByForm(browser: Browser, email: string): Promise<{ id: string; redirect: string }> {
    await browser.ask("GET", `/?add-to-cart=${this.#facts.product}`);
    const { text } = await browser.ok("GET", "/classic/");
    const billing = Object.entries({ ...BILLING, email }).map(([name, value]) => [`billing_${name}`, value]);
    const { json } = await browser.ok("POST", "/?wc-ajax=checkout", {
      form: {
        ...Object.fromEntries(billing),
        ...{ payment_method: "holdfast", "woocommerce-process-checkout-nonce": nonceOf(text, "process-checkout")! },
      },
    });
    if (json.result !== "success") throw new Error(`No order: ${JSON.stringify(json)}`);
    return { id: String(json.order_id), redirect: json.redirect };
  }

  payAgain = async (reference: string): Promise<string | null> => {
    const { browser, key } = this.#buyers.get(reference)!;
    const path = `/checkout/order-pay/${idOf(reference)}/?pay_for_order=true&key=${key}`;
    const nonce = nonceOf((await browser.ok("GET", path)).text, "pay");
    if (nonce === null) return null;
    const form = { woocommerce_pay: "1", payment_method: "holdfast", "woocommerce-pay-nonce": nonce };
    const { status, headers } = await browser.ask("POST", path, { form });
    const to = headers.get("Location");
    if (status !== 302 || to === null) throw new Error(`No checkout of ${reference}: ${status}`);
    return intentOf(to);
  };

  returnUrl = (reference: string): string =>
    `${this.url}/checkout/order-received/${idOf(reference)}/?key=${this.#buyers.get(reference)!.key}`;

  comeBack = async (reference: string): Promise<void> => {
    const { browser } = this.#buyers.get(reference)!;
    const { text } = await browser.ok("GET", this.returnUrl(reference).slice(this.url.length));
    if (!/woocommerce-info/.test(text)) throw new Error(`The page of ${reference} says nothing of its payment.`);
  };

  async #staffAsk(method: string, path: string, body?: object): Promise<Wire> {
    return (await new Browser(this.url).ok(method, `/wp-json/wc/v3${path}`, body, this.#staff)).json;
  }

  /** Saves the page of the settings, which says whether a buyer can pay. */
  setRecipient = async (recipient: string, isRight: boolean): Promise<void> => {
    const path = "/wp-admin/admin.php?page=wc-settings&tab=checkout&section=holdfast";
    const text = await this.#openAsOwner(path);
    const named = (name: string) => `woocommerce_holdfast_${name}`;
    const form = {
      ...{ ...fieldsOf(text, "mainform"), save: "Save changes" },
      ...{ [named("recipient")]: recipient, [named("enabled")]: "1", [named("return")]: "1" },
    };
    const saved = (await this.#owner.ok("POST", path, { form })).text;
    const says = isRight
      ? /Saved and tried: for 1\.00 USD a buyer pays 1 USDC to /
      : /nobody can pay by these settings/;
    if (!says.test(saved)) throw new Error(`Saved ${recipient}: ${shownText(saved)}`);
    if (isRight) await this.#expectNote(/was not sent to the checkout\. Recipient: /);
  };

  /** A buyer tried to pay the newest order while the settings were wrong. */
  async #expectNote(says: RegExp): Promise<void> {
    const [{ id }] = await this.#staffAsk("GET", "/orders?per_page=1");
    const notes: Wire[] = await this.#staffAsk("GET", `/orders/${id}/notes`);
    if (!notes.some(({ note }) => says.test(note))) throw new Error(`Notes of ${id}: ${JSON.stringify(notes)}`);
  }

  /** Nothing was paid, so nothing can be refunded. Every second order is moved to the trash, as its list does that. */
  giveUp = async (reference: string): Promise<boolean> => {
    const id = idOf(reference);
    const refused = await this.#refundByHand(await this.#read(reference), false, "all");
    if (!/not entered as paid/.test(refused)) throw new Error(`A refund of nothing was answered ${refused}`);
    if (Number(id) % 2 === 0) await this.#staffAsk("PUT", `/orders/${id}`, { status: "cancelled" });
    else await run("php", [...PHP, "trash.php", id], { cwd: SHOP, env: this.#env, timeout: COMMAND_MS_MAX });
    return ["cancelled", "trash"].includes((await this.#read(reference)).status);
  };

  /** Sets the state, and presses a button for refunds: both are refused. Returns the answer. */
  async #refundByHand(order: Wire, byApi: boolean, part: "half" | "all"): Promise<string> {
    const path = `/orders/${order.id}`;
    await this.#staffAsk("PUT", path, { status: "refunded" });
    if ((await this.#staffAsk("GET", path)).status === "refunded") throw new Error(`${order.id} was refunded by hand.`);
    const amount = part === "all" ? order.total : (Number(order.total) / 2).toFixed(2);
    const refund = { amount, api_refund: byApi };
    const browser = new Browser(this.url);
    const { status, json } = await browser.ask("POST", `/wp-json/wc/v3${path}/refunds`, refund, this.#staff);
    if (status < 400) throw new Error(`A refund was answered ${status} ${JSON.stringify(json)}`);
    return json.message;
  }

  /** The shop refuses, by either button and as a state, and says which total waits for the wallet. */
  askRefund = async (reference: string, part: "half" | "all"): Promise<string> => {
    const read = async (): Promise<Wire> => {
      const found = await this.#read(reference);
      return found.transaction_id === "" ? undefined : found;
    };
    const order = await awaitValue(read, `${reference} was paid, and the shop did not enter that.`);
    const refused = await this.#refundByHand(order, part === "all", part);
    const total = totalIn(refused);
    if (total === undefined) throw new Error(`A refund was answered ${refused}`);
    if (part === "all") this.#unrefundedPages.set(String(order.id), await this.#openPage(order.id));
    return total;
  };

  walkAway = (reference: string): void => void this.#walkedAway.push(idOf(reference));

  #read = (reference: string): Promise<Wire> => this.#staffAsk("GET", `/orders/${idOf(reference)}`);

  effects = async (reference: string): Promise<{ isEntered: boolean; refunded: number; refundTotal: string }> => {
    const order = await this.#read(reference);
    const refunded = order.status === "refunded" ? 1 : 0;
    return { isEntered: order.transaction_id !== "", refunded, refundTotal: shownOf(order)?.refundTotal ?? "0" };
  };

  /** A warehouse packs what is Processing, and sets it to Completed. Pages that were opened before a payment or a refund are saved after it. */
  shipAll = async (): Promise<void> => {
    for (;;) {
      const orders: Wire[] = await this.#staffAsk("GET", `/orders?status=processing&per_page=${PAGE_ORDERS}`);
      for (const { id } of orders) {
        await this.#saveUnpaidPage(String(id));
        this.#shipped.set(String(id), (this.#shipped.get(String(id)) ?? 0) + 1);
        await this.#staffAsk("PUT", `/orders/${id}`, { status: "completed" });
      }
      if (orders.length < PAGE_ORDERS) break;
    }
    for (const [id, page] of this.#unrefundedPages) {
      if ((await this.#staffAsk("GET", `/orders/${id}`)).status !== "refunded") continue;
      this.#unrefundedPages.delete(id);
      await this.#savePage({ ...page, order_status: "wc-completed" });
    }
  };

  async #saveUnpaidPage(id: string): Promise<void> {
    const page = this.#unpaidPages.get(id);
    if (page === undefined) return;
    this.#unpaidPages.delete(id);
    await this.#savePage(page);
    const { status, transaction_id } = await this.#staffAsk("GET", `/orders/${id}`);
    if (status === "pending" || transaction_id === "") throw new Error(`An old page made ${id} ${status}.`);
  }

  /** The owner's page of an order. Its nonces are good for a day, also after others were opened. */
  async #openPage(id: string): Promise<Page> {
    const text = await this.#openAsOwner(this.#pageOf(id));
    return { ...fieldsOf(text, this.#facts.tables ? "order" : "post"), save: "Update" };
  }

  async #openAsOwner(path: string): Promise<string> {
    this.#signedIn ??= this.#signIn();
    await this.#signedIn;
    return (await this.#owner.ok("GET", path)).text;
  }

  /** WooCommerce sends the first page of a new shop's staff to its own start page. */
  async #signIn(): Promise<void> {
    const login = { log: "owner", pwd: "of a throw-away shop", testcookie: "1" };
    await this.#owner.ask("GET", "/wp-login.php");
    await this.#owner.ask("POST", "/wp-login.php", { form: login });
    await this.#owner.ask("GET", "/wp-admin/");
  }

  async #savePage(page: Page): Promise<void> {
    const save = () => this.#owner.ask("POST", this.#pageOf(page.post_ID!), { form: page });
    let { status, text } = await save();
    // The shop's time limit ended the request at the order's first refund. Who sees an empty page saves it again.
    if (status === 200 && text === "") ({ status, text } = await save());
    if (status === 302) return;
    throw new Error(
      `The page of ${page.post_ID} was answered ${status}, with ${Object.keys(page).length} fields: ${shownText(text)}`,
    );
  }

  #pageOf = (id: string): string =>
    `/wp-admin/${this.#facts.tables ? `admin.php?page=wc-orders&id=${id}` : `post.php?post=${id}`}&action=edit`;

  show = async (reference: string): Promise<ShopOrder> => {
    const order = await this.#read(reference);
    const refunded = order.refunds.reduce((sum: number, { total }: Wire) => sum - Number(total), 0);
    const isHeld = ["disputed", "reverted"].includes(shownOf(order)?.progress);
    const states: Record<string, ShopOrder["state"]> = {
      ...{ cancelled: "canceled", refunded: "refunded", "on-hold": "held" },
      ...{ processing: isHeld ? "held" : "paid", completed: isHeld ? "held" : "paid" },
    };
    return {
      state: states[order.status] ?? "open",
      shipments: this.#shipped.get(String(order.id)) ?? 0,
      ...{ total: minor(order.total), refunded: minor(refunded) },
    };
  };
}

const shownText = (page: string): string =>
  page.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>|\s+/g, " ").slice(0, SAID_MAX);
const idOf = (reference: string): string => reference.split("-")[2]!;
const intentOf = (url: string): string | null => /\/pay\/i\/(\w+)/.exec(url)?.[1] ?? null;
const nonceOf = (page: string, name: string): string | null =>
  new RegExp(`name="woocommerce-${name}-nonce" value="(\\w+)"`).exec(page)?.[1] ?? null;
const shownOf = (order: Wire): Wire => order.meta_data.find(({ key }: Wire) => key === "_holdfast")?.value;
const minor = (amount: number | string): string => Math.round(Number(amount) * 100).toString();
