/** The parts of x402, version 2, that the scheme uses. `@x402/core` 2.27 takes classes of these types as its own. */

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

export interface PaymentPayloadResult {
  x402Version: number;
  payload: Record<string, unknown>;
}

/** The answer to a payment, as far as a client reads it. */
export interface PaymentResponse {
  readonly requirements: PaymentRequirements;
  /** Set if the payment was refused. */
  readonly paymentRequired?: { readonly error?: string | undefined } | undefined;
}
