import { Type } from "typebox";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { timeParameter } from "../../../edge/http/parameters.ts";
import { component, listOf, timestamp } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { AT, endpointPath } from "../queue/schema.ts";

const tag = "Webhooks";

export const hourComponents: Components = {
  WebhookHour: Type.Object(
    {
      object: Type.Literal("webhook_hour"),
      hour: timestamp("When the hour begins."),
      attempts: Type.Integer({ minimum: 1, description: "Attempts that ended, tests left out." }),
      succeeded: Type.Integer({ minimum: 0 }),
      tookMs: Type.Integer({ minimum: 0, description: "How long they took, in all." }),
      tookMsMax: Type.Integer({ minimum: 0, description: "How long the longest took." }),
      firstAttempts: Type.Integer({ minimum: 0, description: "How many of them were the first of their delivery." }),
      waitedMs: Type.Integer({ minimum: 0, description: "How long those waited before they were sent, in all." }),
    },
    { description: "How one hour of an endpoint went." },
  ),
  WebhookHourList: listOf("WebhookHour", "Hours, the oldest first"),
};

const query = { since: timeParameter("From this time on, at most 31 days.", { example: AT }) } as const;
const success = {
  status: 200,
  description: "The hours.",
  schema: component("WebhookHourList"),
  example: {
    object: "list",
    data: [
      {
        object: "webhook_hour",
        hour: "2026-11-20T08:00:00.000Z",
        attempts: 40,
        succeeded: 38,
        tookMs: 4_210,
        tookMsMax: 1_900,
        firstAttempts: 39,
        waitedMs: 1_180,
      },
    ],
    hasMore: false,
  },
} as const;

export const LIST_HOURS = {
  operationId: "listWebhookHours",
  tag,
  summary: "Figures of an endpoint by the hour",
  description: "Hours in which an attempt ended, the oldest first, of the last seven days or since another time.",
  path: endpointPath,
  query,
  success,
  errors: ["not_found"],
} as const satisfies Declaration;

export const LIST_ALL_HOURS = {
  operationId: "listAllWebhookHours",
  tag,
  summary: "Figures of all endpoints by the hour",
  description:
    "As for one endpoint, of the environment's endpoints together. Endpoints that were deleted are no longer counted.",
  path: tenantPath,
  query,
  success,
  errors: ["not_found"],
} as const satisfies Declaration;
