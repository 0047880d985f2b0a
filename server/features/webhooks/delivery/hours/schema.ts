import { Type } from "typebox";
import { oneOf } from "../../../../domain/values.ts";
import type { Components, Declaration } from "../../../../edge/http/declaration.ts";
import { parameter } from "../../../../edge/http/parameters.ts";
import { answer, listOf, timestamp } from "../../../../edge/http/schemas.ts";
import { tenantPath } from "../../../../edge/staff/paths.ts";
import { endpointPath } from "../schema.ts";

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
  WebhookHourList: listOf("WebhookHour", "Hours", "oldest first", {
    from: timestamp("Start of the first hour of the span."),
    at: timestamp("The time at which they were read, by the service's clock: the end of the span."),
  }),
};

const query = { days: parameter(oneOf(["1", "7", "30"]), "The days of the span. Default: 7.") } as const;
const HOUR_EXAMPLE = {
  object: "webhook_hour",
  hour: "2026-11-20T08:00:00.000Z",
  attempts: 40,
  succeeded: 38,
  tookMs: 4_210,
  tookMsMax: 1_900,
  firstAttempts: 39,
  waitedMs: 1_180,
};
const success = answer(200, "The hours.", "WebhookHourList", {
  ...{ object: "list", data: [HOUR_EXAMPLE], hasMore: false },
  ...{ from: "2026-11-13T09:00:00.000Z", at: "2026-11-20T08:30:00.000Z" },
});

export const LIST_HOURS = {
  operationId: "listWebhookHours",
  tag,
  summary: "List an endpoint's figures by the hour",
  description: "Hours of the last days in which an attempt ended, oldest first.",
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
