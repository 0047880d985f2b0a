import type { Tenant } from "../../domain/callers.ts";
import { LINK_ID, newLinkId } from "../../domain/ids.ts";
import { AMOUNT } from "../../domain/money.ts";
import { PROTECTION_PERIODS } from "../../domain/terms.ts";
import { ADDRESS, column, environmentWord } from "../../domain/values.ts";
import {
  computed,
  digits,
  type FieldsOf,
  integer,
  nullable,
  stored,
  table,
  text,
  time,
  word,
} from "../../lib/columns.ts";
import { PARSED_PRICE } from "../intents/intent.ts";
import { PAYMENT_EXAMPLES } from "../payments/payment.ts";

const LINK_STATES = ["open", "full", "expired", "closed"] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The most seats of a link. A domain allows more. */
export const SEATS_MAX = 10_000;
/** Open links of a business in an environment. */
export const OPEN_LINKS_MAX = 200;
export const TITLE_CODE_POINTS_MAX = 100;
/** The lifetime of a link's intents: a buyer pays at once, and a stranger's leave soon. */
export const LINK_INTENT_MS = 30 * 60_000;

/** The example of a link has an amount. */
const price = { ...PARSED_PRICE, shown: { ...PARSED_PRICE.shown, example: null } };

/** §13.21. */
export const LINK_MEMBERS = {
  businessId: word(),
  id: word({
    says: "The link's id.",
    example: "pl_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948",
    schema: { pattern: LINK_ID.source },
  }),
  environment: environmentWord,
  title: text({ says: "Its purpose. The buyer reads it, and references begin with it.", example: "Workshop" }),
  description: nullable(text({ says: "A note to the buyer; null if there is none." })),
  locale: nullable(
    word({ says: "The language of the buyer's pages, as an intent's; null: the buyer's own.", example: "de" }),
  ),
  recipient: column(ADDRESS, { says: "The wallet that is paid.", example: PAYMENT_EXAMPLES.recipient }),
  asset: column(ADDRESS, { says: "The token's mint.", example: PAYMENT_EXAMPLES.asset }),
  amount: nullable(
    digits("numeric", {
      says: "In the token's smallest unit; null if it has a price, or the buyer says how much.",
      example: "48500000",
      schema: { pattern: AMOUNT.source },
    }),
  ),
  price,
  protectionPeriod: word({
    of: PROTECTION_PERIODS,
    says: "The time within which the buyer may dispute.",
    example: "sevenDays",
  }),
  seatsMax: nullable(integer({ says: "The number of buyers who may pay; null for any number.", example: 50 })),
  intentsMade: integer({ says: "The number of intents that it made.", example: 12 }),
  createdAt: time({ says: "The time of its creation.", example: "2026-11-20T08:30:00.000Z" }),
  expiresAt: nullable(time({ says: "After this time it cannot be paid; null if it does not expire." })),
  closedAt: nullable(time({ says: "The time at which it was closed; null if it is open." })),
  state: computed(word({ of: LINK_STATES, says: "`full` once all its seats are paid.", example: "open" })),
  paidSeats: computed(integer({ says: "The seats that are paid; 0 if it has no limit.", example: 7 })),
  url: computed(
    text({
      says: "The address for buyers.",
      example: "https://pay.shop-demo.com/pay/l/pl_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948",
    }),
  ),
};
export const LINKS = table("payment_links", stored(LINK_MEMBERS));
export type PaymentLink = FieldsOf<typeof LINKS.columns>;
export type NewLink = Pick<
  PaymentLink,
  | "title"
  | "description"
  | "locale"
  | "recipient"
  | "asset"
  | "amount"
  | "price"
  | "protectionPeriod"
  | "seatsMax"
  | "expiresAt"
>;

export const draftLink = (tenant: Tenant, given: NewLink, now: Date): PaymentLink => ({
  ...given,
  businessId: tenant.businessId,
  environment: tenant.environment,
  id: newLinkId(tenant, now),
  intentsMade: 0,
  createdAt: now,
  closedAt: null,
});

/** `paidSeats`: the seats that are final. */
export function linkStateAt(
  { closedAt, expiresAt, seatsMax }: Pick<PaymentLink, "closedAt" | "expiresAt" | "seatsMax">,
  paidSeats: number,
  now: Date,
): LinkState {
  if (closedAt !== null) return "closed";
  if (expiresAt !== null && now >= expiresAt) return "expired";
  return seatsMax !== null && paidSeats >= seatsMax ? "full" : "open";
}

export const linkUrlOf = (checkoutUrl: string, id: string): string => `${checkoutUrl}/pay/l/${id}`;

/** A wallet that asks for a seat, as the link's rows show it. */
export interface SeatFacts {
  readonly seatsMax: number;
  /** Seats of other wallets: paid ones, and those that are held. */
  readonly takenByOthers: number;
  /** The payment that has the wallet's seat; null if it has none, or holds one unpaid. */
  readonly payment: string | null;
}

/** `taken`: it has a seat, its own or a free one. */
export type SeatAnswer = "taken" | "full" | "has_paid";

/** The longest hold of a seat: no signed transaction lands later. */
export const HOLD_SECONDS_MAX = 150;
/** The longest hold with its renewals. Then others come first, for as long as one hold. */
export const RENEWED_SECONDS_MAX = 300;

/** Whether there is a seat for a wallet (§13.21.5). */
export function answerSeat({ seatsMax, takenByOthers, payment }: SeatFacts): SeatAnswer {
  if (payment !== null) return "has_paid";
  return takenByOthers < seatsMax ? "taken" : "full";
}

/** A payment that is about to be recorded for a link's intent. */
export interface SeatClaim {
  readonly wallet: string;
  readonly payment: string;
  /** True if it would be the intent's first payment: another one takes no free seat. */
  readonly isFirst: boolean;
}

/**
 * Assigns seats to payments, in their order (§13.21.6): the one that a wallet holds, then a free one. `owned`: the seats of
 * their wallets, with the payment that has each. Returns the payments with a seat, and whether each takes a free one.
 */
export function assignSeats(
  claims: readonly SeatClaim[],
  owned: ReadonlyMap<string, string | null>,
  free: number,
): ReadonlyMap<string, { readonly isNew: boolean }> {
  const holders = new Map(owned);
  const seated = new Map<string, { isNew: boolean }>();
  let left = free;
  for (const { wallet, payment, isFirst } of claims) {
    // A payment that was observed twice has its seat once.
    if (seated.has(payment)) continue;
    const holder = holders.get(wallet);
    if (holder === null || holder === payment) seated.set(payment, { isNew: false });
    else if (holder === undefined && isFirst && left > 0) {
      seated.set(payment, { isNew: true });
      left--;
    } else continue;
    holders.set(wallet, payment);
  }
  return seated;
}
