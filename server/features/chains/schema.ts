import { Type } from "typebox";
import { environmentWord, TEXT } from "../../domain/values.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { parameter } from "../../edge/http/parameters.ts";
import { answer, choice, listAnswer, listOf, nullable as orNull } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { flag, integer, nullable, other, slot, text, time, word } from "../../lib/columns.ts";

import { HOLD_REASONS, type Hold } from "./chain.ts";

const SINCE_ZERO = { minimum: 0 };
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

export const CHAIN = shownObject(
  "chain",
  {
    environment: environmentWord,
    slot: nullable(slot({ says: "The newest confirmed slot that is known.", example: 348211907, schema: SINCE_ZERO })),
    finalizedSlot: nullable(
      slot({ says: "The newest finalized slot that is known.", example: 348211875, schema: SINCE_ZERO }),
    ),
    watermark: nullable(
      time({
        says: "The block time up to which everything is worked through at `finalized`; null until the first pass is through.",
        example: "2026-11-21T03:10:00.000Z",
      }),
    ),
    watermarkSlot: nullable(slot({ says: "The slot of the watermark.", example: 348211861, schema: SINCE_ZERO })),
    behindSeconds: nullable(
      integer({ says: "The seconds by which the watermark is behind.", example: 19, schema: SINCE_ZERO }),
    ),
    nodes: other<{ readonly healthy: number; readonly total: number }>("json", {
      example: { healthy: 2, total: 2 },
      schema: Type.Object(
        {
          healthy: Type.Integer({ minimum: 0, description: "RPC nodes that answered at the last poll." }),
          total: Type.Integer({ minimum: 0, description: "RPC nodes that are configured." }),
        },
        { description: "The RPC nodes that the service asks." },
      ),
    }),
    heldBy: nullable(
      other<Hold>("json", {
        example: null,
        schema: Type.Object(
          {
            reason: choice(HOLD_REASONS, {
              description:
                "`paused`: the sweep is paused. `history`: a long history is read page by page. `no_list`: no node has given a whole list of the history for half a minute. `transaction`: a listed transaction is not processed. `second_node`: only one of several nodes lists the history.",
            }),
            signature: orNull(Type.String(), {
              description: "The oldest transaction that is not processed; null for other reasons.",
            }),
            seconds: orNull(Type.Integer({ minimum: 0 }), {
              description: "The seconds since it was listed, or since the last whole list; null for other reasons.",
            }),
          },
          { description: "The reason that holds the watermark; null if nothing does but the wait for finality." },
        ),
      }),
    ),
  },
  "The progress of the service in reading the chain.",
);
export const MERCHANT_ASSET = shownObject(
  "asset",
  {
    mint: word({ says: "The address of its mint.", example: USDC }),
    symbol: nullable(
      word({
        says: "Its symbol by the service's own list, never by the mint's text, which anybody can write; null for any other token.",
        example: "USDC",
      }),
    ),
    name: nullable(text({ says: "Its name by the same list.", example: "USD Coin" })),
    decimals: integer({ says: "The number of decimals of its amounts.", example: 6, schema: SINCE_ZERO }),
    tokenProgram: word({
      says: "The address of its token program.",
      example: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    }),
    accepted: flag({ says: "True if an intent may ask for it.", example: true }),
    reason: nullable(text({ says: "Why it is not accepted; null if it is." })),
  },
  "A token, as a create judges it.",
);
/** §4.12, §4.17. */
export const chainComponents: Components = { Chain: CHAIN.schema, Asset: MERCHANT_ASSET.schema };

export const ASSET = shownObject(
  "asset",
  {
    address: word({ as: "id", says: "The address of its mint.", example: USDC }),
    symbol: nullable(
      word({
        says: "As buyers read it. Null: a token that only its address names, since anybody may give one any symbol.",
        example: "USDC",
      }),
    ),
    decimals: integer({ says: "The number of decimals of its amounts.", example: 6, schema: SINCE_ZERO }),
  },
  "A token, with the symbol and decimals by which its amounts are shown.",
);
export const staffChainComponents: Components = { Asset: ASSET.schema, AssetList: listOf("Asset", "Tokens") };

export const LIST_ASSETS = {
  operationId: "listAssets",
  tag: "Events",
  summary: "List tokens",
  description:
    "The symbol and the decimals of the token asked for, by which pages name its amounts; nothing where the chain has not shown it here. No node is asked.",
  path: tenantPath,
  query: { mint: parameter(TEXT, "The address of its mint.", { example: USDC }) },
  success: listAnswer("The token.", "Asset", ASSET.example),
  errors: ["not_found"],
} as const satisfies Declaration;

/** §13.18.3. */
export const LIST_PAYABLE_ASSETS = {
  operationId: "listPayableAssets",
  tag: "Payment intents",
  summary: "List tokens for a payment",
  description:
    "The well-known tokens that a payment may ask for on this environment's chain. One that nobody has asked for yet is read from the chain, and left out while the chain is away.",
  path: tenantPath,
  success: listAnswer("The tokens.", "Asset", ASSET.example),
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_ASSET = {
  operationId: "getAsset",
  tag: "Chain",
  summary: "Get a token",
  description:
    "The decimals of a token, and whether an intent may ask for it. A mint that nobody has asked for yet is read from the chain, as at create.",
  path: { mint: { schema: Type.String(), description: "The address of its mint.", example: USDC } },
  success: answer(200, "The token.", "Asset", MERCHANT_ASSET.example),
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_CHAIN = {
  operationId: "getChain",
  tag: "Chain",
  summary: "Get the chain's status",
  description:
    "The progress of the service in reading this environment's chain. It is answered from the database and the last poll, so also while no node can be reached. A payment that was made by `watermark` is bound by now; `behindSeconds` that grow mean that payments are found late.",
  success: answer(200, "The status.", "Chain", CHAIN.example),
  errors: [],
} as const satisfies Declaration;
