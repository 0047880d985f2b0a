/**
 * A payment that may be on its way: a transaction that was built for an account, or a signature that was reported. It
 * does not prove a payment; only a recorded payment does.
 */
export interface CheckoutAttempt {
  readonly kind: "built" | "sent";
  /** The buyer's address; null if a page reported only the signature. */
  readonly account: string | null;
  /** The transaction's signature; null if it was only built. */
  readonly signature: string | null;
  /** After this time, the transaction can no longer land. */
  readonly until: Date;
}
