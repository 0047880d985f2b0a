import { examplesOf } from "../../lib/columns.ts";
import type { PartsOf } from "../../store/parts.ts";
import { draftDispute } from "./advance.ts";
import type { Dispute, OfferState } from "./dispute.ts";
import { DISPUTE_FACTS } from "./parts/fragments.ts";

export const OPENED_AT = new Date("2026-11-20T10:00:00.000Z");

/** A dispute of 1000 units, opened at {@link OPENED_AT} and found a second later. */
export const aDispute = (changed: Partial<Dispute> = {}): Dispute => ({
  ...draftDispute(
    {
      businessId: "biz-1",
      environment: "test",
      payment: "payment-1",
      intentId: "intent-1",
      merchantReference: "order-1",
      amount: "1000",
    },
    { id: "dp-1", openedAt: OPENED_AT, refundTotal: "0" },
    new Date(OPENED_AT.getTime() + 1_000),
  ),
  ...changed,
});

/** The facts of a dispute about which nothing is known. */
export const NO_FACTS = examplesOf(DISPUTE_FACTS) as unknown as PartsOf<typeof DISPUTE_FACTS>;

export const anOffer = (changed: Partial<OfferState> = {}): OfferState => ({
  id: "of-1",
  side: "merchant",
  total: "400",
  text: "Half of it.",
  until: new Date(OPENED_AT.getTime() + 3 * 86_400_000),
  status: "open",
  acceptedAt: null,
  createdAt: OPENED_AT,
  ...changed,
});
