import { Type } from "typebox";
import { TIME } from "../../../../domain/values.ts";
import type { Components, Declaration } from "../../../../edge/http/declaration.ts";
import { parameter } from "../../../../edge/http/parameters.ts";
import { listAnswer, listOf, timestamp } from "../../../../edge/http/schemas.ts";
import { tenantPath } from "../../../../edge/staff/paths.ts";
import { AT, endpointPath } from "../schema.ts";

const tag = "Webhooks";

export const hourComponents: Components = {
  WebhookHour: Type.Object(
    {
      object: Type.Literal("webhook_hour"),
      hour: timestamp("Start of the hour."),
      attempts: Type.Integer({ minimum: 1, description: "Attempts that ended in this hour, without tests." }),
      succeeded: Type.Integer({ minimum: 0 }),
      tookMs: Type.Integer({ minimum: 0, description: "Total duration of the attempts." }),
      tookMsMax: Type.Integer({ minimum: 0, description: "Duration of the longest attempt." }),
      firstAttempts: Type.Integer({ minimum: 0, description: "Attempts that were the first of their delivery." }),
      waitedMs: Type.Integer({
        minimum: 0,
        description: "Total time from the creation of those deliveries to their first attempt.",
      }),
    },
    { description: "The figures of an endpoint for one hour." },
  ),
  WebhookHourList: listOf("WebhookHour", "Hours", "oldest first"),
};

const query = { since: parameter(TIME, "Only hours from this time on, at most 31 days.", { example: AT }) } as const;
const success = listAnswer("The hours.", "WebhookHour", {
  object: "webhook_hour",
  hour: "2026-11-20T08:00:00.000Z",
  attempts: 40,
  succeeded: 38,
  tookMs: 4_210,
  tookMsMax: 1_900,
  firstAttempts: 39,
  waitedMs: 1_180,
});

export const LIST_HOURS = {
  operationId: "listWebhookHours",
  tag,
  summary: "List an endpoint's figures by the hour",
  description: "Hours in which an attempt ended, oldest first: those of the last seven days, or since another time.",
  path: endpointPath,
  query,
  success,
  errors: ["not_found"],
} as const satisfies Declaration;

export const LIST_ALL_HOURS = {
  operationId: "listAllWebhookHours",
  tag,
  summary: "List the figures of all endpoints by the hour",
  description: "The same figures for all endpoints of the environment together. Deleted endpoints are not counted.",
  path: tenantPath,
  query,
  success,
  errors: ["not_found"],
} as const satisfies Declaration;
