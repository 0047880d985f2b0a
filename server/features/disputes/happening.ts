import type { PaymentOutcome } from "../../domain/terms.ts";
import type { DisputeReason, OfferState, Side } from "./dispute.ts";
import type { Ruling } from "./ruling.ts";

/** Something that happens to a dispute. Those of the chain are never refused. */
export type Happening =
  | { readonly kind: "reverted" }
  | { readonly kind: "landed_again"; readonly openedAt: Date }
  | { readonly kind: "refund_bound"; readonly refundTotal: string }
  | { readonly kind: "outcome_bound"; readonly outcome: PaymentOutcome; readonly at: Date }
  /** `isRuled`: the ruling stands, and a part is in the vault again. */
  | { readonly kind: "outcome_reverted"; readonly isRuled: boolean }
  /** A ruling's transaction was read, before or after the payment's account showed its outcome. */
  | { readonly kind: "ruled"; readonly ruling: Ruling }
  | { readonly kind: "paid_out"; readonly at: Date }
  | { readonly kind: "clock" }
  /** The buyer says why, once; it is a statement too. */
  | { readonly kind: "opening"; readonly reason: DisputeReason; readonly requestedTotal: string }
  | { readonly kind: "statement" | "file"; readonly side: Side }
  | { readonly kind: "offer"; readonly offer: OfferState }
  | { readonly kind: "offer_withdrawn" | "offer_declined"; readonly side: Side; readonly offer: string }
  /** The other side accepts: the agreement. */
  | { readonly kind: "offer_accepted"; readonly side: Side; readonly offer: string }
  | { readonly kind: "arbiter_asked"; readonly side: Side }
  /** The arbiter asks a side; null: both. */
  | { readonly kind: "question"; readonly side: Side | null };

type OfTime =
  | "clock"
  | "reverted"
  | "landed_again"
  | "refund_bound"
  | "outcome_bound"
  | "outcome_reverted"
  | "ruled"
  | "paid_out";
/** An act of a side, or of the arbiter. */
export type ActHappening = Exclude<Happening, { readonly kind: OfTime }>;
