import { Type } from "typebox";
import type { DoorDescription } from "../http/openapi.ts";
import { BUYER_ERRORS } from "./error.ts";

const INTRODUCTION = `The requests of buyers' pages and wallets, below the address of the checkout and without a key: anybody with a link may ask. It belongs to the pages of this deployment and changes with them: programs use the merchant API.

A refusal has \`code\`, a \`message\` in the language of \`Accept-Language\` of at most 80 characters, and perhaps \`details\`. Those of a wallet's request have \`message\` alone.

Requests of a page must come from a page of the checkout; writes of the dispute's page must say so by \`Sec-Fetch-Site\` or \`Origin\`. All but \`challenge\` and \`session\` carry the cookie of its session, and may have an \`Idempotency-Key\`, by which they are done once in a day.`;

/** The path of the document, at the address of the requests that it describes. */
export const CHECKOUT_DOCUMENT_PATH = "/pay/openapi.json";

/** The description of the buyers' door in its document, without operations and objects. */
export const BUYER_DESCRIPTION: DoorDescription = {
  prefix: "/",
  title: "Holdfast checkout",
  summary: "Paying, acting on payments, finding them, and disputes, for buyers' pages and wallets.",
  introduction: INTRODUCTION,
  tags: [
    { name: "Paying", description: "The payment of an intent." },
    { name: "Actions", description: "Acts on a payment, by whoever holds the wallet that has to sign." },
    { name: "Payments", description: "Payments found, and their receipts." },
    { name: "Dispute", description: "A buyer's dispute, after a proof of the wallet that paid." },
  ],
  securitySchemes: {},
  errors: ["invalid_request", "rate_limited", "internal_error", "unavailable"],
  errorDocs: Object.fromEntries(
    Object.entries(BUYER_ERRORS).map(([code, { meaning }]) => [code, { meaning, example: { message: meaning } }]),
  ),
  statuses: BUYER_ERRORS,
  errorMembers: {
    details: Type.Optional(
      Type.Object({}, { additionalProperties: Type.String(), description: "Further values of the refusal, by name." }),
    ),
  },
  isApi: false,
  takesIdempotencyKeys: false,
  admittedHeaders: {},
  unauthorizedHeaders: {},
};
