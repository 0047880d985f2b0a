import { Type } from "typebox";
import { UNVERIFIED_REASONS } from "../../domain/errors.ts";
import { idKind } from "../../domain/ids.ts";
import { TERMS, type Term } from "../../domain/terms.ts";
import { checked, oneOf, SIGNATURE } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, optional, requestBody } from "../../edge/http/fields.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { parameter, pathPart } from "../../edge/http/parameters.ts";
import { answer, choice, component, listAnswer, listOf, nullable } from "../../edge/http/schemas.ts";
import { DONE } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { nullable as nullableColumn, other, text, time, word } from "../../lib/columns.ts";
import { isDescription } from "../intents/intent.ts";
import { forKeys, INTENT_EXAMPLES, PAID_EXAMPLE } from "../intents/schema.ts";
import { type NextAction, PAYMENT_EXAMPLES } from "../payments/payment.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { UNMATCHED_MEMBERS } from "../payments/unmatched.ts";
import { OUTCOMES } from "./decide/decision.ts";
import { RULES, VERDICTS } from "./verification.ts";

const SIGNATURE_FIELDS = {
  fields: {
    signature: field(SIGNATURE, {
      description: "The signature of the buyer's transaction.",
      format: "solana-signature",
    }),
  },
  example: { signature: PAYMENT_EXAMPLES.signature },
};
const NEW_CONFIRMATION = requestBody({ component: "NewConfirmation", operation: "Confirm", ...SIGNATURE_FIELDS });
const NEW_VERIFICATION = requestBody({ component: "NewVerification", operation: "Verify", ...SIGNATURE_FIELDS });

/** §4.5, §4.11. */
export const confirmComponents: Components = {
  Confirmation: Type.Object(
    {
      object: Type.Literal("confirmation"),
      outcome: choice(OUTCOMES, {
        description:
          "`bound`: it paid the intent. `duplicate`: the intent was paid already, this payment is recorded as a further one. `already_recorded`: the sweep or an earlier call was first.",
      }),
      intent: component("PaymentIntent"),
      payment: component("Payment"),
    },
    { description: "The outcome of a confirmation. `payment` is the one that decided it." },
  ),
  [NEW_CONFIRMATION.component]: NEW_CONFIRMATION.schema,
  Verification: Type.Object(
    {
      object: Type.Literal("verification"),
      outcome: choice([...OUTCOMES, "signature_unverified"], {
        description: "The outcome that confirm would have now.",
      }),
      reason: nullable(choice(UNVERIFIED_REASONS), {
        description: "Why it is unverified, as `error.reason` of confirm; null otherwise.",
      }),
      rules: Type.Array(
        Type.Object({
          rule: choice(RULES),
          verdict: choice(VERDICTS, { description: "`unknown`: it could not be read." }),
          expected: Type.String({ description: "The value that binds." }),
          found: nullable(Type.String(), {
            description: "The value on chain; null while it is unknown. Nothing of another intent is shown.",
          }),
        }),
        { description: "The rules of a binding, in the order in which they are checked." },
      ),
    },
    { description: "The answer that confirm would give, and the reasons." },
  ),
  [NEW_VERIFICATION.component]: NEW_VERIFICATION.schema,
};

const ID = {
  id: pathPart(idKind("pi"), "The intent's id.", PAYMENT_EXAMPLES.intentId),
} as const;

const declare = declarations({
  tag: "Payment intents",
  path: ID,
  errors: ["forbidden", "not_found", "signature_unverified", "chain_unavailable"],
});

export const CONFIRM_PAYMENT = declare({
  operationId: "confirmPayment",
  summary: "Confirm a payment",
  description:
    "For merchants with a checkout of their own: looks at the buyer's transaction on chain now and binds its payment at once, instead of waiting for the periodic sweep. Works in every status of the intent; repeats are safe.\n\nThe transaction must have succeeded and created a payment that carries the intent's `paymentId` and matches its recipient, amount, asset and protection period. `signature_unverified` is never kept under an `Idempotency-Key`: where `error.retryable` is true, send the same request again.",
  body: NEW_CONFIRMATION,
  success: answer(200, "The payment is recorded.", "Confirmation", {
    object: "confirmation",
    outcome: "bound",
    intent: forKeys(PAID_EXAMPLE),
    payment: PAYMENT_EXAMPLE,
  }),
});

/** A rule that holds. */
const pass = (rule: string, value: string) => ({ rule, verdict: "pass", expected: value, found: value });

export const VERIFIED_EXAMPLE = {
  object: "verification",
  outcome: "signature_unverified",
  reason: "mismatch",
  rules: [
    pass("found", "found"),
    pass("confirmed", "confirmed"),
    pass("succeeded", "succeeded"),
    pass("payment_id", INTENT_EXAMPLES.paymentId),
    pass("recipient", INTENT_EXAMPLES.recipient),
    { rule: "amount", verdict: "fail", expected: INTENT_EXAMPLES.amount, found: "4999999" },
    pass("asset", INTENT_EXAMPLES.asset),
    pass("protection_period", INTENT_EXAMPLES.protectionPeriod),
  ],
} as const;

export const VERIFY_SIGNATURE = declare({
  operationId: "verifySignature",
  summary: "Verify a signature",
  description:
    "A dry run of confirm: says what confirm would answer now and how each rule of a binding turned out. It changes nothing. Under an `Idempotency-Key` the answer is stored, but for `signature_unverified`.",
  changesNothing: true,
  body: NEW_VERIFICATION,
  success: answer(200, "Looked at.", "Verification", VERIFIED_EXAMPLE),
  errors: ["not_found", "chain_unavailable"],
});

export const UNMATCHED_PAYMENT = shownObject(
  "unmatched_payment",
  {
    ...UNMATCHED_MEMBERS,
    intent: nullableColumn(
      word({
        says: "The business's intent with this number; null if it is none of its own.",
        example: PAYMENT_EXAMPLES.intentId,
      }),
    ),
    mismatch: other<readonly Term[]>("text[]", {
      says: "The terms that differ from those of `intent`.",
      example: ["amount"],
      schema: { type: "array", items: { type: "string", enum: [...TERMS] } },
    }),
    note: nullableColumn(
      text({
        says: "The order to which it belongs, in a member's words; null if there is no note. It changes nothing.",
        example: "Belongs to order 1036",
      }),
    ),
    notedBy: nullableColumn(text({ says: "The member who wrote the note.", example: "kim@example.com" })),
    notedAt: nullableColumn(time({ says: "The time of the note.", example: "2026-11-22T16:40:00.000Z" })),
    nextActions: other<readonly NextAction[]>("json", {
      says: "The actions that the escrow program allows now, as of `checkedAt`; empty once everything has left.",
      example: [{ action: "refund", by: "recipient", until: null, blockedBy: null }],
      schema: { type: "array", items: component("NextAction") },
    }),
    at: time({
      says: "The environment's time at which it was read: the clock that ends its periods.",
      example: "2026-11-22T16:40:00.000Z",
    }),
  },
  "A payment on chain that is bound to no intent.",
);

const NEW_NOTE = requestBody({
  component: "NewPaymentNote",
  operation: "Note",
  fields: {
    note: optional(
      field(
        checked(
          { minLength: 1, maxLength: 500 },
          "1 to 500 characters of plain text without control characters",
          isDescription,
        ),
      ),
    ),
  },
  example: { note: "Belongs to order 1036" },
});

export const NOTE_UNMATCHED_PAYMENT = declarations({ tag: "Events", errors: ["forbidden", "not_found"] })({
  operationId: "noteUnmatchedPayment",
  summary: "Note the order of a payment that matches none",
  description:
    "For owners and admins. Keeps a note of at most 500 characters for all members, or removes it (null). It changes no status, sends no event and moves no funds, and the payment stays in every list. The audit log has it.",
  path: {
    ...tenantPath,
    payment: { schema: Type.String(), description: "Its address on chain.", example: PAYMENT_EXAMPLES.id },
  },
  body: NEW_NOTE,
  success: DONE,
});

export const staffRecordingComponents: Components = {
  UnmatchedPayment: UNMATCHED_PAYMENT.schema,
  UnmatchedPaymentList: listOf("UnmatchedPayment", "Payments that match no order", "those that name an intent first"),
};

export const GET_UNMATCHED_PAYMENT = declarations({ tag: "Events", errors: ["not_found"] })({
  operationId: "getUnmatchedPayment",
  summary: "Get a payment that matches no order",
  description:
    "A payment that is bound to no intent, if its number belongs to an intent of the business, or its recipient is a wallet that the business saved.",
  path: {
    ...tenantPath,
    payment: { schema: Type.String(), description: "Its address on chain.", example: PAYMENT_EXAMPLES.id },
  },
  success: answer(200, "The payment.", "UnmatchedPayment", UNMATCHED_PAYMENT.example),
});

export const LIST_UNMATCHED_PAYMENTS = declarations({ tag: "Events", errors: ["not_found"] })({
  operationId: "listUnmatchedPayments",
  summary: "List payments that match no order",
  description:
    "Payments that are bound to no intent, those still in the escrow or those that ended, 50 at most: those that one of the newest 100 `payment_intent.payment_mismatch` events names, one of the newest 100 to the recipient of the intent that they name, and those to a saved recipient. Those to the recipient of the intent come first, then those to a saved one, then others; in each, the next deadline first, of ended ones the newest.",
  path: tenantPath,
  query: {
    state: parameter(
      oneOf(["open", "ended"]),
      "`open`: still in the escrow. `ended`: released or refunded. Default: `open`.",
    ),
  },
  success: listAnswer("The payments.", "UnmatchedPayment", UNMATCHED_PAYMENT.example),
});
