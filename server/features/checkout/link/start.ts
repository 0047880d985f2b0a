import type { BusinessProfile } from "../../businesses/business.ts";
import type { PaymentLink } from "../../links/link.ts";

/** A link as its buyers see it. */
export interface SeenLink extends PaymentLink {
  readonly business: BusinessProfile;
  /** The decimals of the token; null until the chain has shown them. */
  readonly decimals: number | null;
  /** Seats that are final. */
  readonly paidSeats: number;
  /** Seats that are final or held now. */
  readonly takenSeats: number;
  readonly now: Date;
}

/**
 * The result of a press on the link's button. `refused`: the business's own rules forbid the intent now. `unpriced`: there is
 * no fresh rate for the price.
 */
export type LinkStart =
  | { readonly kind: "made"; readonly intentId: string }
  | { readonly kind: "closed" | "refused" | "unpriced" };

/** The links, and the intents that they make. */
export interface LinkStarts {
  readonly find: (id: string) => Promise<SeenLink | null>;
  /** `amount` in the token's smallest unit; null for a link with a price. */
  readonly start: (link: SeenLink, amount: string | null) => Promise<LinkStart>;
}
