// A stock Vendure with the plugin, as its buyers, its staff and its warehouse reach it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { Holdfast } from "@holdfast/sdk";
import { newSecret, type ShopOrder } from "@holdfast/testing";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { type PlayedShop, type ShopOptions, shownState, totalIn } from "../../../tools/shops/play.ts";
import { awaitAnswer, awaitValue, killGroup } from "../../../tools/shops/processes.ts";
import { SHOP } from "./install.ts";

const run = promisify(execFile);
const COMMAND_MS_MAX = 300_000;
const CALL_MS_MAX = 60_000;
const PAGE_ORDERS = 100;
const METHOD = "holdfast";
const STAFF = { identifier: "owner", password: "of a throw-away shop" };

// biome-ignore lint/suspicious/noExplicitAny: answers of Vendure, whose types are not installed here.
type Wire = any;

/** Makes the tables of an empty database, fills the shop, and starts it. */
export async function startVendure({ holdfast, amounts }: ShopOptions): Promise<PlayedShop> {
  const database = await createEmptyDatabase();
  const [port, secrets] = [await findFreePorts(1), [newSecret(), newSecret()] as const];
  const { searchParams, port: databasePort, username, pathname } = new URL(database.url);
  const options = { host: searchParams.get("host"), port: databasePort, username, database: pathname.slice(1) };
  const method = { recipient: holdfast.recipient, token: holdfast.asset, currency: "USD", amounts };
  const env = {
    ...{ ...process.env, NODE_ENV: "production", PORT: String(port), SHOP_DATABASE: JSON.stringify(options) },
    ...{ SHOP_STAFF: JSON.stringify(STAFF), SHOP_METHOD: JSON.stringify(argumentsOf(method)) },
    ...{ HOLDFAST_API_URL: holdfast.apiUrl, HOLDFAST_API_KEY: holdfast.apiKey },
    ...{ HOLDFAST_WEBHOOK_SECRET: secrets.join(" ") },
  };
  await run(process.execPath, ["seed.js"], { cwd: SHOP, env, timeout: COMMAND_MS_MAX, maxBuffer: 50_000_000 });
  const shop = new RunningShop(`http://localhost:${port}`, secrets, env, { ...method }, () => database.drop());
  await shop.start();
  await shop.signIn();
  // Amounts by price are those of a real service. The handler kit answers once the shop is there.
  if (amounts === "price") await shop.tryOthers(holdfast);
  return shop;
}

/** The metadata of a payment in the escrow, as a buyer may send it with a payment by card. */
const FORGED = {
  ...{ channel: "", progress: "protected", mayShip: true, isPaid: true, payment: "forged", amount: "1" },
  ...{ refundTotal: "0", token: null, protectedUntil: null, receiptUrl: null, page: null, owed: [] },
};

const argumentsOf = (method: Readonly<Record<string, string>>) =>
  Object.entries({ ...method, protectionPeriod: "sevenDays" }).map(([name, value]) => ({ name, value }));

class RunningShop implements PlayedShop {
  readonly name = "vendure";
  readonly url: string;
  readonly secret: string;
  readonly oldSecret: string;
  readonly webhookUrl: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #method: Readonly<Record<string, string>>;
  readonly #drop: () => Promise<void>;
  #child: ChildProcess | null = null;
  #token = "";

  constructor(
    url: string,
    secrets: readonly [string, string],
    env: NodeJS.ProcessEnv,
    method: Readonly<Record<string, string>>,
    drop: () => Promise<void>,
  ) {
    [this.url, this.webhookUrl] = [url, `${url}/holdfast/hooks`];
    [this.secret, this.oldSecret] = secrets;
    [this.#env, this.#method, this.#drop] = [env, method, drop];
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, ["index.js"], {
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
    await this.#drop();
  };

  returnUrl = (reference: string): string => `${this.url}/holdfast/orders/${reference}`;

  /** Asks one of the two APIs, and throws at any error, also one that is a result. Returns the only field, and the session. */
  async #ask(api: "shop" | "admin", query: string, variables: object, token: string) {
    const answer = await fetch(`${this.url}/${api}-api`, {
      ...{ method: "POST", signal: AbortSignal.timeout(CALL_MS_MAX), body: JSON.stringify({ query, variables }) },
      headers: {
        "Content-Type": "application/json",
        ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
      },
    });
    const { data, errors }: Wire = await answer.json();
    const [result]: Wire[] = Object.values(data ?? {});
    if (errors !== undefined || result?.errorCode !== undefined) throw new Error(JSON.stringify(errors ?? result));
    return { result, token: answer.headers.get("vendure-auth-token") ?? token };
  }

  async #staff(query: string, variables: object = {}): Promise<Wire> {
    return (await this.#ask("admin", query, variables, this.#token)).result;
  }

  async signIn(): Promise<void> {
    const mutation = `mutation($identifier: String!, $password: String!) {
      login(username: $identifier, password: $password) { ... on ErrorResult { errorCode message } } }`;
    this.#token = (await this.#ask("admin", mutation, STAFF, "")).token;
  }

  setRecipient = async (recipient: string, isRight: boolean): Promise<void> => {
    const { items } = await this.#staff("{ paymentMethods { items { id code } } }");
    const handler = { code: "holdfast", arguments: argumentsOf({ ...this.#method, recipient }) };
    const input = { id: items.find(({ code }: Wire) => code === METHOD).id, handler };
    const said = await this.#staff(
      "mutation($input: UpdatePaymentMethodInput!) { updatePaymentMethod(input: $input) { id } }",
      { input },
    ).then(
      () => "",
      (error: Error) => error.message,
    );
    if (isRight ? said !== "" : !/Saved\. Nobody can pay by these settings\. recipient: /.test(said))
      throw new Error(`Saved ${recipient}: ${said}`);
  };

  order = async (): Promise<{ reference: string; intent: string }> => {
    const placed = await this.#place("buyer.example");
    if (placed.state !== "AwaitingPayment") throw new Error(`The order is ${placed.state}.`);
    const intent = await this.#follow(ownOf(placed).metadata.public.payPath);
    if (intent === null) throw new Error(`${placed.code} cannot be paid.`);
    return { reference: placed.code, intent };
  };

  /** A buyer's card is declined, and leaves what the buyer wrote. Then Holdfast is to pay the order. */
  async #place(domain: string): Promise<Wire> {
    let token = "";
    const buy = async (query: string, variables: object = {}): Promise<Wire> => {
      const answer = await this.#ask("shop", query, variables, token);
      token = answer.token;
      return answer.result;
    };
    const refused = "... on ErrorResult { errorCode message }";
    const { items } = await buy("{ products { items { variants { id } } } }");
    await buy(`mutation($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { ${refused} } }`, {
      id: items[0].variants[0].id,
    });
    const input = { firstName: "Ada", lastName: "B", emailAddress: `${randomUUID()}@${domain}` };
    await buy(`mutation($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { ${refused} } }`, {
      input,
    });
    const address = { streetLine1: "2 Elm St", city: "Boston", postalCode: "02101", countryCode: "US" };
    await buy(`mutation($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { ${refused} } }`, {
      input: address,
    });
    const [post] = await buy("{ eligibleShippingMethods { id } }");
    await buy(`mutation($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { ${refused} } }`, {
      id: [post.id],
    });
    await buy(`mutation { transitionOrderToState(state: "ArrangingPayment") { ${refused} } }`);
    const pay = `mutation($input: PaymentInput!) { addPaymentToOrder(input: $input) {
      ... on Order { code state payments { method metadata } }
      ... on PaymentDeclinedError { paymentErrorMessage } ${refused} } }`;
    const metadata = { holdfast: FORGED };
    const said = await buy(pay, { input: { method: "card", metadata } }).catch((error: Error) => error);
    if (!(said instanceof Error && /PAYMENT_DECLINED_ERROR/.test(said.message))) throw new Error(`A card: ${said}`);
    const { code } = await buy("{ activeOrder { code } }");
    const { status } = await fetch(this.returnUrl(code), { signal: AbortSignal.timeout(CALL_MS_MAX) });
    if (status !== 404) throw new Error("The plugin took a payment by card for its own.");
    return buy(pay, { input: { method: METHOD, metadata } });
  }

  /** Orders on which other plugins act: what they do to an order neither ships it nor has it paid twice. */
  async tryOthers({ apiUrl, apiKey }: ShopOptions["holdfast"]): Promise<void> {
    const { reference, intent } = await this.order();
    const problems: string[] = [];
    const expect = (isRight: boolean, problem: string) => void (isRight || problems.push(problem));
    await this.#ship(await this.#read(reference));
    expect((await this.show(reference)).shipments === 0, "goods left that nobody had paid");
    expect((await this.#charge(reference)) === 409, "a card paid an order that awaits its payment here");
    // Some plugins do not ask whether an order may be paid.
    expect((await this.#charge(reference, "&unasked")) === 200, "a card was charged and not entered");
    expect((await this.payAgain(reference)) === null, "an order that a card paid can be paid here");
    const { paymentIntents } = new Holdfast({ apiKey, baseUrl: apiUrl });
    const isCanceled = async () => ((await paymentIntents.retrieve(intent)).status === "canceled" ? true : undefined);
    await awaitValue(isCanceled, "an order that a card paid left its intent open").catch((error: Error) =>
      problems.push(error.message),
    );
    await this.#ship(await this.#read(reference));
    expect((await this.show(reference)).shipments === 1, "goods that a card paid were kept");
    const split = await this.#place("marketplace.example").catch((error: Error) => error);
    expect(split instanceof Error && /one seller/.test(split.message), "an order of several sellers was placed");
    if (problems.length > 0) throw new Error(`${reference}: ${problems.join("; ")}`);
  }

  async #charge(reference: string, how = ""): Promise<number> {
    const url = `${this.url}/card/hooks?code=${reference}${how}`;
    return (await fetch(url, { method: "POST", signal: AbortSignal.timeout(CALL_MS_MAX) })).status;
  }

  /** Follows the address to pay. Returns the intent, or null if the order cannot be paid any more. */
  async #follow(payPath: string): Promise<string | null> {
    const request = { redirect: "manual", signal: AbortSignal.timeout(CALL_MS_MAX) } as const;
    const answer = await fetch(`${this.url}${payPath}`, request);
    if (answer.status === 303) return answer.headers.get("location")!.split("/").at(-1)!;
    if (answer.status === 409) return null;
    throw new Error(`No checkout at ${payPath}: ${answer.status} ${await answer.text()}`);
  }

  payAgain = (reference: string): Promise<string | null> => this.#follow(`/holdfast/orders/${reference}/pay`);

  comeBack = async (reference: string): Promise<void> => {
    const answer = await fetch(this.returnUrl(reference), { signal: AbortSignal.timeout(CALL_MS_MAX) });
    if (!answer.ok) throw new Error(`The page of ${reference}: ${answer.status} ${await answer.text()}`);
  };

  giveUp = async (reference: string): Promise<boolean> => {
    const { id } = await this.#read(reference);
    const mutation = `mutation($input: CancelOrderInput!) {
      cancelOrder(input: $input) { ... on ErrorResult { errorCode message } } }`;
    const input = { orderId: id, reason: "given up", cancelShipping: true };
    return this.#staff(mutation, { input }).then(
      () => true,
      () => false,
    );
  };

  /** The refund waits, says which total waits for the wallet, and cannot be settled by hand. */
  askRefund = async (reference: string, part: "half" | "all"): Promise<string> => {
    const read = async (): Promise<Wire> => settledOf(await this.#read(reference));
    const payment = await awaitValue(read, `${reference} was paid, and the shop did not enter that.`);
    const amount = part === "all" ? payment.amount : payment.amount / 2;
    const input = { paymentId: payment.id, amount, reason: "asked", lines: [], shipping: 0, adjustment: 0 };
    const { id, state, metadata } = await this.#staff(
      `mutation($input: RefundOrderInput!) {
        refundOrder(input: $input) { ... on Refund { id state metadata } ... on ErrorResult { errorCode message } } }`,
      { input },
    );
    const total = totalIn(metadata.message);
    if (state !== "Pending" || total === undefined)
      throw new Error(`A refund is ${state}: ${JSON.stringify(metadata)}`);
    const isSettled = await this.#staff(
      `mutation($id: ID!) {
        settleRefund(input: { id: $id, transactionId: "by hand" }) {
          ... on Refund { state } ... on ErrorResult { errorCode message } } }`,
      { id },
    ).then(
      () => true,
      () => false,
    );
    if (isSettled) throw new Error(`A refund of ${reference} was settled by hand.`);
    return total;
  };

  async #list(filter: string, skip = 0): Promise<Wire[]> {
    const fields = `id code state totalWithTax lines { id quantity } fulfillments { id state }
      customFields { buyerProtection mayShip } payments { id method state amount metadata refunds { state total } }`;
    const query = `{ orders(options: { take: ${PAGE_ORDERS}, skip: ${skip}, filter: ${filter} }) { items { ${fields} } } }`;
    return (await this.#staff(query)).items;
  }

  async #read(reference: string): Promise<Wire> {
    const [order] = await this.#list(`{ code: { eq: "${reference}" } }`);
    if (order === undefined) throw new Error(`The shop has no order ${reference}.`);
    return order;
  }

  effects = async (reference: string): Promise<{ isEntered: boolean; refunded: number; refundTotal: string }> => {
    const order = await this.#read(reference);
    const { state } = await this.show(reference);
    const refundTotal = ownOf(order)?.metadata.holdfast.refundTotal ?? "0";
    return { isEntered: settledOf(order) !== undefined, refunded: state === "refunded" ? 1 : 0, refundTotal };
  };

  shipAll = async (): Promise<void> => {
    for (let skip = 0; ; skip += PAGE_ORDERS) {
      const orders = await this.#list("{}", skip);
      for (const order of orders) if (isToShip(order)) await this.#ship(order);
      if (orders.length < PAGE_ORDERS) return;
    }
  };

  async #ship({ lines, fulfillments }: Wire): Promise<void> {
    const input = {
      lines: lines.map((line: Wire) => ({ orderLineId: line.id, quantity: line.quantity })),
      handler: {
        code: "manual-fulfillment",
        arguments: [
          { name: "method", value: "Post" },
          { name: "trackingCode", value: "" },
        ],
      },
    };
    const fulfill = `mutation($input: FulfillOrderInput!) {
      addFulfillmentToOrder(input: $input) { ... on Fulfillment { id } ... on ErrorResult { errorCode message } } }`;
    const { id } = fulfillments[0] ?? (await this.#staff(fulfill, { input }));
    const ship = `mutation($id: ID!) {
      transitionFulfillmentToState(id: $id, state: "Shipped") { ... on ErrorResult { errorCode message } } }`;
    // The plugin refuses if a dispute came at this moment.
    await this.#staff(ship, { id }).catch(() => undefined);
  }

  show = async (reference: string): Promise<ShopOrder> => {
    const order = await this.#read(reference);
    const payment = settledOf(order);
    const refunds: Wire[] = payment?.refunds ?? [];
    const refunded = refunds.reduce((sum, { state, total }) => sum + (state === "Settled" ? total : 0), 0);
    const total = payment?.amount ?? order.totalWithTax;
    const books = { isCanceled: order.state === "Cancelled", isPaid: payment !== undefined };
    return {
      state: shownState(order.customFields.buyerProtection, { ...books, isRefunded: refunded === total }),
      shipments: order.fulfillments.filter(({ state }: Wire) => state === "Shipped").length,
      ...{ total: String(total), refunded: String(refunded) },
    };
  };
}

const isToShip = ({ state, customFields, fulfillments }: Wire): boolean =>
  state === "PaymentSettled" && customFields.mayShip && fulfillments.every((one: Wire) => one.state === "Pending");
const settledOf = (order: Wire): Wire => order.payments.find(({ state }: Wire) => state === "Settled");
const ownOf = (order: Wire): Wire => order.payments.find(({ method }: Wire) => method === METHOD);
