import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { checked, TIME } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, optional, requestBody } from "../../edge/http/fields.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { pageParameters, pathPart } from "../../edge/http/parameters.ts";
import { answer, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { INTENT_EXAMPLES } from "../intents/schema.ts";
import { FULFILLMENTS, FULFILLMENTS_MAX, isJws, isShopsWord, isTrackingLink } from "./fulfillment.ts";

export const FULFILLMENT = shownObject(
  "fulfillment",
  FULFILLMENTS.columns,
  "Facts about a delivery, as the merchant recorded them. Nobody edits or deletes them.",
);

const line = (noun: string) =>
  optional(
    field(
      checked(
        { minLength: 1, maxLength: 100 },
        `a ${noun} of 1 to 100 characters without control characters and internet addresses`,
        isShopsWord,
      ),
    ),
  );
const timeField = (description: string) => optional(field(TIME, { description }));

const NEW_FULFILLMENT = requestBody({
  component: "NewFulfillment",
  operation: "The operation",
  fields: {
    carrier: line("carrier"),
    trackingNumber: line("tracking number"),
    link: optional(
      field(
        checked(
          { maxLength: 2_048, pattern: "^https://" },
          "an https address of at most 2,048 characters without user info or a fragment",
          isTrackingLink,
        ),
      ),
    ),
    sentAt: timeField("The time of dispatch."),
    deliveredAt: timeField("The time of delivery."),
    delivery: optional(
      field(
        checked({ maxLength: 8_192 }, "a signed delivery of x402 as a compact JWS of at most 8,192 characters", isJws),
        { description: "The signed delivery." },
      ),
    ),
  },
  example: { carrier: "DHL", trackingNumber: "00340434161094042557", sentAt: "2026-11-21T09:00:00.000Z" },
  needsOne: true,
});

/** §4.19. */
export const fulfillmentComponents: Components = {
  Fulfillment: FULFILLMENT.schema,
  FulfillmentList: listOf("Fulfillment", "Fulfillments"),
  NewFulfillment: NEW_FULFILLMENT.schema,
};

const ID = { id: pathPart(idKind("pi"), "The intent's id.", INTENT_EXAMPLES.id) };
const STAFF_PATH = {
  ...tenantPath,
  intent: { schema: Type.String(), description: "The intent's id.", example: INTENT_EXAMPLES.id },
} as const;

const created = answer(201, "The fulfillment.", "Fulfillment", FULFILLMENT.example);
const listed = listAnswer("A page of fulfillments.", "Fulfillment", FULFILLMENT.example);

const declare = declarations({ tag: "Disputes", path: ID, errors: ["not_found"] });
const LIST = {
  operationId: "listFulfillments",
  summary: "List fulfillments",
  description: `The fulfillments of an intent, newest first; at most ${FULFILLMENTS_MAX}.`,
  query: pageParameters(idKind("ff"), String(FULFILLMENT.example.id), "fulfillment"),
  success: listed,
} as const;
const RECORD = {
  operationId: "recordFulfillment",
  summary: "Record a fulfillment",
  description: `Records facts about a delivery, at least one; \`deliveredAt\` is not before \`sentAt\`, and neither is more than a day ahead; \`delivery\` is what a server that sells by x402 signed, of a payment of this intent whose terms name its offer. They are your word for the buyer and the arbiter, with the time at which it was recorded. An intent has at most ${FULFILLMENTS_MAX}.`,
  body: NEW_FULFILLMENT,
  success: created,
} as const;

export const LIST_FULFILLMENTS = declare(LIST);
export const RECORD_FULFILLMENT = declare({
  ...RECORD,
  scope: "disputes",
  errors: ["forbidden", "not_found", "dispute_changed"],
});
export const LIST_STAFF_FULFILLMENTS = declare({ ...LIST, path: STAFF_PATH });
export const RECORD_STAFF_FULFILLMENT = declare({
  ...RECORD,
  path: STAFF_PATH,
  errors: ["forbidden", "not_found", "dispute_changed"],
});
