import { Call, List, type Page, type PageQuery } from "./calls.ts";
import { SignatureUnverifiedError } from "./errors.ts";
import type { AnyEvent } from "./events.ts";
import { type EventStream, type FollowOptions, followEvents } from "./follow.ts";
import { type Answered, type Attempt, type CallOptions, type Connection, pause, send } from "./request.ts";
import type * as schema from "./schema.ts";
import { type WaitOptions, waitForIntent } from "./waitFor.ts";

export interface HoldfastOptions
  extends Pick<CallOptions, "timeoutMs" | "attemptTimeoutMs" | "maxRetries" | "apiVersion"> {
  readonly apiKey: string;
  /** The address of the service, such as `https://pay.example.com`. */
  readonly baseUrl: string;
  /** The platform's own if left out. */
  readonly fetch?: typeof fetch | undefined;
  /** Called after each try, for your own log. The SDK sends nothing about itself to anyone. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

export interface ConfirmOptions extends CallOptions {
  /** The time for which it asks again while the chain does not show the transaction yet; not at all if left out. */
  readonly waitMs?: number | undefined;
}

const TIMEOUT_MS = 120_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
const CONFIRM_POLL_MS = 1_000;

/** A client of one business in one environment, which the key decides. */
export class Holdfast {
  readonly paymentIntents: ReturnType<typeof paymentIntentsOf>;
  readonly payments: ReturnType<typeof paymentsOf>;
  readonly disputes: ReturnType<typeof disputesOf>;
  readonly events: ReturnType<typeof eventsOf>;
  readonly assets: { readonly retrieve: (mint: string, options?: CallOptions) => Call<schema.Asset> };
  readonly me: { readonly retrieve: (options?: CallOptions) => Call<schema.Business> };
  readonly chain: { readonly retrieve: (options?: CallOptions) => Call<schema.Chain> };

  constructor(options: HoldfastOptions) {
    const connection = connectionOf(options);
    const get = <Data>(path: string, given?: CallOptions) =>
      new Call(send<Data>(connection, { method: "GET", path }, given));
    this.paymentIntents = paymentIntentsOf(connection);
    this.payments = paymentsOf(connection);
    this.disputes = disputesOf(connection);
    this.events = eventsOf(connection);
    this.assets = { retrieve: (mint, given) => get(`/assets/${segment(mint)}`, given) };
    this.me = { retrieve: (given) => get("/me", given) };
    this.chain = { retrieve: (given) => get("/chain", given) };
  }
}

function connectionOf(options: HoldfastOptions): Connection {
  const { apiKey, baseUrl } = options;
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey))
    throw new TypeError("Give an apiKey: sk_test_… or sk_live_….");
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(baseUrl)) throw new TypeError("Give the baseUrl of the service: https://….");
  const base = baseUrl.replace(/\/+$/, "");
  const platformFetch: typeof fetch = (input, init) => fetch(input, init);
  return {
    apiKey,
    url: base.endsWith("/api/v1") ? base : `${base}/api/v1`,
    fetch: options.fetch ?? platformFetch,
    onAttempt: options.onAttempt,
    defaults: {
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      attemptTimeoutMs: options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      apiVersion: options.apiVersion,
    },
  };
}

/** An intent as its creation answers it: it can be paid, so it has a checkout. */
export type OpenPaymentIntent = schema.PaymentIntent & { readonly checkoutUrl: string };

/** An id as part of a path. A text with other characters would lead to another path. */
function segment(id: string): string {
  if (typeof id !== "string" || !/^\w{1,200}$/.test(id)) throw new TypeError(`This is no id: ${JSON.stringify(id)}`);
  return id;
}

const listAt = <Item extends { readonly id: string }>(
  connection: Connection,
  path: string,
  query: PageQuery = {},
  options?: CallOptions,
) =>
  new List<Item>(
    query,
    (page): Promise<Answered<Page<Item>>> =>
      send(connection, { method: "GET", path, query: { ...query, ...page } }, options),
  );

/** The calls that every list and object has. */
function reads<Item extends { readonly id: string }, Query extends PageQuery, One = Item>(
  connection: Connection,
  path: string,
) {
  return {
    retrieve: (id: string, options?: CallOptions): Call<One> =>
      new Call(send<One>(connection, { method: "GET", path: `${path}/${segment(id)}` }, options)),
    list: (query?: Query, options?: CallOptions): List<Item> => listAt<Item>(connection, path, query, options),
  };
}

function paymentIntentsOf(connection: Connection) {
  const path = "/payment-intents";
  const post = <Data>(to: string, body: object | null, options: CallOptions | undefined) =>
    send<Data>(connection, { method: "POST", path: to, ...(body === null ? {} : { body }) }, options);
  const about = (id: string, action: string) => `${path}/${segment(id)}/${action}`;
  const own = reads<schema.PaymentIntent, schema.ListPaymentIntentsQuery>(connection, path);
  return {
    ...own,
    create: (intent: schema.NewPaymentIntent, options?: CallOptions): Call<OpenPaymentIntent> =>
      new Call(post(path, intent, options)),
    cancel: (id: string, options?: CallOptions): Call<schema.PaymentIntent> =>
      new Call(post(about(id, "cancel"), null, options)),
    confirm: (id: string, body: schema.NewConfirmation, options: ConfirmOptions = {}): Call<schema.Confirmation> =>
      new Call(confirmed(() => post(about(id, "confirm"), body, options), options)),
    recordFulfillment: (id: string, body: schema.NewFulfillment, options?: CallOptions): Call<schema.Fulfillment> =>
      new Call(post(about(id, "fulfillments"), body, options)),
    listFulfillments: (
      id: string,
      query?: schema.ListFulfillmentsQuery,
      options?: CallOptions,
    ): List<schema.Fulfillment> => listAt(connection, about(id, "fulfillments"), query, options),
    verify: (id: string, body: schema.NewVerification, options?: CallOptions): Call<schema.Verification> =>
      new Call(post(about(id, "verify"), body, options)),
    /** Resolves once the intent is paid, expired or canceled, or has one of the statuses that you name. */
    waitFor: (id: string, options: WaitOptions = {}): Promise<schema.PaymentIntent> =>
      waitForIntent(connection, segment(id), options, () => own.retrieve(id, { signal: options.signal })),
  };
}

/** Asks again while the chain does not show the transaction yet. */
async function confirmed<Data>(
  ask: () => Promise<Answered<Data>>,
  { waitMs = 0, signal }: ConfirmOptions,
): Promise<Answered<Data>> {
  for (const endsAt = performance.now() + waitMs; ; ) {
    try {
      return await ask();
    } catch (error) {
      const isEarly = error instanceof SignatureUnverifiedError && error.retryable;
      if (!isEarly || performance.now() + CONFIRM_POLL_MS > endsAt) throw error;
    }
    await pause(CONFIRM_POLL_MS, signal);
  }
}

const paymentsOf = (connection: Connection) => ({
  ...reads<schema.Payment, schema.ListPaymentsQuery, schema.PaymentWithActions>(connection, "/payments"),
  /** Builds the transaction of a refund. Nothing changes until the recipient's wallet (`signer`) has signed it and it lands. */
  refund: (id: string, body: schema.NewRefund, options?: CallOptions): Call<schema.ActionTransaction> =>
    new Call(send(connection, { method: "POST", path: `/payments/${segment(id)}/refund`, body }, options)),
});

function disputesOf(connection: Connection) {
  const path = "/disputes";
  const post = (id: string, below: string, body: object | null, options?: CallOptions) =>
    new Call(
      send<schema.DisputeWithTexts>(
        connection,
        { method: "POST", path: `${path}/${segment(id)}/${below}`, ...(body === null ? {} : { body }) },
        options,
      ),
    );
  return {
    ...reads<schema.Dispute, schema.ListDisputesQuery, schema.DisputeWithTexts>(connection, path),
    sendStatement: (id: string, body: schema.DisputeStatementInput, options?: CallOptions) =>
      post(id, "statements", body, options),
    withdrawOffer: (id: string, offer: string, options?: CallOptions) =>
      post(id, `offers/${segment(offer)}/withdraw`, null, options),
    declineOffer: (id: string, offer: string, options?: CallOptions) =>
      post(id, `offers/${segment(offer)}/decline`, null, options),
    askArbiter: (id: string, options?: CallOptions) => post(id, "ask-arbiter", null, options),
  };
}

const eventsOf = (connection: Connection) => ({
  ...reads<AnyEvent, schema.ListEventsQuery>(connection, "/events"),
  /** Follows the events without missing or repeating any, for as long as you read. */
  follow: (options: FollowOptions = {}): EventStream => followEvents(connection, options),
});
