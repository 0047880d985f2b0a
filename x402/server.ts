import { type Period, sha256Of, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { Offers } from "./offers.ts";
import type { PaymentRequirements, ResourceInfo, SettleResult } from "./protocol.ts";

export interface ProtectedServerOptions {
  /** A key of the scope `full`, from the environment of the payments. Its own: payers use up its rate. */
  readonly apiKey: string;
  /** The API's address, with `/api/v1`. */
  readonly apiUrl: string;
  /** The time in which a payer may dispute. */
  readonly protectionPeriod: Period;
  /** The seconds that an offer lasts, 604,800 at most; default 600. */
  readonly lifetimeSeconds?: number;
  /** The program of the tokens; default SPL Token. */
  readonly tokenProgram?: string;
  /** Called for a delivery that the service did not take: file it later. Default: a warning on the console. */
  readonly onUnfiled?: (unfiled: UnfiledDelivery) => void;
}

export interface UnfiledDelivery {
  readonly intent: string;
  readonly delivery: string;
  readonly reason: string;
}

interface SupportedKind {
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of an event that hooks read. */
interface Settling {
  readonly paymentPayload: {
    readonly accepted: { readonly extra: Readonly<Record<string, unknown>> };
    readonly payload: Readonly<Record<string, unknown>>;
  };
  /** `after-handler`: the answer is made. */
  readonly phase: string;
  readonly transportContext?: unknown;
}
interface Transport {
  readonly request?: object;
  readonly responseBody?: Uint8Array<ArrayBuffer>;
}
const transportOf = (context: unknown): Transport => (context ?? {}) as Transport;

type Price = string | number | { readonly asset: string; readonly amount: string };
type Decision = undefined | { abort: true; reason: string } | { skip: true; result: SettleResult };

/** Seven days: the service refuses offers that last longer. */
const LIFETIME_SECONDS_MAX = 604_800;
/** Payments that this process remembers to serve, by the terms text, which no payer can change. */
const SERVED_MAX = 100_000;
const nameOf = ({ paymentPayload }: Settling): string => String(paymentPayload.accepted.extra.terms);
/** The time in which the service takes a delivery; the answer waits for it. */
const FILE_MS = 5_000;

/**
 * The server of the scheme `protected` for an `x402ResourceServer`. Each 402 has a paymentId of its own, by which the
 * service knows that this server made the offer: nothing is asked or stored for it.
 */
export class ProtectedServer {
  readonly scheme = "protected";
  readonly defaultAssetTransferMethod = "default";
  readonly paymentFlows = { default: { supported: ["escrow"], default: "escrow" } } as const;
  readonly #options: ProtectedServerOptions;
  /** Members that differ in each 402. */
  readonly dynamicExtraFields = ["paymentId", "notAfter", "offer", "terms"];
  readonly schemeHooks;
  readonly #offers: Offers;
  /** The resource that each request asks for. */
  readonly #resources = new WeakMap<object, ResourceInfo>();
  /** What became of each payment: it is being settled, settled for a request that its handler has yet to answer, or served. */
  readonly #served = new Map<string, "settling" | SettleResult | "served">();

  constructor(options: ProtectedServerOptions) {
    this.#options = options;
    const { apiKey, protectionPeriod, lifetimeSeconds = 600 } = options;
    if (lifetimeSeconds > LIFETIME_SECONDS_MAX)
      throw new RangeError(`An offer lasts ${LIFETIME_SECONDS_MAX} seconds at most: set a shorter lifetimeSeconds.`);
    this.#offers = new Offers({ apiKey, protectionPeriod, lifetimeSeconds });
    const forget = async (settling: Settling): Promise<undefined> => {
      this.#served.delete(nameOf(settling));
    };
    this.schemeHooks = {
      // What no payer of an offer would send costs no request under the key. The service gives every repeat the same
      // answer; a request is served for the first of them.
      onBeforeSettle: async (settling: Settling): Promise<Decision> => {
        if (settling.phase === "after-handler") return this.#deliver(settling);
        const fault = await this.#faultOf(settling).catch(() => "invalid_payload: it cannot be read");
        if (fault !== null) return { abort: true, reason: fault };
        // Who asks again too early has to ask once more, with the same payment.
        const known = this.#served.get(nameOf(settling));
        if (known !== undefined)
          return { abort: true, reason: known === "settling" ? "settlement_pending" : "already_served" };
        if (this.#served.size >= SERVED_MAX) this.#served.delete(this.#served.keys().next().value!);
        this.#served.set(nameOf(settling), "settling");
        return undefined;
      },
      onAfterSettle: async (settling: Settling & { readonly result: SettleResult }): Promise<undefined> => {
        this.#served.set(nameOf(settling), settling.phase === "after-handler" ? "served" : settling.result);
      },
      onSettleFailure: forget,
      // The handler failed after the payment: the same request may be sent again.
      onVerifiedPaymentCanceled: forget,
    };
  }

  /** The settings of a `HTTPFacilitatorClient`: the service checks and settles, under the merchant's key. */
  get facilitator() {
    const { apiKey, apiUrl } = this.#options;
    const headers = { Authorization: `Bearer ${apiKey}` };
    return {
      url: `${apiUrl}/x402`,
      createAuthHeaders: async () => ({ supported: headers, verify: headers, settle: headers }),
    };
  }

  /** A price is an amount in a token's smallest unit: which token stands for a dollar is not decided here. */
  async parsePrice(price: Price): Promise<{ asset: string; amount: string }> {
    if (typeof price !== "object") throw new TypeError("A protected price is { asset, amount }.");
    return { asset: price.asset, amount: price.amount };
  }

  async enhancePaymentRequirements<Wanted extends PaymentRequirements>(
    requirements: Wanted,
    { extra = {} }: SupportedKind,
  ): Promise<Wanted> {
    const { protectionPeriod, tokenProgram = TOKEN_PROGRAM_ID } = this.#options;
    const own = { tokenProgram, protectionPeriod, atDeadline: "recipient" };
    return { ...requirements, extra: { ...requirements.extra, ...extra, ...own } };
  }

  /** Makes the offers of one 402. */
  async enrichPaymentRequiredResponse<Wanted extends PaymentRequirements>({
    requirements,
    resourceInfo,
    transportContext,
  }: {
    readonly requirements: readonly Wanted[];
    readonly resourceInfo: ResourceInfo;
    readonly transportContext?: unknown;
  }): Promise<Wanted[]> {
    const { request } = transportOf(transportContext);
    if (request !== undefined) this.#resources.set(request, resourceInfo);
    return Promise.all(
      requirements.map((one) => (one.scheme === this.scheme ? this.#offers.make(one, resourceInfo) : one)),
    );
  }

  #faultOf({ paymentPayload: { accepted, payload }, transportContext }: Settling): Promise<string | null> {
    const { request } = transportOf(transportContext);
    return this.#offers.faultOf(accepted, payload.transaction, request && this.#resources.get(request));
  }

  /** Signs what the handler answered, files it as a fulfillment, and gives it to the payer in PAYMENT-RESPONSE. */
  async #deliver(settling: Settling): Promise<Decision> {
    const settled = this.#served.get(nameOf(settling));
    // It is known no more: the service settles it again, for the same answer.
    if (typeof settled !== "object") return undefined;
    const { responseBody } = transportOf(settling.transportContext);
    if (responseBody === undefined) return { skip: true, result: settled };
    const { payer, transaction, extra } = settled;
    const issuedAt = Math.floor(Date.now() / 1_000);
    const delivery = await this.#offers.signDelivery(String(settling.paymentPayload.accepted.extra.offer), {
      ...{ payer: String(payer), issuedAt, transaction, payment: String(extra?.payment) },
      answer: await sha256Of(responseBody),
    });
    const intent = String(extra?.intent);
    await this.#file(intent, issuedAt, delivery).catch((error: Error) => {
      const { onUnfiled = warn } = this.#options;
      onUnfiled({ intent, delivery, reason: error.message });
    });
    return { skip: true, result: { ...settled, extra: { ...extra, delivery } } };
  }

  async #file(intent: string, issuedAt: number, delivery: string): Promise<void> {
    const { apiKey, apiUrl } = this.#options;
    const answer = await fetch(`${apiUrl}/payment-intents/${intent}/fulfillments`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ deliveredAt: new Date(issuedAt * 1_000).toISOString(), delivery }),
      signal: AbortSignal.timeout(FILE_MS),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}

const warn = ({ intent, reason }: UnfiledDelivery): void =>
  console.warn(`[x402] The delivery of ${intent} was not filed: ${reason}`);
