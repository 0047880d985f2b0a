import type { Tenant } from "../../domain/callers.ts";
import type { DisputeChangedReason } from "../../domain/errors.ts";
import { newOfferId } from "../../domain/ids.ts";
import type { Database, Db } from "../../store/database.ts";
import { lockDispute, saveAct } from "./actQueries.ts";
import { advance, type Happening } from "./advance.ts";
import type { Dispute, DisputeReason, OfferState, Side } from "./dispute.ts";
import type { DisputeAct } from "./fragments.ts";
import { type Author, draftStatement } from "./statement.ts";

/** A side of a dispute, and who acts for it. */
export interface Actor {
  readonly side: Side;
  readonly by: Author;
}

/** What is done to a dispute as it is under its lock. */
export interface DraftedAct {
  readonly happening: Happening;
  /** What it adds, besides the new state. */
  readonly adds?: (after: Dispute) => DisputeAct;
}

export type ActAnswer =
  | { readonly kind: "done"; readonly dispute: Dispute }
  | { readonly kind: "not_found" }
  | { readonly kind: "refused"; readonly reason: DisputeChangedReason };

/**
 * Does something to a dispute under the lock of its intent: the rules decide, and the change is saved with its event.
 * `draft` may throw, to undo all of it; `also` runs in the same transaction before the change.
 */
export const actOnDispute = (
  database: Database,
  tenant: Tenant,
  id: string,
  draft: (dispute: Dispute, now: Date) => DraftedAct,
  also?: (db: Db) => Promise<void>,
): Promise<ActAnswer> =>
  database.transaction(async (db): Promise<ActAnswer> => {
    const locked = await lockDispute(db, tenant, id);
    if (locked === null) return { kind: "not_found" };
    const { dispute: before, now } = locked;
    const { happening, adds } = draft(before, now);
    const advanced = advance(before, happening, now);
    if (!advanced.ok) return { kind: "refused", reason: advanced.reason };
    await also?.(db);
    const { dispute: after } = advanced;
    if (after !== before) await saveAct(db, tenant, locked, { before, after, ...adds?.(after) });
    return { kind: "done", dispute: after };
  });

export const giveOpening = (
  database: Database,
  tenant: Tenant,
  id: string,
  by: Author,
  { text, ...given }: { readonly reason: DisputeReason; readonly requestedTotal: string; readonly text: string },
): Promise<ActAnswer> =>
  actOnDispute(database, tenant, id, (_dispute, now) => ({
    happening: { kind: "opening", ...given },
    adds: (after) => ({ statement: draftStatement(after, "buyer", by, text, now) }),
  }));

export const writeStatement = (
  database: Database,
  tenant: Tenant,
  id: string,
  { side, by }: Actor,
  text: string,
): Promise<ActAnswer> =>
  actOnDispute(database, tenant, id, (_dispute, now) => ({
    happening: { kind: "statement", side },
    adds: (after) => ({ statement: draftStatement(after, side, by, text, now) }),
  }));

/** An offer as a side makes it; a buyer's is signed. */
export interface NewOffer {
  readonly total: string;
  readonly text: string | null;
  readonly until: Date;
  readonly signedText: string | null;
  readonly signature: string | null;
}

/** Drafts the happening of an offer. One that an API key makes binds nobody until a person confirms it. */
export function draftOffer(dispute: Dispute, { side, by }: Actor, offer: NewOffer, now: Date): DraftedAct {
  const { signedText, signature, ...terms } = offer;
  const state: OfferState = {
    ...{ id: newOfferId(now), side, ...terms, status: "open", binding: by.authorKind !== "key" },
    ...{ confirmedAt: null, acceptedAt: null, createdAt: now },
  };
  return {
    happening: { kind: "offer", offer: state },
    adds: ({ businessId, id: disputeId, buyerOffers, merchantOffers }) => ({
      offer: {
        ...{ ...state, businessId, disputeId, number: buyerOffers + merchantOffers, ...by, signedText, signature },
        refundTotal: dispute.refundTotal,
        ...{ confirmedBy: null, acceptedBy: null, acceptedText: null, acceptedSignature: null },
      },
    }),
  };
}

export const endOffer = (
  database: Database,
  tenant: Tenant,
  id: string,
  side: Side,
  kind: "offer_withdrawn" | "offer_declined",
  offer: string,
): Promise<ActAnswer> => actOnDispute(database, tenant, id, () => ({ happening: { kind, side, offer } }));

export const askArbiter = (database: Database, tenant: Tenant, id: string, side: Side): Promise<ActAnswer> =>
  actOnDispute(database, tenant, id, () => ({ happening: { kind: "arbiter_asked", side } }));
