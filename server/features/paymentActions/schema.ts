import { Type } from "typebox";
import { PAYMENT_ACTIONS } from "../../chain/acts.ts";
import { ADDRESS, PART_UNITS, SIGNATURE, TRANSACTION, UNITS } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, requestBody } from "../../edge/http/fields.ts";
import { pathPart } from "../../edge/http/parameters.ts";
import { answer, choice, lastValidBlockHeight, member, nullable } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { PAYMENT_EXAMPLES } from "../payments/payment.ts";

/** An instruction in the form that a multisignature's tools take. */
export const INSTRUCTION = Type.Object({
  programId: member(ADDRESS, "The program."),
  accounts: Type.Array(
    Type.Object({ address: member(ADDRESS, "The account."), signer: Type.Boolean(), writable: Type.Boolean() }),
  ),
  data: member(TRANSACTION, "Base64."),
});

/** A transaction to sign, for a caller who named the wallet. */
const MEMBERS = {
  object: Type.Literal("action_transaction"),
  action: choice(PAYMENT_ACTIONS, { description: "The action." }),
  payment: member(ADDRESS, "The payment's address."),
  transaction: Type.String({
    contentEncoding: "base64",
    description:
      "A transaction of version 0 in base64, not signed. It lands within half a minute or never: ask again rather than keep it.",
  }),
  total: nullable(PART_UNITS.schema, {
    description: "The amount that the buyer has in the end, in smallest units; null for actions that name none.",
  }),
  fee: Type.Object(
    {
      networkLamports: member(PART_UNITS, "The network's fee."),
      tokenAccountLamports: member(
        PART_UNITS,
        "The rent of the signer's own token account, where the transaction makes it.",
      ),
      totalLamports: member(PART_UNITS, "Both together."),
    },
    { description: "The cost for the signer." },
  ),
  returns: nullable(
    Type.Object({
      lamports: member(PART_UNITS, "The lamports."),
      to: member(ADDRESS, "The wallet that once paid them."),
    }),
    { description: "The rents that this transaction gives back; null if it gives back none." },
  ),
  sponsored: Type.Boolean({ description: "True if the deployment pays the network's fee." }),
  lastValidBlockHeight: lastValidBlockHeight(),
  instructions: Type.Array(INSTRUCTION, {
    description: "The same instructions in a plain form, for the tools of a multisignature.",
  }),
};
const description = "A transaction to sign. It changes nothing until its signer has signed it and it lands.";
export const ACTION_OF_WALLET = Type.Object(MEMBERS, { description });
const ACTION_TRANSACTION = Type.Object(
  { ...MEMBERS, signer: member(ADDRESS, "The recipient's wallet, whose signature it needs.") },
  { description },
);

export const ACTION_EXAMPLE = {
  object: "action_transaction",
  action: "refund",
  payment: PAYMENT_EXAMPLES.id,
  transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAQABAg==",
  total: PAYMENT_EXAMPLES.amount,
  fee: { networkLamports: "5000", tokenAccountLamports: "0", totalLamports: "5000" },
  returns: { lamports: "2039280", to: PAYMENT_EXAMPLES.sender },
  sponsored: false,
  lastValidBlockHeight: 431_207_113,
  instructions: [
    {
      programId: "CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c",
      accounts: [
        { address: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu", signer: false, writable: false },
        { address: PAYMENT_EXAMPLES.id, signer: false, writable: true },
        { address: PAYMENT_EXAMPLES.recipient, signer: true, writable: false },
      ],
      data: "B0BLTAAAAAAA",
    },
  ],
};
const EXAMPLE = { ...ACTION_EXAMPLE, signer: PAYMENT_EXAMPLES.recipient };

const total = field(UNITS, {
  description: "The amount that the buyer has in the end, earlier refunds included, in smallest units.",
  expected: 'the amount that the buyer has in the end, as digits in the asset\'s smallest unit, such as "1500000"',
});
const NEW_REFUND = requestBody({
  component: "NewRefund",
  operation: "Refund",
  fields: { total },
  example: { total: PAYMENT_EXAMPLES.amount },
});
const NEW_STAFF_REFUND = requestBody({
  component: "NewStaffRefund",
  operation: "Refund",
  fields: {
    total,
    account: field(ADDRESS, {
      description: "The wallet that is to sign: the payment's recipient.",
      expected: "the address of a wallet (base58 of 32 bytes)",
    }),
  },
  example: { total: PAYMENT_EXAMPLES.amount, account: PAYMENT_EXAMPLES.recipient },
});
const SIGNED_REFUND = requestBody({
  component: "SignedRefund",
  operation: "Submit",
  fields: {
    transaction: field(TRANSACTION, { description: "The signed transaction, in base64." }),
  },
  example: { transaction: EXAMPLE.transaction },
});

export const TRANSACTION_LIFE = Type.Object(
  {
    object: Type.Literal("transaction_life"),
    status: choice(["live", "landed", "failed", "ended"], {
      description:
        "`live`: it may still land. `landed`, `failed`: the chain has it. `ended`: final blocks show that it never lands.",
    }),
    msLeft: nullable(Type.Integer({ minimum: 0 }), {
      description: "An estimate of the time in which it may still land, in milliseconds; null once it cannot.",
    }),
  },
  { description: "The state of a transaction, by the heights of the chain's blocks." },
);

/** §4.16. */
export const actionComponents: Components = {
  ActionTransaction: ACTION_TRANSACTION,
  [NEW_REFUND.component]: NEW_REFUND.schema,
};

export const staffActionComponents: Components = {
  ActionTransaction: ACTION_TRANSACTION,
  SubmittedRefund: Type.Object(
    {
      object: Type.Literal("submitted_refund"),
      signature: member(SIGNATURE, "The transaction's signature."),
    },
    { description: "A refund on its way. The payment shows it once it has landed." },
  ),
  TransactionLife: TRANSACTION_LIFE,
};

const declare = declarations({
  tag: "Payments",
  errors: ["forbidden", "not_found", "dispute_changed", "chain_unavailable"],
});

export const REFUND_PAYMENT = declare({
  operationId: "refundPayment",
  summary: "Refund a payment",
  description:
    "Builds the transaction by which the recipient's wallet gives back all or a part of a payment that has not left the escrow: protected, disputed, late or a duplicate. The service holds no key: sign the transaction with the wallet `signer` and send it to the chain, or hand `instructions` to your multisignature. Until it lands, nothing has changed.\n\n`total` is what the buyer has in the end, earlier refunds included: the same refund twice pays once. It is an amount of the token, also where the intent has a price in a currency. A refund cannot be taken back. A repeat under the same `Idempotency-Key` gets the same transaction, which cannot land any more above `lastValidBlockHeight`: use a new key for a new one.",
  path: {
    id: pathPart(ADDRESS, "The payment's address on chain.", PAYMENT_EXAMPLES.id),
  },
  body: NEW_REFUND,
  success: answer(200, "The transaction to sign.", "ActionTransaction", EXAMPLE),
});

const declareStaff = declarations({
  tag: "Events",
  path: {
    ...tenantPath,
    payment: { schema: Type.String(), description: "Its address on chain.", example: PAYMENT_EXAMPLES.id },
  },
  errors: [
    "forbidden",
    "not_found",
    "action_refused",
    "dispute_changed",
    "expired",
    "rate_limited",
    "chain_unavailable",
  ],
});

export const REFUND_STAFF_PAYMENT = declareStaff({
  operationId: "refundPayment",
  summary: "Refund a payment",
  description:
    "Builds the transaction by which the recipient's wallet gives back all or a part of a payment that has not left the escrow; also of one that matches no order, if its recipient is `account`.",
  changes: [],
  body: NEW_STAFF_REFUND,
  success: answer(200, "The transaction to sign.", "ActionTransaction", EXAMPLE),
});

export const SUBMIT_REFUND = declareStaff({
  operationId: "submitRefund",
  summary: "Send a signed refund",
  description:
    "Sends a refund that the recipient's wallet signed, and sends it again until it lands or its blockhash has expired.",
  changes: [],
  body: SIGNED_REFUND,
  success: answer(200, "On its way.", "SubmittedRefund", {
    object: "submitted_refund",
    signature: PAYMENT_EXAMPLES.signature,
  }),
});

export const LIFE_EXAMPLE = { object: "transaction_life", status: "live", msLeft: 23_800 };

export const FETCH_REFUND_LIFE = declareStaff({
  operationId: "fetchRefundLife",
  summary: "Ask if a refund can still land",
  description: "Judges a transaction of a refund, signed or not, by the heights of the chain's final blocks.",
  changes: [],
  body: SIGNED_REFUND,
  success: answer(200, "The state of the transaction.", "TransactionLife", LIFE_EXAMPLE),
});
