import { Type } from "typebox";
import { PART_AMOUNT } from "../../domain/money.ts";
import { TEXT } from "../../domain/values.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { parameter } from "../../edge/http/parameters.ts";
import { answer, component, nullable as nullableSchema, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { digits, integer, nullable, other, text, time, word } from "../../lib/columns.ts";
import { MATTER_KINDS, WEEKS } from "./overview.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const PAYMENT = "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL";
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
/** A sum has no upper bound, unlike an amount. */
const SUM = { pattern: "^(0|[1-9][0-9]*)$" };
const sum = (says: string, example = "0") => digits("numeric", { says, example, schema: SUM });
const count = (says: string, example = 0) => integer({ says, example, schema: { minimum: 0 } });

const MATTER = shownObject(
  "matter",
  {
    kind: word({
      of: MATTER_KINDS,
      says: "The kind. `payouts_behind`, `keeper_low` and `sponsor_low` are shown to operators of the deployment alone.",
      example: "dispute",
    }),
    id: nullable(
      text({ says: "The payment, the endpoint or the wallet; null for a matter of the deployment.", example: PAYMENT }),
    ),
    since: nullable(
      time({ says: "The time at which it began; null if unknown.", example: "2026-11-22T16:40:00.000Z" }),
    ),
    due: nullable(
      time({
        says: "The time until which something can be done; null if there is none.",
        example: "2027-02-20T16:40:00.000Z",
      }),
    ),
    reference: nullable(
      text({
        says: "The merchantReference of the order, or the URL of the endpoint without its query.",
        example: "order-1029",
      }),
    ),
    amount: nullable(
      digits("numeric", {
        says: "The amount in question, in the asset's smallest unit.",
        example: "61000000",
        schema: { pattern: PART_AMOUNT.source },
      }),
    ),
    asset: nullable(word({ says: "The token's mint.", example: USDC })),
    symbol,
    decimals,
    detail: nullable(
      text({
        says: "The last error of an endpoint, the kind of a difference, the reason why a payment matches no order, the id of a dispute, the changed values of a deployment, or the lamports of a wallet.",
      }),
    ),
  },
  "Something that needs a person.",
);

interface DaySum {
  readonly from: string;
  readonly amount: string;
  readonly payments: number;
}

const DAY_SUM = Type.Object(
  {
    from: Type.String({ format: "date", description: "The day, or the Monday of the week, in UTC." }),
    amount: Type.String({ ...SUM, description: "The sum of their amounts." }),
    payments: Type.Integer({ minimum: 1, description: "The number of payments." }),
  },
  { description: "The sum of some payments of a day or a week." },
);
const daySums = (description: string) => Type.Array(component("DaySum"), { description });
const DUE: DaySum = { from: "2026-11-25", amount: "210500000", payments: 4 };
const WEEK: DaySum = { from: "2026-11-23", amount: "1960000000", payments: 80 };

const ASSET = shownObject(
  "asset_overview",
  {
    asset: word({ says: "The token's mint.", example: USDC }),
    symbol,
    decimals,
    inEscrow: sum("Everything that is in the escrow.", "3836700000"),
    due: sum("The recipient's part of payments that are protected.", "3716000000"),
    duePayments: count("Their number.", 47),
    overdue: sum("The part of it that became due on an earlier day and has not left yet."),
    overduePayments: count("Their number."),
    disputed: sum("The recipient's part of payments in dispute, which have no date.", "120700000"),
    disputedPayments: count("Their number.", 3),
    decided: sum("The recipient's part of decided payments, which leaves next."),
    returning: sum("The part that buyers are bound to get back and that has not left yet."),
    releases: other<readonly DaySum[]>("json", {
      example: [DUE],
      schema: daySums("The days on which protected payments become due, from today on."),
    }),
    week: part(
      {
        released: sum("The amount that left to recipients.", "1486250000"),
        releasedPayments: count("The number of payments of which a part left.", 61),
        refunded: sum(
          "The amount that went back to buyers. A payment that went back in parts counts whole, on the day of the last.",
          "32500000",
        ),
        refundedPayments: count("Their number.", 2),
      },
      "The sums since Monday.",
    ),
  },
  "A token in which the business is paid, with its sums. Days and weeks are those of UTC.",
);

const OVERVIEW = {
  object: "overview",
  at: "2026-11-25T08:30:00.000Z",
  today: "2026-11-25",
  matters: [MATTER.example],
  hasMoreMatters: false,
  assets: [ASSET.example],
  hasMoreAssets: false,
  volume: { asset: USDC, weeks: [WEEK] },
};

export const overviewComponents: Components = {
  Matter: MATTER.schema,
  DaySum: DAY_SUM,
  AssetOverview: ASSET.schema,
  Overview: Type.Object(
    {
      object: Type.Literal("overview"),
      at: timestamp("The environment's time."),
      today: Type.String({ format: "date", description: "The present day, in UTC." }),
      matters: Type.Array(component("Matter"), {
        description: "The matters that need a person now, the most urgent first.",
      }),
      hasMoreMatters: Type.Boolean({ description: "True if there are more of a kind than are shown." }),
      assets: Type.Array(component("AssetOverview"), {
        description: "The tokens, those with the most payments in the escrow first.",
      }),
      hasMoreAssets: Type.Boolean({ description: "True if there are more tokens." }),
      volume: nullableSchema(
        Type.Object({
          asset: Type.String({ description: "The token's mint: the one asked for if it is shown, else the first." }),
          weeks: daySums(
            `The amounts paid, by week: this one and the ${WEEKS - 1} before it, without those in which nothing was.`,
          ),
        }),
        { description: "The amounts paid in one of the tokens; null while there is none." },
      ),
    },
    { description: "The matters that need a person, and the places of the money." },
  ),
};

export const { show: showMatter } = MATTER;
export const { show: showAsset } = ASSET;

export const GET_OVERVIEW = {
  operationId: "getOverview",
  tag: "Home",
  summary: "Get the home page",
  description:
    "Shows the matters that need a person now, and of at most eight tokens the amounts that wait in the escrow, with the days of their release, that left this week, and that were paid by week. The sums are kept with each change of a payment. Members are told of differences between books and chain, disputes on their turn, open offers of buyers while the arbiter decides (of the newest hundred disputes), duplicates and payments over a link's limit (the newest hundred) that are still protected, unmatched payments, endpoints that fail or are disabled for it, held checkouts, and for seven days a confirmed change of arbiter or program; operators also of wallets that are low and of parts due for more than 15 minutes. At most five of a kind are shown, those first that concern all payments, then those with a time to act, the next one on top.",
  path: tenantPath,
  query: { token: parameter(TEXT, "The token whose weeks are shown, by its mint.", { example: USDC }) },
  success: answer(200, "The overview.", "Overview", OVERVIEW),
  errors: ["not_found"],
} as const satisfies Declaration;
