import { Type } from "typebox";
import { DAY } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { parameter, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, component, nullable as nullableSchema, timestamp, timestampOf } from "../../edge/http/schemas.ts";
import { DONE } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { digits, flag, integer, nullable, other, slot, text, time, word } from "../../lib/columns.ts";
import { FINDING_KINDS } from "./books.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const PAYMENT = "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL";
const SUM = { pattern: "^(0|[1-9][0-9]*)$" };
const sum = (says: string, example = "0") => digits("numeric", { says, example, schema: SUM });
const value = (says: string, example: string) =>
  digits("numeric", { says, example, schema: { pattern: "^[0-9]+([.][0-9]+)?$" } });
const count = (says: string, example = 0) => integer({ says, example, schema: { minimum: 0 } });
const asset = word({ says: "The token's mint.", example: USDC });
const symbol = nullable(
  word({ says: "As buyers read it; null for a token that only its address names.", example: "USDC" }),
);
const decimals = nullable(
  integer({
    says: "The decimals of the token; null if the chain has not shown it here.",
    example: 6,
    schema: { minimum: 0 },
  }),
);

export const BOOKS_ASSET = shownObject(
  "books_asset",
  {
    asset,
    symbol,
    decimals,
    paid: sum("The amount paid in the period.", "23178950000"),
    paidPayments: count("The number of payments.", 968),
    released: sum("The amount that left to recipients in the period.", "18930250000"),
    releasedPayments: count("The number of payments of which a part left.", 903),
    refunded: sum(
      "The amount that went back to buyers in the period. A payment that went back in parts counts whole, on the day of the last.",
      "412000000",
    ),
    refundedPayments: count("Their number.", 18),
    inEscrow: sum("The amount in the escrow at the end of the period.", "3836700000"),
    leavingToRecipients: nullable(
      sum("The part of it that is bound to leave to recipients next; null for a period that is over."),
    ),
    leavingToSenders: nullable(
      sum("The part of it that is bound to go back to buyers next; null for a period that is over."),
    ),
    values: nullable(
      part(
        {
          currency: word({ says: "The business's reporting currency.", example: "EUR" }),
          paid: value("The value of what was paid in the period, each payment on its day.", "19974.90"),
          paidPayments: count("The number of payments that have a value.", 968),
          released: value("That of what left to recipients.", "16317.80"),
          releasedPayments: count("Their number.", 903),
          refunded: value("That of what went back to buyers, each part on its day.", "355.10"),
          refundedParts: count("The number of those parts.", 31),
          refundedPayments: count("The number of payments that went back and whose parts all have a value.", 17),
        },
        "Values in the reporting currency (§13.23); null if the business has none.",
      ),
    ),
    prices: other<readonly PriceSum[]>("json", {
      says: "The prices of what was paid in the period, by currency: those of payments whose intents had one.",
      example: [{ currency: "EUR", paid: "1940.50", payments: 41 }],
      schema: Type.Array(
        Type.Object({
          currency: Type.String({ description: "ISO 4217." }),
          paid: Type.String({ pattern: "^[0-9]+([.][0-9]+)?$", description: "The sum of the prices." }),
          payments: Type.Integer({ minimum: 0, description: "The number of payments." }),
        }),
      ),
    }),
    differences: count("The differences that the last comparison found in this token."),
    comparison: nullable(
      part(
        {
          payments: count("The open payments that were compared.", 47),
          held: sum("The amount still to leave by the books.", "3836700000"),
          vaults: sum("The amount that their vaults held.", "3836700000"),
          gifts: sum("The part of it that is more than is to leave."),
          giftPayments: count("The number of vaults that held more."),
          slotMin: nullable(slot({ says: "The lowest slot at which one was read.", example: 381204970 })),
          slotMax: nullable(slot({ says: "The highest.", example: 381204977 })),
        },
        "The last comparison with the chain; null if it found no open payment in this token, or there was none.",
      ),
    ),
  },
  "A token in which the business is paid, with its sums. Days are those of UTC.",
);

export const UNMATCHED_SUM = shownObject(
  "unmatched_sum",
  {
    asset,
    symbol,
    decimals,
    payments: count("The number of payments that came in the period.", 1),
    paid: sum("The amount that they were paid.", "9990000"),
    released: sum("The amount that left to recipients in the period.", "9990000"),
    refunded: sum("The amount that went back to buyers in the period."),
    isPart: flag({ says: "True if older payments to a recipient were left out of the sums.", example: false }),
  },
  "The money that came to the business's recipients and is bound to no intent. It is in no other sum.",
);

export const FINDING = shownObject(
  "books_finding",
  {
    kind: word({
      of: FINDING_KINDS,
      says: "`vault_short`: the vault holds less than is to leave. `record_differs`: the payment's record on chain says otherwise than the books. `record_missing`: the chain has none. `sums_differ`: sums by day are not those of the payments. `gift`: the vault holds more than is to leave, which is no difference.",
      example: "gift",
    }),
    payment: nullable(text({ says: "The payment; null for the sums of a token.", example: PAYMENT })),
    reference: nullable(text({ says: "The merchantReference of its order.", example: "order-1029" })),
    asset,
    symbol,
    decimals,
    amount: sum("The amount in question, in the asset's smallest unit.", "1"),
    detail: nullable(text({ says: "The fields or the sums that differ." })),
    slot: nullable(slot({ says: "The slot at which it was read; null for sums.", example: 381204975 })),
    foundAt: time({ says: "The time of the first comparison that found it.", example: "2026-11-25T02:00:10.000Z" }),
  },
  "A finding of a comparison of the books with the chain.",
);

/** The prices of payments in a currency. */
export interface PriceSum {
  readonly currency: string;
  readonly paid: string;
  readonly payments: number;
}

const LAMPORTS = Type.String(SUM);
const COSTS = { spent: "1255000", lent: "2039280" };
const BOOKS = {
  object: "books",
  at: "2026-11-25T08:30:00.000Z",
  today: "2026-11-25",
  assets: [BOOKS_ASSET.example],
  hasMoreAssets: false,
  unmatched: [UNMATCHED_SUM.example],
  costs: COSTS,
  checkedAt: "2026-11-25T02:00:10.000Z",
  isChecking: false,
  differences: 0,
  findings: [FINDING.example],
  hasMoreFindings: false,
};

export const booksComponents: Components = {
  BooksAsset: BOOKS_ASSET.schema,
  BooksFinding: FINDING.schema,
  UnmatchedSum: UNMATCHED_SUM.schema,
  Books: Type.Object(
    {
      object: Type.Literal("books"),
      at: timestamp("The environment's time."),
      today: Type.String({ format: "date", description: "The present day, in UTC." }),
      assets: Type.Array(component("BooksAsset"), { description: "The tokens, those with the most payments first." }),
      hasMoreAssets: Type.Boolean({ description: "True if there are more tokens." }),
      unmatched: Type.Array(component("UnmatchedSum"), {
        description: "Money that came without an order, by token: it is in the wallet, and in no sum of `assets`.",
      }),
      costs: Type.Object(
        {
          spent: { ...LAMPORTS, description: "Fees, and rent that never comes back." },
          lent: { ...LAMPORTS, description: "Rent that comes back once the payments are over." },
        },
        {
          description:
            "The cost that the deployment paid in the period for buyers of the business, in lamports. Payouts of the keeper are not counted by business.",
        },
      ),
      checkedAt: nullableSchema(timestampOf({}), {
        description: "The end of the last comparison with the chain; null if there was none.",
      }),
      isChecking: Type.Boolean({ description: "True while one is asked for or under way." }),
      differences: Type.Integer({ minimum: 0, description: "The differences that the last one found." }),
      findings: Type.Array(component("BooksFinding"), { description: "Its findings, differences first." }),
      hasMoreFindings: Type.Boolean({ description: "True if it found more." }),
    },
    { description: "The money that came in, its place now, and if the chain agrees." },
  ),
};

const declare = declarations({ tag: "Books", path: tenantPath, errors: ["not_found"] });

export const GET_BOOKS = declare({
  operationId: "getBooks",
  summary: "Get the books",
  description:
    "The sums of each token in a period, and what the last comparison with the chain found: each open payment's record and vault, read at one slot. A comparison counts all differences, keeps 500 of them and 500 gifts, and shows 50. The sums are kept with each change of a payment; at most 20 tokens are shown.",
  query: {
    from: parameter(DAY, "The first day of the period, in UTC. Default: the first of all.", { example: "2026-11-01" }),
    until: parameter(DAY, "The last day of the period, in UTC. Default: the present.", { example: "2026-11-30" }),
  },
  success: answer(200, "The books.", "Books", BOOKS),
});
export type BooksQuery = QueryValues<typeof GET_BOOKS.query>;

export const CHECK_BOOKS = declare({
  operationId: "checkBooks",
  summary: "Compare the books with the chain",
  description:
    "For owners, admins and developers. Asks for another comparison, which begins within seconds, at the earliest 15 seconds after the last. Does nothing while one is asked for. Every night there is one without being asked for.",
  success: DONE,
});
