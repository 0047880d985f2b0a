import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { API_VERSIONS } from "../../domain/version.ts";
import { choice, component } from "../../edge/http/schemas.ts";
import { EVENTS, type EventBody } from "../../features/events/eventTypes.ts";
import { SEQUENCE_SCHEMA } from "../../features/events/schema.ts";
import { ABANDONED_IN_A_ROW_MAX, ATTEMPTS_MAX, RETRY_WAITS_MS } from "../../features/webhooks/delivery/schedule.ts";
import { ATTEMPT_MS } from "../../features/webhooks/sending/send.ts";
import { EVENT_EXAMPLES } from "./examples.ts";

const SIGNATURE_TOLERANCE_SECONDS = 300;
const inWords = (ms: number): string => (ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`);

const SIGNED = `The raw body is signed: \`Service-Signature\` holds \`t=<unix seconds>\` and one \`v1=<hex>\` for each valid secret, the newest first. \`v1\` is the HMAC-SHA256, under the whole secret as shown (\`whsec_\` included), of the timestamp, a period, and the body exactly as received. Verify before parsing, accept if any \`v1\` matches, and refuse a timestamp more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from your clock. It is Stripe's scheme, so \`stripe.webhooks.constructEvent\` verifies it. A secret of the form that new ones have also signs the headers of Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`), whose libraries verify the same delivery.`;
const DELIVERED = `Answer with any 2xx within ${ATTEMPT_MS / 1000} seconds; the body of your answer is not read, and a redirect is a failure. A failed delivery is tried again after ${RETRY_WAITS_MS.map(inWords).join(", ")}, each counted from the failure before: ${ATTEMPTS_MAX} attempts, then it is abandoned. ${ABANDONED_IN_A_ROW_MAX} abandoned in a row disable the endpoint. Deliveries are at least once and may arrive in any order: deduplicate by id, order by \`occurredAt\`.`;

const header = (name: string, schema: object, description: string, example: string, required = true) => ({
  name,
  in: "header",
  required,
  description,
  schema,
  example,
});

const STANDARD = "Present if a valid secret has the standard form.";
const headersOf = (type: string, isRecorded: boolean) => [
  header("User-Agent", Type.Literal("Service-Webhooks/1.0"), "The same for every delivery.", "Service-Webhooks/1.0"),
  header("Service-Event-Id", idKind("evt").schema, "The event's id.", "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d"),
  header("Service-Event-Type", Type.Literal(type), "The event's type.", type),
  ...(isRecorded
    ? [header("Service-Event-Sequence", SEQUENCE_SCHEMA, "The event's sequence; not on `webhook.test`.", "3")]
    : []),
  header("Service-Api-Version", choice(API_VERSIONS), "The version of the body.", API_VERSIONS[0]),
  header(
    "Service-Signature",
    Type.String({ pattern: "^t=[0-9]+,v1=[0-9a-f]{64}(?:,v1=[0-9a-f]{64})?$" }),
    "The signature of the raw body, as described above.",
    `t=1795230000,v1=${"0123456789abcdef".repeat(4)}`,
  ),
  header(
    "webhook-id",
    idKind("evt").schema,
    `The event's id. ${STANDARD}`,
    "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d",
    false,
  ),
  header(
    "webhook-timestamp",
    Type.String({ pattern: "^[0-9]+$" }),
    `The \`t\` of the signature. ${STANDARD}`,
    "1795230000",
    false,
  ),
  header(
    "webhook-signature",
    Type.String({ pattern: "^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$" }),
    `The signatures of Standard Webhooks, with a blank between them. ${STANDARD}`,
    `v1,${Buffer.from("0123456789abcdef".repeat(2)).toString("base64")}`,
    false,
  ),
];

const describe = (type: string, body: EventBody | "TestEvent", text: string, isRecorded = true) => ({
  post: {
    operationId: `on_${type.replaceAll(".", "_")}`,
    tags: ["Webhooks"],
    summary: type,
    description: text,
    security: [],
    parameters: headersOf(type, isRecorded),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: Type.Intersect([component(body), Type.Object({ type: Type.Literal(type) })]),
          example: { ...EVENT_EXAMPLES[body], type },
        },
      },
    },
    responses: {
      "2XX": { description: `Received, if the answer comes within ${ATTEMPT_MS / 1000} seconds.` },
      default: { description: "Any other answer, redirects included, is a failure and is retried." },
    },
  },
});

/** §6: the deliveries, by event type. */
export const webhookDocs: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, { body, text }]) => [type, describe(type, body, text)])),
  "webhook.test": describe("webhook.test", "TestEvent", "Sent by hand to test an endpoint, in one attempt.", false),
};

/** The rules of every delivery. */
export const WEBHOOKS_TAG = { name: "Webhooks", description: `${SIGNED}\n\n${DELIVERED}` };
