/** The parts of x402, version 2, that the scheme uses. `@x402/core` 2.27 takes classes of these types as its own. */

/** The service settles a payment again for so long after the end of its offer. */
export const REPEAT_MS = 600_000;

type Network = `${string}:${string}`;

/** One offer of a 402. */
export interface PaymentRequirements {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: Network;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What a 402 says of the resource. */
export interface ResourceInfo {
  readonly url: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** The answer of a facilitator that settled, or did not settle, a payment. */
export interface SettleResult {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: Network;
  readonly payer?: string;
  readonly amount?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface PaymentPayloadResult {
  x402Version: number;
  payload: Record<string, unknown>;
}

/** A 402, and the address that answered with it. */
export interface PaymentRequiredContext {
  readonly paymentRequired: { readonly resource?: ResourceInfo };
  readonly requestUrl: string;
}

/** An offer that a client has chosen, of a resource. */
export interface PaymentCreation {
  readonly paymentRequired: { readonly resource: ResourceInfo };
  readonly selectedRequirements: PaymentRequirements;
}

export interface PaymentCreated extends PaymentCreation {
  readonly paymentPayload: { readonly accepted: PaymentRequirements };
}

/** The answer to a payment, as far as a client reads it. */
export interface PaymentResponse {
  readonly requirements: PaymentRequirements;
  readonly paymentPayload: { readonly payload: Readonly<Record<string, unknown>> };
  /** Set if the payment was settled, or a server that sells by the call could not have it settled. */
  readonly settleResponse?:
    | (Pick<SettleResult, "success" | "extra"> & { readonly errorReason?: string | undefined })
    | undefined;
  /** Set if the payment was refused. */
  readonly paymentRequired?: { readonly error?: string | undefined } | undefined;
}
