import type { Merchant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, nullable, omit, real, smallint, table, text, time, word } from "../../lib/columns.ts";

const PATH_CHARACTERS_MAX = 500;
const BODY_CHARACTERS_MAX = 2_000;
const ANSWER_CHARACTERS_MAX = 1_000;

/** An answered request of the merchant API, as it is logged. Headers are never logged, so no key is. */
export const REQUESTS = table("request_log", {
  businessId: word(),
  environment: word<Environment>(),
  id: word({ says: "The `Request-Id` of its answer.", example: "req_01a1fc0c51d3c3b2a1908f7e6d5c4b3a" }),
  keyId: word({ as: "key", says: "The id of the API key.", example: "key_test_5szw01a1fc07df8c619d8e6ec9114ad57676" }),
  method: word({ example: "POST" }),
  path: text({
    says: `With its query, ${PATH_CHARACTERS_MAX} characters at most; what looks like a secret is left out.`,
    example: "/api/v1/payment-intents",
  }),
  status: smallint({ says: "HTTP status of the answer.", example: 400 }),
  errorCode: nullable(word({ says: "The code of the error; null if there was none.", example: "invalid_request" })),
  durationMs: real({ example: 2.4, schema: { minimum: 0 } }),
  objectId: nullable(
    word({ as: "about", says: "The id of the object that its path names, or that it created; null if there is none." }),
  ),
  arrivedAt: time({
    says: "The time of its arrival, by the process that answered it.",
    example: "2026-11-20T08:30:00.000Z",
  }),
  body: nullable(
    text({
      says: `The body as it was sent, without \`metadata\`, \`description\`, \`buyerEmail\`, \`text\`, \`name\` and \`sha256\`; null if there was none, or more than ${BODY_CHARACTERS_MAX.toLocaleString("en")} characters.`,
      example: '{"amount":"0"}',
    }),
  ),
  answer: nullable(
    text({
      says: "The error as it was answered; null if there was none, or if it is not kept.",
      example: '{"error":{"code":"invalid_request","param":"amount","message":"Expected digits."}}',
    }),
  ),
});
/** A drafted request. Its id contains its time of arrival. */
export type LoggedRequest = Omit<FieldsOf<typeof REQUESTS.columns>, "arrivedAt">;

/** The columns of a request in a list. */
export const LISTED = omit(REQUESTS.columns, "businessId", "environment", "body", "answer");
/** The columns of one request. */
export const DETAILED = omit(REQUESTS.columns, "businessId", "environment");

/** A merchant's own data, which may hold personal data of buyers; `text`, `name` and `sha256` are of texts and files of disputes. */
const PRIVATE = new Set(["metadata", "description", "buyerEmail", "text", "name", "sha256"]);

/** Keys and signing secrets that a merchant may have put in the wrong place. */
const SECRETS = /\b(sk_(?:test|live)_|whsec_)[A-Za-z0-9+/=%_-]*/g;
const withoutSecrets = (text: string): string => text.replace(SECRETS, "$1…");

/** Returns null if the text is longer than the column, before or after: one such row would undo its whole batch. */
function withoutSecretsUpTo(text: string, charactersMax: number): string | null {
  if (text.length > charactersMax) return null;
  // A bare prefix grows by the mark.
  const kept = withoutSecrets(text);
  return kept.length > charactersMax ? null : kept;
}

/** A path with its query, as it is logged. */
const keptPath = (url: string): string => withoutSecrets(url).slice(0, PATH_CHARACTERS_MAX);

/** A body as it is logged: its members as sent, without the private ones. Null if none is left. */
function keptBody(members: ReadonlyMap<string, { readonly text: string }>): string | null {
  const kept = [...members].filter(([name]) => !PRIVATE.has(name));
  if (kept.length === 0) return null;
  const text = `{${kept.map(([name, { text }]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
  return withoutSecretsUpTo(text, BODY_CHARACTERS_MAX);
}

const MADE = /^\{"object":"[a-z_]+","id":"([^"]{1,120})"/;
/** The id of the object that an answer shows. */
const idOfAnswer = (answer: string): string | null => MADE.exec(answer.slice(0, 200))?.[1] ?? null;

const CODE = /^\{"error":\{"code":"([a-z_]+)"/;
/** The code of an error. */
const codeOfAnswer = (answer: string): string | null => CODE.exec(answer.slice(0, 100))?.[1] ?? null;

/** An answered request, as a door describes it. */
interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly durationMs: number;
  readonly members: ReadonlyMap<string, { readonly text: string }> | null;
  readonly answer: string | null;
}

/** Ids and addresses. Any other text in a path is not logged as an object. */
const OBJECT_ID = /^[A-Za-z0-9_]{1,120}$/;

/** The request as it is logged. */
export function loggedRequest(caller: Merchant, answered: Answered): LoggedRequest {
  const { requestId, method, url, params, status, durationMs, members, answer } = answered;
  const error = status < 400 ? null : answer;
  const named = params.id ?? (status < 300 && answer !== null ? idOfAnswer(answer) : null);
  return {
    businessId: caller.businessId,
    environment: caller.environment,
    id: requestId,
    keyId: caller.keyId,
    method,
    path: keptPath(url),
    status,
    errorCode: error === null ? null : codeOfAnswer(error),
    durationMs,
    objectId: named !== null && OBJECT_ID.test(named) ? named : null,
    body: members === null ? null : keptBody(members),
    answer: error === null ? null : withoutSecretsUpTo(error, ANSWER_CHARACTERS_MAX),
  };
}

const REQUEST_ID = /^req_([0-9a-f]{12})[0-9a-f]{20}$/;
/** The time of a request's arrival, from its id. Null if it is no Request-Id. */
export function timeOfRequest(id: string): Date | null {
  const [, digits] = REQUEST_ID.exec(id) ?? [];
  return digits === undefined ? null : new Date(Number.parseInt(digits, 16));
}

/** A bound in text order: below the ids of requests that arrived at this time or later, above those of all earlier ones. */
export const firstRequestId = (at: Date): string => `req_${Math.max(0, at.getTime()).toString(16).padStart(12, "0")}`;
