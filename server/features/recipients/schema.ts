import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { checked, FLAG, line, UNITS } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { type Field, field, requestBody } from "../../edge/http/fields.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { answer, choice, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { CHANGE_ERRORS, DONE } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { flag, integer, nullable, other, text, time, word } from "../../lib/columns.ts";
import {
  HOLD_HOURS,
  RECIPIENT_STATES,
  RECIPIENT_WARNINGS,
  RECIPIENTS,
  RECIPIENTS_MAX,
  type RecipientState,
  type RecipientWarning,
  SAVED_ONLY_RULES,
  TEST_PAYMENT,
} from "./recipient.ts";

const { intentId, asset, amount, intentStatus, ...payment } = TEST_PAYMENT;
const { address, label, addedAt, ...confirmation } = RECIPIENTS.columns;
const test = part(
  {
    intentId,
    asset,
    amount,
    intentStatus,
    checkoutUrl: nullable(
      text({
        says: "The page on which it can be paid; null once it cannot.",
        example: `https://pay.shop-demo.com/pay/i/${intentId.shown!.example}`,
      }),
    ),
    ...payment,
  },
  "The last test payment; null if none was offered.",
);

export const RECIPIENT = shownObject(
  "recipient",
  {
    address,
    label,
    state: word<RecipientState>({
      of: RECIPIENT_STATES,
      says: "`arrived`: a test payment has left the escrow to the wallet. `tried`: somebody of the business has found it there.",
      example: "waiting",
    }),
    test: nullable(test),
    addedAt,
    heldUntil: nullable(
      time({
        says: "The time from which intents may name it, while only saved recipients may be named; null if they may now.",
      }),
    ),
    ...confirmation,
  },
  "A wallet that the business is paid to.",
);

const { since, endsAt } = SAVED_ONLY_RULES.columns;
export const RULE = shownObject(
  "saved_only_rule",
  {
    isOn: flag({ says: "A create to any other recipient is refused.", example: true }),
    since: nullable(since),
    endsAt,
  },
  "The rule that creates may name saved recipients alone, on or off.",
);

export const CHECK = shownObject(
  "recipient_check",
  {
    problem: nullable(text({ says: "The reason why it cannot be kept, in a sentence; null if it can." })),
    warnings: other<readonly { readonly code: RecipientWarning; readonly text: string }[]>("json", {
      says: "Reasons to check the address again. A recipient is added once each is accepted.",
      example: [],
      schema: Type.Array(
        Type.Object({
          code: choice(RECIPIENT_WARNINGS),
          text: Type.String({ description: "The warning, in a sentence." }),
        }),
      ),
    }),
  },
  "The result of a check of an address on chain.",
);

const ADDRESS = String(RECIPIENT.example.id);
const USDC = String(asset.shown!.example);

export const TEST_ASSET = shownObject(
  "test_asset",
  {
    address: word({ as: "id", says: "The mint's address.", example: USDC }),
    symbol: word({ says: "The token's short name.", example: "USDC" }),
    decimals: integer({ says: "Decimal places of the token.", example: 6 }),
  },
  "A well-known token.",
);

/** §13.11. */
export const recipientComponents: Components = {
  Recipient: RECIPIENT.schema,
  RecipientList: listOf("Recipient", "Recipients"),
  SavedOnlyRule: RULE.schema,
  RecipientCheck: CHECK.schema,
  TestAsset: TEST_ASSET.schema,
  TestAssetList: listOf("TestAsset", "Tokens"),
};

const onePath = {
  ...tenantPath,
  recipient: { schema: Type.String(), description: "The wallet's address.", example: ADDRESS },
} as const;
const errors = CHANGE_ERRORS;
const success = (status: 200 | 201, description = "The recipient.") =>
  answer(status, description, "Recipient", RECIPIENT.example);

const addressField = field(
  checked({ maxLength: 100 }, "an address", (text) => text.length <= 100),
  { description: "A wallet's address." },
);
const labelField = field(line("label"));

/** The warnings that the user has accepted. */
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

const declare = declarations({ tag: "Recipients", path: tenantPath, errors });

export const LIST_RECIPIENTS = declare({
  operationId: "listRecipients",
  summary: "List recipients",
  description: `Lists the wallets that receive payments of the business, by label; at most ${RECIPIENTS_MAX}.`,
  success: listAnswer("The recipients.", "Recipient", RECIPIENT.example),
  errors: ["not_found"],
});

export const LIST_TEST_ASSETS = declare({
  operationId: "listTestAssets",
  summary: "List tokens for a test payment",
  description: "The well-known tokens that the chain has shown to this deployment.",
  success: listAnswer("The tokens.", "TestAsset", TEST_ASSET.example),
  errors: ["not_found"],
});

export const CHECK_RECIPIENT = declare({
  operationId: "checkRecipient",
  changesNothing: true,
  summary: "Check an address",
  description: "Checks the address on chain. Nothing is saved.",
  body: requestBody({
    component: "RecipientCheckInput",
    operation: "The check",
    fields: { address: addressField },
    example: { address: ADDRESS },
  }),
  success: answer(200, "The result of the check.", "RecipientCheck", CHECK.example),
  errors: ["forbidden", "not_found", "rate_limited"],
});

export const ADD_RECIPIENT = declare({
  operationId: "addRecipient",
  summary: "Add a recipient",
  description:
    "The address is looked up on chain. Each warning has to be in `accepted`, or the address is refused with `recipient_doubtful`.",
  body: requestBody({
    component: "RecipientInput",
    operation: "The operation",
    fields: { address: addressField, label: labelField, accepted: acceptedField },
    example: { address: ADDRESS, label: "Treasury" },
  }),
  success: success(201),
  errors: [...errors, "rate_limited"],
});

export const RENAME_RECIPIENT = declare({
  operationId: "renameRecipient",
  summary: "Rename a recipient",
  description: "Changes the label.",
  path: onePath,
  body: requestBody({
    component: "RecipientLabel",
    operation: "The change",
    fields: { label: labelField },
    example: { label: "Treasury" },
  }),
  success: success(200),
});

export const REMOVE_RECIPIENT = declare({
  operationId: "removeRecipient",
  summary: "Remove a recipient",
  description: "Removes the recipient. Existing intents to it do not change.",
  path: onePath,
  success: DONE,
});

export const TEST_RECIPIENT = declare({
  operationId: "testRecipient",
  summary: "Offer a test payment",
  description:
    "Creates an intent to the wallet with a protection of one hour, and a reference that begins with `test-payment-`. It has events as any other intent.",
  path: onePath,
  body: requestBody({
    component: "TestPaymentInput",
    operation: "The operation",
    fields: {
      asset: addressField,
      amount: field(UNITS),
    },
    example: { asset: USDC, amount: "10000" },
  }),
  success: success(201, "The recipient with its test payment."),
  errors: ["forbidden", "not_found", "action_refused", "rate_limited", "unavailable"],
});

export const CONFIRM_RECIPIENT = declare({
  operationId: "confirmRecipient",
  summary: "Confirm that a test payment arrived",
  description:
    "Confirms that the test payment arrived in the wallet. Refused with `test_not_arrived` before it has left the escrow.",
  path: onePath,
  success: success(200),
});

const ruleAnswer = answer(200, "The rule.", "SavedOnlyRule", RULE.example);

export const GET_SAVED_ONLY = declare({
  operationId: "getSavedOnlyRule",
  summary: "Get the rule on recipients",
  description: "Reads the rule that limits creates to saved recipients.",
  success: ruleAnswer,
  errors: ["not_found"],
});

export const SET_SAVED_ONLY = declare({
  operationId: "setSavedOnlyRule",
  changes: ["getSavedOnlyRule", "listRecipients"],
  summary: "Change the rule on recipients",
  description: `For owners. Turning the rule on takes effect at once and cancels a pending end. Turning it off takes effect after ${HOLD_HOURS} hours, and every owner is notified by email.`,
  body: requestBody({
    component: "SavedOnlyRuleChange",
    operation: "The change",
    fields: { isOn: field(FLAG) },
    example: { isOn: true },
  }),
  success: ruleAnswer,
});
