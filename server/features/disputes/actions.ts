import type { Tenant } from "../../domain/callers.ts";
import { ApiError, type DisputeChangedReason, invalid } from "../../domain/errors.ts";
import { newOfferId } from "../../domain/ids.ts";
import { type JsonText, showFields, showText, showTime } from "../../domain/show.ts";
import type { Db } from "../../store/database.ts";
import { draftEvent } from "../events/event.ts";
import { lockIntent } from "../intents/fragments.ts";
import { advance } from "./advance.ts";
import {
  DISPUTE_ID,
  type Dispute,
  draftDisputeEvent,
  type Offer,
  rulingOf,
  type Side,
  showDecision,
  showDispute,
} from "./dispute.ts";
import { showFile } from "./files/file.ts";
import { type DisputeAct, NO_MARKS } from "./fragments.ts";
import type { Happening } from "./happening.ts";
import { nextActions, showDisputeAction } from "./nextActions.ts";
import { type DisputeTexts, findTexts } from "./parts/fragments.ts";
import { findDispute, findIntentOf, saveChange } from "./queries.ts";
import { reasonsOf } from "./ruling.ts";
import { type Author, draftStatement } from "./statement.ts";
import { DAY_MS } from "./waits.ts";

/** An act of a side: what happens, and what it adds to the dispute. */
export interface Act {
  readonly happening: Happening;
  readonly adds?: (after: Dispute) => DisputeAct;
}

/**
 * Acts in a dispute: under the lock of its intent, with one event. Returns null if there is no such dispute, or no such offer
 * in it; throws `dispute_changed` if its state refuses the act.
 */
export async function actIn(
  db: Db,
  tenant: Tenant,
  id: string,
  draft: (dispute: Dispute, now: Date) => Act,
): Promise<{ readonly dispute: Dispute; readonly now: Date } | null> {
  const locked = await lockDispute(db, tenant, id);
  if (locked === null) return null;
  const { before, now, lastOccurredAt } = locked;
  const { happening, adds } = draft(before, now);
  // An id of another dispute is an unknown one.
  if ("offer" in happening && typeof happening.offer === "string" && !hasOffer(before, happening.offer)) return null;
  const advanced = advance(before, happening, now);
  if (!advanced.ok) throw refuse(advanced.reason);
  const after = advanced.dispute;
  if (after === before) return { dispute: before, now };
  const event = draftDisputeEvent(before, after, lastOccurredAt, now);
  await saveChange(db, tenant, { before, after, ...adds?.(after) }, draftEvent(tenant, event, now));
  return { dispute: after, now };
}

/** A dispute under the lock of its intent, at its environment's time; null if there is no such dispute. */
async function lockDispute(db: Db, tenant: Tenant, id: string) {
  const intentId = DISPUTE_ID.test(id) ? await findIntentOf(db, tenant, id) : null;
  if (intentId === null) return null;
  const locked = await lockIntent(db, tenant, intentId);
  const before = await findDispute(db, tenant, id);
  return locked === null || before === null ? null : { before, ...locked };
}

/** The dispute and its time, locked, if it would take the happening now: throws `dispute_changed` like {@link actIn}, and writes nothing. */
export async function requireActable(db: Db, tenant: Tenant, id: string, happening: Happening) {
  const locked = await lockDispute(db, tenant, id);
  if (locked === null) return null;
  const advanced = advance(locked.before, happening, locked.now);
  if (!advanced.ok) throw refuse(advanced.reason);
  return { dispute: locked.before, now: locked.now };
}

const hasOffer = ({ offers }: Dispute, id: string): boolean => offers.some((offer) => offer.id === id);

export const sendStatement =
  (side: Side, by: Author, text: string) =>
  (_: Dispute, now: Date): Act => ({
    happening: { kind: "statement", side },
    adds: (after) => ({ statement: draftStatement(after, side, by, text, now) }),
  });

export interface NewOffer {
  readonly total: string;
  readonly text: string | null;
  readonly until: Date | null;
}

const HOUR_MS = 3_600_000;
const OFFER_MS = 7 * DAY_MS;
const OFFER_MS_MAX = 30 * DAY_MS;

/** An offer of a member of the business, or of the buyer's wallet with what it signed. */
export const makeOffer =
  (
    side: Side,
    by: Pick<Offer, "author" | "authorKind">,
    wanted: NewOffer,
    signed: Pick<Offer, "signedText" | "signature"> | null = null,
  ) =>
  (dispute: Dispute, now: Date): Act => {
    const { total, text } = wanted;
    if (BigInt(total) > BigInt(dispute.amount)) throw invalid("total", "Expected at most the payment's amount.");
    const offer = {
      id: newOfferId(dispute, now),
      side,
      total,
      text,
      until: wanted.until === null ? defaultUntil(dispute, now) : checkUntil(wanted.until, dispute, now),
      status: "open",
      acceptedAt: null,
      createdAt: now,
    } as const;
    return {
      happening: { kind: "offer", offer },
      adds: (after) => ({
        offer: {
          ...offer,
          ...by,
          ...(signed ?? { signedText: null, signature: null }),
          businessId: after.businessId,
          disputeId: after.id,
          number: after.buyerOffers + after.merchantOffers,
          refundTotal: after.refundTotal,
          ...NO_MARKS,
        },
      }),
    };
  };

const defaultUntil = ({ resolveBy }: Dispute, now: Date): Date =>
  new Date(Math.min(now.getTime() + OFFER_MS, resolveBy.getTime()));

function checkUntil(until: Date, { resolveBy }: Dispute, now: Date): Date {
  const max = Math.min(now.getTime() + OFFER_MS_MAX, resolveBy.getTime());
  if (until.getTime() < now.getTime() + HOUR_MS || until.getTime() > max)
    throw invalid("until", "Expected a time an hour to thirty days ahead, and no later than resolveBy.");
  return until;
}

export const endOffer = (kind: "offer_withdrawn" | "offer_declined", side: Side, offer: string) => (): Act => ({
  happening: { kind, side, offer },
});

/** The acceptance of a side; a wallet's with what it signed. */
export const acceptOffer =
  (
    side: Side,
    offer: string,
    acceptedBy: string,
    signed: Pick<Offer, "acceptedText" | "acceptedSignature"> | null = null,
  ) =>
  (): Act => ({
    happening: { kind: "offer_accepted", side, offer },
    adds: () => ({ marks: { id: offer, acceptedBy, ...signed } }),
  });

export const askArbiter = (side: Side) => (): Act => ({ happening: { kind: "arbiter_asked", side } });

const REFUSALS: Readonly<Partial<Record<DisputeChangedReason, string>>> = {
  paused: "The chain took the dispute back. It goes on if it lands again.",
  talking: "Both sides can still write. The arbiter decides once they have asked for it, or their time is over.",
  deciding: "The arbiter is deciding already.",
  agreed: "Both sides have agreed. What is left is on chain.",
  decided: "The arbiter has ruled.",
  closed: "The dispute is closed.",
  already_given: "The reason was given before.",
  already_asked: "You have asked for the arbiter before.",
  not_your_turn: "The arbiter is deciding. The last word of the other side can be answered once, within 48 hours.",
  limit_reached: "This side has used up what it may send in this dispute.",
  daily_limit_reached: "This side has sent five statements today. Send the next one tomorrow (UTC).",
  refund_exceeds: "More than that is bound to the buyer already. Read the dispute again.",
  offer_not_open: "There is no such open offer to do this with. Read the dispute again.",
  agreement_failed:
    "An agreement of this dispute failed, and it can have no second one. A refund or a release is possible.",
  not_deciding: "Both sides still talk. A question is possible once the arbiter decides.",
  question_open:
    "A side has not had its word on your question, and still can. Wait, or say with `early` that you decide before.",
  not_held: "Claim the dispute first.",
  held_by_other: "Another arbiter holds the dispute.",
};

export const refuse = (reason: DisputeChangedReason): ApiError =>
  new ApiError("dispute_changed", REFUSALS[reason] ?? "The dispute has changed. Read it again.", { reason });

const showQuestion = ({
  number,
  text,
  askedSide,
  askedAt,
  until,
  erasedAt,
}: DisputeTexts["questions"][number]): string =>
  `{"number":${number},"text":${showText(text ?? "")},"askedSide":${JSON.stringify(askedSide)},"askedAt":${showTime(askedAt)},"until":${showTime(until)},"erasedAt":${showTime(erasedAt)}}`;

/** §4.18.9: a dispute by itself, with the texts and what can be done now. */
const showWithTexts = (
  dispute: Dispute,
  { record, statements, files, questions, ...facts }: DisputeTexts,
  now: Date,
  path: string,
): JsonText =>
  showFields({
    ...showDispute(dispute),
    decision: showDecision(rulingOf(dispute), textsOf(record)) ?? "null",
    statements: `[${statements.map(showStatement).join(",")}]`,
    files: `[${files.map((file) => showFile(file, path, dispute.id)).join(",")}]`,
    questions: `[${questions.map(showQuestion).join(",")}]`,
    failedAgreement: showFailedAgreement(dispute),
    ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, JSON.stringify(value)])),
    nextActions: `[${nextActions(dispute, now).map(showDisputeAction).join(",")}]`,
  });

const showFailedAgreement = ({ agreement }: Dispute): string =>
  agreement === null || agreement.failedAt === null
    ? "null"
    : `{"total":"${agreement.total}","agreedAt":${showTime(agreement.agreedAt)},"until":${showTime(agreement.until)},"failedAt":${showTime(agreement.failedAt)}}`;

const showStatement = ({ number, side, text, createdAt, erasedAt }: DisputeTexts["statements"][number]): string =>
  `{"number":${number},"by":"${side}","text":${showText(text ?? "")},"createdAt":${showTime(createdAt)},"erasedAt":${showTime(erasedAt)}}`;

/** The record of a decision with its reasons, as far as they are kept. */
const textsOf = (found: DisputeTexts["record"]) => ({
  reasons: found?.record == null ? null : reasonsOf(found.record),
  record: found?.record ?? null,
  erasedAt: found?.erasedAt ?? null,
});

/**
 * The same, read in the transaction of an act. `path` is what the addresses of its files have before `/disputes`, for this
 * reader.
 */
export const readWithTexts = async (db: Db, dispute: Dispute, now: Date, path: string): Promise<JsonText> =>
  showWithTexts(dispute, await findTexts(db, dispute), now, path);
