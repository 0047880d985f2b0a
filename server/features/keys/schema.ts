import { Type } from "typebox";
import { KEY_SCOPES } from "../../domain/callers.ts";
import { oneOf } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, requestBody } from "../../edge/http/fields.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { answer, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { CHANGE_ERRORS } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { nullable, time, word } from "../../lib/columns.ts";
import { GRACE, KEY_NAME, KEY_STATES, KEYS, type KeyState, SECRET_EXAMPLE } from "./key.ts";

const { id, name, environment, last4, ratePerMinute, scope, createdAt, ...ends } = KEYS.columns;
const MEMBERS = {
  id,
  name,
  environment,
  last4,
  state: word<KeyState>({
    of: KEY_STATES,
    says: "A key `in_grace` still works, and does not count toward the five active ones.",
    example: "active",
  }),
  ratePerMinute,
  scope,
  createdAt,
  lastUsedAt: nullable(
    time({ says: "The minute of its last request; null if it was not used since the database last started." }),
  ),
  ...ends,
};
export const KEY = shownObject("api_key", MEMBERS, "A key of the merchant API.");
export const ISSUED_KEY = shownObject(
  "api_key",
  {
    ...MEMBERS,
    secret: word({ says: "The key in full: this is the only time it is shown.", example: SECRET_EXAMPLE }),
  },
  "A new key.",
);

export const keyComponents: Components = {
  ApiKey: KEY.schema,
  IssuedApiKey: ISSUED_KEY.schema,
  ApiKeyList: listOf("ApiKey", "Keys"),
};

const path = {
  ...tenantPath,
  key: { schema: Type.String(), description: "The key's id.", example: String(KEY.example.id) },
} as const;

const declare = declarations({ tag: "API keys", path: tenantPath, errors: CHANGE_ERRORS });

export const LIST_KEYS = declare({
  operationId: "listApiKeys",
  summary: "List keys",
  description: "Lists all keys of the environment, including expired and revoked ones.",
  success: listAnswer("The keys.", "ApiKey", KEY.example),
  errors: ["not_found"],
});

export const ISSUE_KEY = declare({
  operationId: "issueApiKey",
  summary: "Issue a key",
  description: "Creates a key. At most five are active in an environment.",
  body: requestBody({
    component: "ApiKeyInput",
    operation: "The operation",
    fields: {
      name: field(KEY_NAME),
      scope: { ...field(oneOf(KEY_SCOPES), { default: "full" }), fallback: "full" },
    },
    example: { name: "Shop server", scope: "full" },
  }),
  success: answer(201, "The key.", "IssuedApiKey", ISSUED_KEY.example),
});

export const ROLL_KEY = declare({
  operationId: "rollApiKey",
  summary: "Roll a key",
  description: "Replaces a key with a new one of the same name and scope. The old key works for the grace period.",
  path,
  body: requestBody({
    component: "RollInput",
    operation: "The roll",
    fields: { grace: field(GRACE) },
    example: { grace: "24h" },
  }),
  success: answer(201, "The successor.", "IssuedApiKey", ISSUED_KEY.example),
});

export const REVOKE_KEY = declare({
  operationId: "revokeApiKey",
  summary: "Revoke a key",
  description: "Revokes the key and the key that it replaced. Their next requests are refused.",
  path,
  success: answer(200, "The key.", "ApiKey", {
    ...KEY.example,
    state: "revoked",
    revokedAt: "2026-11-20T09:00:00.000Z",
  }),
});
