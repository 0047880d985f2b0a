import { Type } from "typebox";
import type { Components } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { choice, nullable, timestamp } from "../../edge/http/schemas.ts";
import { DISPUTE_MEMBERS, OFFER_STATUSES, OFFER_TEXT_CHARACTERS_MAX } from "./dispute.ts";

const DISPUTE = shownObject(
  "dispute",
  DISPUTE_MEMBERS,
  "The case of a disputed payment. The chain decides about the money; the case adds words, offers, clocks and reasons.",
);

const digits = (description: string) => Type.String({ pattern: "^(?:0|[1-9][0-9]{0,19})$", description });
const OFFER_ID = Type.String({ pattern: "^of_[0-9a-f]{32}$", description: "The offer's id." });
const by = choice(["buyer", "merchant"], { description: "The side." });

/** §4.18: also what events show. */
export const disputeComponents: Components = {
  Dispute: DISPUTE.schema,
  DisputeOffer: Type.Object(
    {
      id: OFFER_ID,
      by,
      total: digits("The amount that the buyer has in the end."),
      text: Type.Optional(
        nullable(Type.String({ maxLength: OFFER_TEXT_CHARACTERS_MAX }), {
          description: "A sentence; null if there is none. Absent in events.",
        }),
      ),
      until: timestamp("It can be accepted before this time."),
      status: choice(OFFER_STATUSES, { description: "Its status." }),
      binding: Type.Boolean({
        description: "False for an offer made by an API key, until a person of the business confirms it.",
      }),
      createdAt: timestamp("The time at which it was made."),
    },
    { description: "An offer of one side: what the buyer has in the end." },
  ),
  DisputeStatementCounts: Type.Object(
    { buyer: Type.Integer({ minimum: 0 }), merchant: Type.Integer({ minimum: 0 }) },
    { description: "The number of statements of each side." },
  ),
  DisputeAgreement: Type.Object(
    {
      offer: OFFER_ID,
      total: digits("The amount that the buyer has in the end."),
      refundTotal: digits("The amount that is bound to the buyer on chain."),
      until: timestamp("It fails if the chain does not show it by then."),
      buyer: timestamp("The time at which the buyer's wallet signed it."),
      merchant: timestamp("The time at which the business gave its word."),
      executes: Type.Array(choice(["refund", "release"]), {
        description: "What the chain still lacks: the recipient's refund of the total, then the buyer's release.",
      }),
    },
    { description: "An agreement of both sides." },
  ),
};

/** A dispute as events show it. */
export const DISPUTE_EVENT_EXAMPLE = DISPUTE.example;
