import { Type } from "typebox";
import { idKind } from "../../../domain/ids.ts";
import { ADDRESS, column, FLAG, PART_UNITS, SHA256, SIGNATURE, TEXT, TRANSACTION } from "../../../domain/values.ts";
import { buyerBody, loose, needed } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { describedElsewhere, part, shownAnswer, shownObject } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { member } from "../../../edge/http/schemas.ts";
import { flag, slot, text, time } from "../../../lib/columns.ts";
import { INTENT_EXAMPLES } from "../../intents/schema.ts";
import { LIFE_EXAMPLE, TRANSACTION_LIFE } from "../../paymentActions/schema.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import { REQUEST } from "./transactionRequest.ts";

const BYTES = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAQABAg==";
const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const lamports = (says: string, example: string) => column(PART_UNITS, { says, example });

export const CHECKOUT_TRANSACTION = shownObject(
  "checkout_transaction",
  {
    transaction: column(TRANSACTION, { says: "The transaction to sign, in base64.", example: BYTES }),
    notAfter: time({ says: "The program accepts the payment until then.", example: "2026-11-20T08:40:00.000Z" }),
    arbiter: column(ADDRESS, { says: "The arbiter that the payment names.", example: PAYMENT_EXAMPLES.arbiter }),
    termsHash: column(SHA256, { says: "The hash of the terms text, which the payment names (§4.13).", example: HASH }),
    terms: text({ says: "The terms text.", example: '{"v":2}' }),
    payment: column(ADDRESS, { says: "The address that the payment will have.", example: PAYMENT_EXAMPLES.id }),
    lastValidBlockHeight: slot({
      says: "The last height of the chain's blocks at which the transaction can land.",
      example: 431_207_113,
      schema: { minimum: 0 },
    }),
    fee: part(
      {
        networkLamports: lamports("The network's fee.", "5000"),
        recordLamports: lamports("The rent of the payment's record.", "3090240"),
        vaultLamports: lamports("The rent of its token account.", "2039280"),
        tokenAccountLamports: lamports("The rent of the recipient's token account, if it has none yet.", "0"),
        totalLamports: lamports("All of these.", "5134520"),
        tombstoneLamports: lamports("The part of the record's rent that never comes back.", "1218240"),
      },
      "The cost beside the amount.",
    ),
    sponsored: flag({ says: "True if the deployment pays all of `fee`.", example: false }),
    seated: flag({
      says: "True if it takes a seat of a payment link, which only a transaction that is handed in by `submit` holds (§13.21.5).",
      example: false,
    }),
  },
  "A transaction that pays an intent. It changes nothing until its wallet has signed it and it lands.",
);

export const HANDED_IN = shownObject(
  null,
  { signature: column(SIGNATURE, { says: "The transaction's signature.", example: PAYMENT_EXAMPLES.signature! }) },
  "A transaction on its way. The state shows what became of it.",
);

/** Members of bodies of several requests. */
export const account = needed(ADDRESS, "The wallet that is to sign.", (texts) => texts.notAWallet, "invalid_account");
export const sponsored = loose(FLAG, "True if the deployment may pay the network's costs.");
/** Signed or not; the service judges its bytes. */
const transaction = loose(TEXT, "The transaction, in base64.");
export const ACCOUNT_BODY = buyerBody("RequestAccount", { account }, { account: PAYMENT_EXAMPLES.sender });
export const TRANSACTION_BODY = buyerBody("GivenTransaction", { transaction }, { transaction: BYTES });

export const handedIn = shownAnswer(202, "On its way.", HANDED_IN);
export const lifeAnswer = shownAnswer(200, "The state of the transaction.", {
  schema: TRANSACTION_LIFE,
  example: LIFE_EXAMPLE,
});
/** The answers of a Solana Pay transaction request. */
export const labelAnswer = shownAnswer(200, "The name of the asker.", {
  schema: Type.Object({
    label: Type.String({ description: "The name of the asker." }),
    icon: Type.String({ description: "The address of a picture." }),
  }),
  example: { label: "Fernweh Coffee", icon: "https://pay.example.com/pay/icon.svg" },
});
export const requestedAnswer = shownAnswer(200, "The transaction to sign.", {
  schema: Type.Object({
    transaction: member(TRANSACTION, "The transaction to sign, in base64."),
    message: Type.String({ description: "The act in words, for the wallet to show." }),
    redirect: Type.Optional(Type.String({ description: "The page that follows; only with https." })),
  }),
  example: { transaction: BYTES, message: "5.00 USDC to Fernweh Coffee, protected for 7 days" },
});
const declare = buyerDeclarations({
  tag: "Paying",
  from: "page",
  path: { id: pathPart(idKind("pi"), "The intent's id, which is secret.", INTENT_EXAMPLES.id) },
  errors: ["not_found", "paid", "expired", "canceled"],
});
const BUILD_ERRORS = [
  "invalid_account",
  "not_found",
  "paid",
  "expired",
  "canceled",
  "checkout_held",
  "not_accepted",
  "no_seat",
  "not_sponsored",
  "insufficient_token",
  "insufficient_sol",
  "simulation_failed",
  "chain_unavailable",
] as const;

export const BUILD_PAYMENT = declare({
  operationId: "buildPayment",
  summary: "Build the payment",
  description: "Builds the transaction by which a wallet pays the intent.",
  body: buyerBody("PaymentWanted", { account, sponsored }, { account: PAYMENT_EXAMPLES.sender, sponsored: true }),
  success: shownAnswer(200, "The transaction to sign.", CHECKOUT_TRANSACTION),
  errors: BUILD_ERRORS,
});
export const SUBMIT_PAYMENT = declare({
  operationId: "submitPayment",
  summary: "Send the signed payment",
  description: "Takes a transaction that a wallet signed, and sends it until it lands or no longer can.",
  body: TRANSACTION_BODY,
  success: handedIn,
  errors: [...BUILD_ERRORS, "invalid_transaction"],
});
export const REPORT_PAYMENT = declare({
  operationId: "reportPayment",
  summary: "Report a payment that the wallet sent itself",
  description: "Follows the transaction. With `transaction`, the built one of this signature, it counts as on its way.",
  body: buyerBody(
    "PaymentReport",
    { signature: needed(SIGNATURE, "Its signature.", (texts) => texts.notASignature), transaction },
    { signature: PAYMENT_EXAMPLES.signature },
  ),
  success: handedIn,
});
export const FETCH_PAYMENT_LIFE = declare({
  operationId: "fetchPaymentLife",
  isAskedByPages: true,
  summary: "Ask if a payment can still land",
  description: "Judges the built or the signed transaction by the heights of the chain's final blocks (§4.14.11).",
  body: buyerBody(
    "LifeWanted",
    { transaction, payment: loose(ADDRESS, "The payment's address, as the build named it.") },
    { transaction: BYTES },
  ),
  success: lifeAnswer,
  errors: ["not_found", "invalid_transaction", "chain_unavailable"],
});
export const GET_PAYMENT_REQUEST = declare({
  ...{ operationId: "getPaymentRequest", ...REQUEST },
  summary: "Begin a Solana Pay request",
  description: "The first request of a wallet that was given the link.",
  success: labelAnswer,
});
export const MAKE_PAYMENT_REQUEST = declare({
  ...{ operationId: "makePaymentRequest", ...REQUEST },
  summary: "Get the transaction of a Solana Pay request",
  description: "Builds the payment for the wallet. A sponsor signs before it, for a limited number.",
  body: ACCOUNT_BODY,
  success: requestedAnswer,
  errors: BUILD_ERRORS,
});
export const GET_ICON = declare({
  operationId: "getIcon",
  from: "link",
  path: {},
  summary: "Get the picture of requests",
  description: "The picture that a wallet shows beside a request.",
  success: { status: 200, isInPlace: true, description: "The picture.", mediaTypes: ["image/svg+xml"] },
  errors: [],
});
export const GET_TERMS = declare({
  operationId: "getTerms",
  from: "link",
  path: { hash: pathPart(SHA256, "The hash of the terms text.", HASH) },
  summary: "Get a terms text",
  description: "The text whose hash a payment names (§4.13).",
  success: describedElsewhere("The text (§4.13).", { v: 2 }),
  errors: ["not_found"],
});
