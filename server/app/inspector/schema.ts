import { Type } from "typebox";
import { checked } from "../../domain/values.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { field, requestBody } from "../../edge/http/fields.ts";
import { answer, choice } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { FOUND_KINDS } from "./inspector.ts";

const INTENT = "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948";

const PASTED = requestBody({
  component: "InspectionInput",
  operation: "The inspection",
  fields: {
    text: field(
      checked({}, "an id, an address, a signature or a Request-Id", () => true),
      { description: "The pasted text." },
    ),
  },
  example: { text: INTENT },
});

export const inspectorComponents: Components = {
  Inspection: Type.Object(
    {
      object: Type.Literal("inspection"),
      kind: choice(FOUND_KINDS, { description: "Kind of the object." }),
      id: Type.String({ description: "Its id, address or signature." }),
    },
    { description: "The object that was found." },
  ),
};

export const INSPECT = {
  operationId: "inspect",
  tag: "Events",
  summary: "Find what was pasted",
  description:
    "Finds what an id, an address, a signature, a Request-Id, a paymentId or a merchantReference is of, in this business and environment alone.",
  path: tenantPath,
  changesNothing: true,
  body: PASTED,
  success: answer(200, "Kind of the object.", "Inspection", {
    object: "inspection",
    kind: "payment_intent",
    id: INTENT,
  }),
  errors: ["not_found", "rate_limited"],
} as const satisfies Declaration;
