import { Type } from "typebox";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { component, environment, nullable, timestamp } from "../../edge/http/schemas.ts";

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
