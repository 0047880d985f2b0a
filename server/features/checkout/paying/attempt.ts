/**
 * A payment that may be on its way: a transaction built for an account, or one of which a signature was seen. It says
 * nothing about what is paid; only a recorded payment does.
 */
export interface CheckoutAttempt {
  readonly kind: "built" | "sent";
  /** Null: a page reported the signature alone. */
  readonly account: string | null;
  /** Null exactly while it was only built. */
  readonly signature: string | null;
  /** After it the transaction can no longer land. */
  readonly until: Date;
}
