import { idColumn, idPattern } from "../../domain/ids.ts";
import { PART_AMOUNT } from "../../domain/money.ts";
import { type Fields, type JsonText, shower, showText, showTime } from "../../domain/show.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { ADDRESS, column } from "../../domain/values.ts";
import {
  computed,
  digits,
  type FieldsOf,
  flag,
  integer,
  json,
  named,
  nullable,
  pick,
  smallint,
  stored,
  table,
  text,
  time,
  word,
} from "../../lib/columns.ts";
import { occurredAfter, type PendingEvent } from "../events/event.ts";
import { PAYMENT_EXAMPLES } from "../payments/payment.ts";
import type { Ruling } from "./ruling.ts";

export const DISPUTE_STATUSES = ["talking", "deciding", "agreed", "decided", "paused", "closed"] as const;
type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
/** The statuses in which the parties or the arbiter can act: a fork returns a dispute to one of them. */
export type OpenStatus = "talking" | "deciding" | "agreed";
export const DISPUTE_REASONS = [
  "not_received",
  "not_as_described",
  "paid_twice",
  "returned_or_canceled",
  "other",
  "not_given",
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];
/** What a dispute leads to as a rule, by its reason. */
export type UsualOutcomes = Readonly<Partial<Record<DisputeReason, string>>>;

export const SIDES = ["buyer", "merchant"] as const;
export type Side = (typeof SIDES)[number];
export const TURNS = ["buyer", "merchant", "arbiter", "nobody"] as const;
export type Turn = (typeof TURNS)[number];
export const OFFER_STATUSES = ["open", "accepted", "declined", "withdrawn", "replaced", "expired"] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];
/** The kind of an author: a buyer's wallet, a member of the business, or one of its API keys. */
export type AuthorKind = "wallet" | "user" | "key";

export const otherSide = (side: Side): Side => (side === "buyer" ? "merchant" : "buyer");

export { STATEMENTS_A_DAY_MAX, STATEMENTS_MAX } from "@holdfast/ui/disputeStatus.ts";
/** Offers of a side in one dispute. */
export const OFFERS_MAX = 20;
/** Files of a side, reserved for it in every dispute. */
export const FILES_MAX = 10;
/** Offers that an object shows, the newest. */
const OFFERS_SHOWN_MAX = 10;
/** Characters and bytes of a statement, and characters of the sentence of an offer. */
export const STATEMENT_CHARACTERS_MAX = 5_000;
export const STATEMENT_BYTES_MAX = 12_000;
export const OFFER_TEXT_CHARACTERS_MAX = 500;

export const OFFERS = table("dispute_offers", {
  businessId: word(),
  disputeId: word(),
  id: word(),
  number: smallint(),
  side: word<Side>(),
  total: digits("numeric"),
  refundTotal: digits("numeric"),
  text: nullable(text()),
  until: time(),
  status: word<OfferStatus>(),
  author: word(),
  /** A member of the business makes the merchant's offers; no API key does. */
  authorKind: word<Exclude<AuthorKind, "key">>(),
  /** A wallet's signature, and the text that it signs. */
  signedText: nullable(text()),
  signature: nullable(text()),
  /** The acceptance of the other side. */
  acceptedAt: nullable(time()),
  acceptedBy: nullable(word()),
  acceptedText: nullable(text()),
  acceptedSignature: nullable(text()),
  createdAt: time(),
});
export type Offer = FieldsOf<typeof OFFERS.columns>;

export const AGREEMENTS = table("dispute_agreements", {
  businessId: word(),
  disputeId: word(),
  offerId: word(),
  total: digits("numeric"),
  until: time(),
  buyerSignedAt: time(),
  merchantGivenAt: time(),
  agreedAt: time(),
  failedAt: nullable(time()),
  executedAt: nullable(time()),
});
export type Agreement = FieldsOf<typeof AGREEMENTS.columns>;

const ID = idColumn("dp", {
  example: "dp_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e",
});
export const DISPUTE_ID = new RegExp(idPattern("dp"));

/** The members of a dispute as the API shows them, and their columns. */
export const DISPUTE_MEMBERS = {
  businessId: word(),
  id: ID,
  environment: word<Environment>({ of: ENVIRONMENTS, says: "Its environment.", example: "test" }),
  payment: named(
    "payment_address",
    column(ADDRESS, { says: "The address of the disputed payment.", example: PAYMENT_EXAMPLES.id }),
  ),
  intentId: word({ as: "intent", says: "Id of the payment's intent.", example: PAYMENT_EXAMPLES.intentId }),
  merchantReference: text({ says: "Your reference, copied from the intent.", example: "order-1001" }),
  status: word({
    of: DISPUTE_STATUSES,
    says: "Its status. The chain decides about the money, so it may change to `decided`, `paused` or `closed` at any time.",
    example: "talking",
  }),
  reason: word({
    of: DISPUTE_REASONS,
    says: "The buyer's reason; `not_given` until the buyer says.",
    example: "not_received",
  }),
  amount: digits("numeric"),
  requestedTotal: nullable(
    digits("numeric", {
      says: "The amount that the buyer wants back in all, in the asset's smallest unit; null until the buyer says.",
      example: "5000000",
      schema: { pattern: PART_AMOUNT.source },
    }),
  ),
  openedAt: time({ says: "The time of its opening, by the chain's clock.", example: "2026-11-21T03:10:00.000Z" }),
  turn: word({
    of: TURNS,
    says: "The party that is expected to act: the one that has not had the last word, the arbiter, or the one whose step of an agreement is next.",
    example: "merchant",
  }),
  answerBy: time({
    says: "While talking: the time from which the arbiter decides.",
    example: "2026-11-26T03:10:00.000Z",
  }),
  decidingAt: nullable(time({ says: "The time at which deciding first began; null before." })),
  decideBy: nullable(
    time({
      says: "The time by which the arbiter means to decide; null until deciding begins. A question moves it by three days, also if it is past.",
    }),
  ),
  questionUntil: nullable(
    time({
      says: "While deciding: the time until which both sides can write about the arbiter's question; null without one.",
    }),
  ),
  resolveBy: time({
    says: "The time from which anyone can have the payment refunded to the buyer, if nothing was decided.",
    example: "2027-02-19T03:10:00.000Z",
  }),
  offers: computed(
    json({
      says: "The newest ten offers, oldest first.",
      example: [],
      schema: { type: "array", items: { $ref: "#/components/schemas/DisputeOffer" } },
    }),
  ),
  statements: computed(
    json({
      says: "The number of statements of each side.",
      example: { buyer: 1, merchant: 0 },
      schema: { $ref: "#/components/schemas/DisputeStatementCounts" },
    }),
  ),
  agreement: computed(
    nullable(
      json({
        says: "The agreement of both sides; null if there is none, or it failed.",
        schema: { $ref: "#/components/schemas/DisputeAgreement" },
      }),
    ),
  ),
  files: computed(
    json({
      says: "The number of files of each side.",
      example: { buyer: 1, merchant: 0 },
      schema: { $ref: "#/components/schemas/DisputeFileCounts" },
    }),
  ),
  decision: computed(
    nullable(
      json({
        says: "The arbiter's ruling, once its transaction was read; null without one.",
        schema: { $ref: "#/components/schemas/DisputeDecision" },
      }),
    ),
  ),
  closedAt: nullable(
    time({
      says: "The time at which the last part left or, if it was closed before, of the check that showed nothing open; null until then. The chain does not tell the time of a release or a refund itself.",
    }),
  ),
  createdAt: time({ says: "The time at which the service recorded it.", example: "2026-11-21T03:10:01.512Z" }),
  erasedAt: nullable(time({ says: "The time at which its texts and files were erased; null before." })),
  refundTotal: digits("numeric"),
  resumesAs: nullable(word<OpenStatus>()),
  lastWordBy: word<Side>(),
  lastWordAt: time(),
  buyerStatements: smallint(),
  merchantStatements: smallint(),
  buyerDay: integer(),
  merchantDay: integer(),
  buyerOfDay: smallint(),
  merchantOfDay: smallint(),
  buyerOffers: smallint(),
  merchantOffers: smallint(),
  buyerAskedAt: nullable(time()),
  merchantAskedAt: nullable(time()),
  buyerWroteLate: flag(),
  merchantWroteLate: flag(),
  buyerFiles: smallint(),
  merchantFiles: smallint(),
  questions: smallint(),
  /** The side that is asked alone and has not answered. */
  askedSide: nullable(word<Side>()),
  buyerToAnswer: flag(),
  merchantToAnswer: flag(),
  /** The waits with which it began. */
  answerDays: smallint(),
  decideDays: smallint(),
  agreementDays: smallint(),
  version: integer(),
  nextAt: nullable(time()),
};

export const DISPUTES = table("disputes", stored(DISPUTE_MEMBERS));

/** The offers and the agreement of a dispute that its rules read. */
export const OFFER_STATE = pick(
  OFFERS.columns,
  ...(["id", "side", "total", "text", "until", "status", "acceptedAt", "createdAt"] as const),
);
export type OfferState = FieldsOf<typeof OFFER_STATE>;

/**
 * A dispute as its rules see it: its row, all its offers, oldest first, its agreement, also one that failed, and its ruling,
 * which may be read before the payment's account shows it.
 */
export interface Dispute extends FieldsOf<typeof DISPUTES.columns> {
  readonly offers: readonly OfferState[];
  readonly agreement: Agreement | null;
  readonly ruling: Ruling | null;
}

/** The agreement that holds; null if there is none, or it failed. */
export const agreementOf = ({ agreement }: Pick<Dispute, "agreement">): Agreement | null =>
  agreement === null || agreement.failedAt !== null ? null : agreement;

/** The steps that an agreement still lacks on chain: the merchant's refund of its total, then the buyer's release of the rest. */
export function missingSteps({
  agreement,
  amount,
  refundTotal,
}: Pick<Dispute, "agreement" | "amount" | "refundTotal">): readonly ("refund" | "release")[] {
  if (agreement === null || agreement.failedAt !== null || agreement.executedAt !== null) return [];
  const steps: ("refund" | "release")[] = [];
  if (BigInt(refundTotal) < BigInt(agreement.total)) steps.push("refund");
  // A refund of the whole amount decides by itself.
  if (agreement.total !== amount) steps.push("release");
  return steps;
}

const show = shower("dispute", DISPUTE_MEMBERS);

const showOffer = (offer: OfferState, withText: boolean): string =>
  `{"id":"${offer.id}","by":"${offer.side}","total":"${offer.total}",${withText ? `"text":${showText(offer.text)},` : ""}"until":${showTime(offer.until)},"status":"${offer.status}","createdAt":${showTime(offer.createdAt)}}`;

function showAgreement(dispute: Dispute): string | null {
  const agreement = agreementOf(dispute);
  if (agreement === null) return null;
  const { offerId, total, until, buyerSignedAt, merchantGivenAt } = agreement;
  const executes = missingSteps(dispute).map((step) => `"${step}"`);
  return `{"offer":"${offerId}","total":"${total}","refundTotal":"${dispute.refundTotal}","until":${showTime(until)},"buyer":${showTime(buyerSignedAt)},"merchant":${showTime(merchantGivenAt)},"executes":[${executes.join(",")}]}`;
}

/** The ruling of a dispute that it has ended. */
export const rulingOf = ({ status, ruling }: Pick<Dispute, "status" | "ruling">): Ruling | null =>
  status === "decided" || status === "closed" ? ruling : null;

/** The decision without its texts, or with them. */
export function showDecision(
  ruling: Ruling | null,
  texts: {
    readonly reasons: string | null;
    readonly record: string | null;
    /** The time at which both were erased. */
    readonly erasedAt: Date | null;
  } | null = null,
): string | null {
  if (ruling === null) return null;
  const { total, memo, sha256, offerId, arbiter, signature, ruledAt } = ruling;
  return JSON.stringify({
    total,
    memo,
    sha256,
    agreement: offerId,
    arbiter,
    transaction: signature,
    ruledAt,
    ...texts,
  });
}

const shownOf = (dispute: Dispute, withTexts: boolean) =>
  [
    dispute,
    {
      offers: `[${dispute.offers
        .slice(-OFFERS_SHOWN_MAX)
        .map((offer) => showOffer(offer, withTexts))
        .join(",")}]`,
      statements: `{"buyer":${dispute.buyerStatements},"merchant":${dispute.merchantStatements}}`,
      agreement: showAgreement(dispute),
      files: `{"buyer":${dispute.buyerFiles},"merchant":${dispute.merchantFiles}}`,
      decision: showDecision(rulingOf(dispute)),
    },
  ] as const;

/** A dispute in an event: without the texts of either side. */
export const showDisputeEvent = (dispute: Dispute): Fields => show.fields(...shownOf(dispute, false));
/** A dispute in a list, with the texts of its offers. */
export const showDispute = (dispute: Dispute): Fields => show.fields(...shownOf(dispute, true));
export const showDisputeText = (dispute: Dispute): JsonText => show.text(...shownOf(dispute, true));

/** The event of a change: each raises the version, so none is recorded twice. `before` is null for a new dispute. */
export function draftDisputeEvent(before: Dispute | null, after: Dispute, last: Date, changedAt: Date): PendingEvent {
  const isNow = (status: DisputeStatus) => after.status === status && before?.status !== status;
  const type =
    before === null
      ? "dispute.opened"
      : isNow("decided")
        ? "dispute.decided"
        : isNow("closed")
          ? "dispute.closed"
          : "dispute.updated";
  return {
    type,
    objectId: after.id,
    generation: after.version,
    transition: type,
    intentId: after.intentId,
    paymentAddress: after.payment,
    occurredAt: occurredAfter(last, changedAt),
    object: showDisputeEvent(after),
    before: before === null ? null : showDisputeEvent(before),
  };
}
