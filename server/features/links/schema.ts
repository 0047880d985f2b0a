import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { isLine } from "../../domain/names.ts";
import { checked, TOKENS, whole } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, optional, replaceable, requestBody } from "../../edge/http/fields.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { pageParameters, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { omit } from "../../lib/columns.ts";
import { NEW_INTENT_FIELDS } from "../intents/schema.ts";
import { LINK_MEMBERS, SEATS_MAX, TITLE_CODE_POINTS_MAX } from "./link.ts";

export const LINK = shownObject(
  "payment_link",
  omit(LINK_MEMBERS, "businessId"),
  "A link that many buyers pay, each by an intent of their own.",
);
export const linkComponents: Components = {
  PaymentLink: LINK.schema,
  PaymentLinkList: listOf("PaymentLink", "Payment links"),
};

const { limit, starting_after } = pageParameters(idKind("pl"), String(LINK.example.id), "payment link");
const declare = declarations({ tag: "Payment links", path: tenantPath, errors: ["not_found"] });

/** §13.21. */
export const LIST_LINKS = declare({
  operationId: "listPaymentLinks",
  summary: "List payment links",
  description: "The payment links of an environment, newest first.",
  query: { limit, starting_after },
  success: listAnswer("A page of payment links.", "PaymentLink", LINK.example),
});
export type LinkQuery = QueryValues<typeof LIST_LINKS.query>;

const { recipient, asset, protectionPeriod, description, price, locale } = NEW_INTENT_FIELDS;
const HOURS_MAX = 8_760;

export const CREATE_LINK = declare({
  operationId: "createPaymentLink",
  summary: "Create a payment link",
  description:
    'For owners, admins and developers. Creates a link that many buyers pay; an environment has at most 200 open ones. Without an amount and a price, each buyer says how much. The amount is a number of whole tokens; a price becomes one for each buyer, at the rate of that moment (§4.21). The terms are checked as those of an intent. An intent of the link has the title, `#` and a number as its reference, and `{"paymentLink": id}` as its metadata.',
  body: requestBody({
    component: "NewPaymentLink",
    operation: "Create",
    fields: {
      title: field(
        checked(
          { minLength: 1, maxLength: TITLE_CODE_POINTS_MAX },
          `1 to ${TITLE_CODE_POINTS_MAX} characters on one line, without white space at either end`,
          (text) => isLine(text) && text.trim() === text,
        ),
        { description: "Its purpose." },
      ),
      amount: replaceable(
        optional(
          field(TOKENS, { description: "A number of whole tokens; none, without a price, lets the buyer say." }),
        ),
        "price",
      ),
      price,
      asset,
      description,
      locale,
      protectionPeriod,
      recipient,
      seatsMax: optional(
        field(whole(1, SEATS_MAX, `a number of buyers from 1 to ${SEATS_MAX}`), {
          description: "The number of buyers that may pay; none for any number.",
        }),
      ),
      hours: optional(
        field(whole(1, HOURS_MAX, `a number of hours from 1 to ${HOURS_MAX}`), {
          description: "The time for which it can be paid; none for ever.",
        }),
      ),
    },
    example: {
      title: "Workshop",
      amount: "48.50",
      price: null,
      asset: LINK.example.asset,
      description: null,
      locale: "de",
      protectionPeriod: "sevenDays",
      recipient: LINK.example.recipient,
      seatsMax: 50,
      hours: 720,
    },
  }),
  success: answer(201, "Created.", "PaymentLink", LINK.example),
  errors: ["forbidden", "not_found", "rate_limited", "action_refused"],
});

export const CLOSE_LINK = declare({
  operationId: "closePaymentLink",
  summary: "Close a payment link",
  description: "Ends a link: it makes no intents any more, and its open ones get no transaction. What was paid stays.",
  path: {
    ...tenantPath,
    link: { schema: Type.String(), description: "The link's id.", example: String(LINK.example.id) },
  },
  success: answer(200, "Closed.", "PaymentLink", {
    ...LINK.example,
    closedAt: "2026-11-21T08:30:00.000Z",
    state: "closed",
  }),
  errors: ["forbidden", "not_found", "action_refused"],
});
