import { Type } from "typebox";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { textParameter } from "../../edge/http/parameters.ts";
import { component, environment, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";

const slot = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description });

/** §4.12. */
export const chainComponents: Components = {
  Chain: Type.Object(
    {
      object: Type.Literal("chain"),
      environment: environment(),
      slot: slot("The newest confirmed slot that is known."),
      finalizedSlot: slot("The newest finalized slot that is known."),
      watermark: nullable(timestamp("The block time up to which everything is worked through at `finalized`."), {
        description: "Null until the first pass is through.",
      }),
      watermarkSlot: slot("The slot of the watermark."),
      behindSeconds: nullable(Type.Integer({ minimum: 0 }), { description: "How far the watermark is behind." }),
      nodes: Type.Object(
        {
          healthy: Type.Integer({ minimum: 0, description: "RPC nodes that answered at the last poll." }),
          total: Type.Integer({ minimum: 0, description: "RPC nodes that are configured." }),
        },
        { description: "The RPC nodes that the service asks." },
      ),
    },
    { description: "How far the service has read the chain." },
  ),
};

export const staffChainComponents: Components = {
  Asset: Type.Object(
    {
      object: Type.Literal("asset"),
      id: Type.String({ description: "The address of its mint." }),
      symbol: nullable(Type.String(), {
        description:
          "As buyers read it. Null: a token that only its address names, since anybody may give one any symbol.",
      }),
      decimals: Type.Integer({ minimum: 0, description: "The number of decimals of its amounts." }),
    },
    { description: "A token, with the symbol and decimals by which its amounts are shown." },
  ),
  AssetList: listOf("Asset", "Tokens"),
};

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

export const LIST_ASSETS = {
  operationId: "listAssets",
  tag: "Events",
  summary: "List tokens",
  description:
    "The symbol and the decimals of the token asked for, by which pages name its amounts; nothing where the chain has not shown it here. No node is asked.",
  path: tenantPath,
  query: { mint: textParameter("The address of its mint.", { example: USDC }) },
  success: {
    status: 200,
    description: "The token.",
    schema: component("AssetList"),
    example: { object: "list", data: [{ object: "asset", id: USDC, symbol: "USDC", decimals: 6 }], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_CHAIN = {
  operationId: "getChain",
  tag: "Chain",
  summary: "Get the chain's status",
  description:
    "How far the service has read the chain of this environment. It is answered from the database and the last poll, so also while no node can be reached. A payment that was made by `watermark` is bound by now; `behindSeconds` that grow mean that payments are found late.",
  success: {
    status: 200,
    description: "The status.",
    schema: component("Chain"),
    example: {
      object: "chain",
      environment: "test",
      slot: 348211907,
      finalizedSlot: 348211875,
      watermark: "2026-11-21T03:10:00.000Z",
      watermarkSlot: 348211861,
      behindSeconds: 19,
      nodes: { healthy: 2, total: 2 },
    },
  },
  errors: [],
} as const satisfies Declaration;
