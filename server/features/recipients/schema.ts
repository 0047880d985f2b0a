import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { isLine } from "../../domain/names.ts";
import { INTENT_STATUSES, PAYMENT_STATUSES } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, type Field, requestBody } from "../../edge/http/fields.ts";
import { choice, component, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { HOLD_HOURS, RECIPIENT_STATES, RECIPIENT_WARNINGS, RECIPIENTS_MAX } from "./recipient.ts";

const ADDRESS = "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const INTENT = "pi_test_01a1fbfeaecb562cb684bcc909ec4992";

/** §13.11. */
export const recipientComponents: Components = {
  Recipient: Type.Object(
    {
      object: Type.Literal("recipient"),
      id: Type.String({ description: "The wallet's address." }),
      label: Type.String({ description: "What the business calls it." }),
      state: choice(RECIPIENT_STATES, {
        description:
          "`arrived`: a test payment has left the escrow to the wallet. `tried`: somebody of the business has found it there.",
      }),
      test: nullable(
        Type.Object({
          intent: Type.String({ description: "The intent's id." }),
          asset: Type.String(),
          amount: Type.String(),
          status: choice(INTENT_STATUSES),
          checkoutUrl: nullable(Type.String(), { description: "Where it can be paid, as long as it can." }),
          paymentStatus: nullable(choice(PAYMENT_STATUSES)),
          protectionDeadline: nullable(timestamp("From when it can be settled to the wallet.")),
        }),
        { description: "The last test payment." },
      ),
      addedAt: timestamp("When it was added."),
      heldUntil: nullable(timestamp("Until then no intent may name it."), {
        description:
          "The time from which intents may name it, while only saved recipients may be named; null if they may now.",
      }),
      confirmedAt: nullable(timestamp("When somebody found the test payment in the wallet.")),
      confirmedBy: nullable(Type.String(), { description: "Who did." }),
    },
    { description: "A wallet that the business is paid to." },
  ),
  RecipientList: listOf("Recipient", "Recipients"),
  SavedOnlyRule: Type.Object(
    {
      object: Type.Literal("saved_only_rule"),
      isOn: Type.Boolean({ description: "A create to any other recipient is refused." }),
      since: nullable(timestamp("Since when."), {
        description: "The time since which it is on; null while it is off.",
      }),
      endsAt: nullable(timestamp("When it ends."), {
        description: "The end that an owner asked for; null if nobody did.",
      }),
    },
    { description: "The rule that creates may name saved recipients alone, on or off." },
  ),
  RecipientCheck: Type.Object(
    {
      object: Type.Literal("recipient_check"),
      problem: nullable(Type.String(), { description: "Why it cannot be kept, in a sentence. Null: it can." }),
      warnings: Type.Array(
        Type.Object({ code: choice(RECIPIENT_WARNINGS), text: Type.String({ description: "In a sentence." }) }),
      ),
    },
    { description: "What the chain shows at an address." },
  ),
  TestAsset: Type.Object(
    {
      object: Type.Literal("test_asset"),
      id: Type.String({ description: "The mint's address." }),
      symbol: Type.String(),
      decimals: Type.Integer(),
    },
    { description: "A well-known token." },
  ),
  TestAssetList: listOf("TestAsset", "Tokens"),
};

const EXAMPLE = {
  object: "recipient",
  id: ADDRESS,
  label: "Treasury",
  state: "waiting",
  test: {
    intent: INTENT,
    asset: USDC,
    amount: "10000",
    status: "requires_payment",
    checkoutUrl: `https://pay.shop-demo.com/pay/i/${INTENT}`,
    paymentStatus: null,
    protectionDeadline: null,
  },
  addedAt: "2026-11-20T08:30:00.000Z",
  heldUntil: null,
  confirmedAt: null,
  confirmedBy: null,
};

const onePath = {
  ...tenantPath,
  recipient: { schema: Type.String(), description: "The wallet's address.", example: ADDRESS },
} as const;
const errors = ["forbidden", "proof_required", "not_found", "action_refused"] as const;
const success = (status: 200 | 201, description = "The recipient.") =>
  ({ status, description, schema: component("Recipient"), example: EXAMPLE }) as const;

const addressField = checkedText(
  Type.String({ description: "A wallet's address.", maxLength: 100 }),
  "an address",
  (text) => text.length <= 100,
);
const labelField = checkedText(
  Type.String({ minLength: 1, maxLength: 100 }),
  "a label of 1 to 100 characters without control characters",
  isLine,
);

/** Words of a list; unknown ones say nothing. */
const acceptedField: Field<readonly string[]> = {
  schema: Type.Array(choice(RECIPIENT_WARNINGS)),
  expected: "a list of warnings",
  fallback: [],
  parse: ({ value }, name) => {
    if (!Array.isArray(value) || !value.every((one) => RECIPIENT_WARNINGS.some((known) => known === one)))
      throw invalid(name, `Expected a list of ${RECIPIENT_WARNINGS.join(", ")}.`);
    return value as string[];
  },
};

const flagField: Field<boolean> = {
  schema: Type.Boolean(),
  expected: "true or false",
  parse: ({ value }, name) => {
    if (typeof value !== "boolean") throw invalid(name, "Expected true or false.");
    return value;
  },
};

export const LIST_RECIPIENTS = {
  operationId: "listRecipients",
  tag: "Recipients",
  summary: "List recipients",
  description: `The wallets that the business is paid to, by label; at most ${RECIPIENTS_MAX}.`,
  path: tenantPath,
  success: {
    status: 200,
    description: "The recipients.",
    schema: component("RecipientList"),
    example: { object: "list", data: [EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const LIST_TEST_ASSETS = {
  operationId: "listTestAssets",
  tag: "Recipients",
  summary: "List tokens for a test payment",
  description: "The well-known tokens that the chain has shown to this deployment.",
  path: tenantPath,
  success: {
    status: 200,
    description: "The tokens.",
    schema: component("TestAssetList"),
    example: {
      object: "list",
      data: [{ object: "test_asset", id: USDC, symbol: "USDC", decimals: 6 }],
      hasMore: false,
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const CHECK_RECIPIENT = {
  operationId: "checkRecipient",
  changesNothing: true,
  tag: "Recipients",
  summary: "Check an address",
  description: "What the chain shows at an address. Nothing is kept.",
  path: tenantPath,
  body: requestBody({
    component: "RecipientCheckInput",
    operation: "The check",
    fields: { address: addressField },
    example: { address: ADDRESS },
  }),
  success: {
    status: 200,
    description: "What is known of it.",
    schema: component("RecipientCheck"),
    example: { object: "recipient_check", problem: null, warnings: [] },
  },
  errors: ["forbidden", "not_found", "rate_limited"],
} as const satisfies Declaration;

export const ADD_RECIPIENT = {
  operationId: "addRecipient",
  tag: "Recipients",
  summary: "Add a recipient",
  description:
    "The address is looked up on chain. Each warning has to be in `accepted`, or the address is refused with `recipient_doubtful`.",
  path: tenantPath,
  body: requestBody({
    component: "RecipientInput",
    operation: "The operation",
    fields: { address: addressField, label: labelField, accepted: acceptedField },
    example: { address: ADDRESS, label: "Treasury" },
  }),
  success: success(201),
  errors: [...errors, "rate_limited"],
} as const satisfies Declaration;

export const RENAME_RECIPIENT = {
  operationId: "renameRecipient",
  tag: "Recipients",
  summary: "Rename a recipient",
  description: "Gives it another label.",
  path: onePath,
  body: requestBody({
    component: "RecipientLabel",
    operation: "The change",
    fields: { label: labelField },
    example: { label: "Treasury" },
  }),
  success: success(200),
  errors,
} as const satisfies Declaration;

export const REMOVE_RECIPIENT = {
  operationId: "removeRecipient",
  tag: "Recipients",
  summary: "Remove a recipient",
  description: "Takes it off the list. Intents that name it are as before.",
  path: onePath,
  success: {
    status: 200,
    description: "It is gone.",
    schema: component("Done"),
    example: { object: "done" },
  },
  errors,
} as const satisfies Declaration;

export const TEST_RECIPIENT = {
  operationId: "testRecipient",
  tag: "Recipients",
  summary: "Offer a test payment",
  description:
    "Creates an intent to the wallet with a protection of one hour, and a reference that begins with `test-payment-`. It is an intent as any other, with its events.",
  path: onePath,
  body: requestBody({
    component: "TestPaymentInput",
    operation: "The operation",
    fields: {
      asset: addressField,
      amount: checkedText(
        Type.String({ pattern: "^[1-9][0-9]{0,19}$" }),
        "an amount in the token's smallest unit, as a string of digits",
        (text) => /^[1-9][0-9]{0,19}$/.test(text) && BigInt(text) < 1n << 64n,
      ),
    },
    example: { asset: USDC, amount: "10000" },
  }),
  success: success(201, "The recipient with its test payment."),
  errors: ["forbidden", "not_found", "action_refused", "rate_limited", "unavailable"],
} as const satisfies Declaration;

export const CONFIRM_RECIPIENT = {
  operationId: "confirmRecipient",
  tag: "Recipients",
  summary: "Confirm that a test payment arrived",
  description:
    "For one who has found the test payment in the wallet. Refused with `test_not_arrived` before it has left the escrow.",
  path: onePath,
  success: success(200),
  errors,
} as const satisfies Declaration;

const RULE = { object: "saved_only_rule", isOn: true, since: "2026-11-20T08:30:00.000Z", endsAt: null };
const ruleAnswer = {
  status: 200,
  description: "The rule.",
  schema: component("SavedOnlyRule"),
  example: RULE,
} as const;

export const GET_SAVED_ONLY = {
  operationId: "getSavedOnlyRule",
  tag: "Recipients",
  summary: "Get the rule on recipients",
  description: "The rule says if creates may name saved recipients alone.",
  path: tenantPath,
  success: ruleAnswer,
  errors: ["not_found"],
} as const satisfies Declaration;

export const SET_SAVED_ONLY = {
  operationId: "setSavedOnlyRule",
  changes: ["getSavedOnlyRule", "listRecipients"],
  tag: "Recipients",
  summary: "Change the rule on recipients",
  description: `For owners. On: at once, which also calls an end off. Off: ${HOLD_HOURS} hours later, and every owner gets a letter.`,
  path: tenantPath,
  body: requestBody({
    component: "SavedOnlyRuleChange",
    operation: "The change",
    fields: { isOn: flagField },
    example: { isOn: true },
  }),
  success: ruleAnswer,
  errors,
} as const satisfies Declaration;
