import { Type } from "typebox";
import { KEY_SCOPES } from "../../domain/callers.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, choiceField, requestBody } from "../../edge/http/fields.ts";
import { choice, component, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { isKeyName, KEY_GRACES, type KeyGrace } from "./key.ts";

const STATES = ["active", "in_grace", "expired", "revoked"];
const SECRET = "sk_test_ihqlcnyzkbpo4krjsl2bcuf4t3xyzl2tq5wrga";

const key = {
  object: Type.Literal("api_key"),
  id: Type.String({ pattern: "^key_[0-9a-f]{32}$" }),
  name: nullable(Type.String(), { description: "What the business calls it." }),
  environment: choice(ENVIRONMENTS),
  last4: Type.String({ description: "Its last four characters." }),
  state: choice(STATES, {
    description: "A key `in_grace` still works, and does not count toward the five active ones.",
  }),
  ratePerMinute: Type.Integer({ minimum: 1, description: "Requests it may make a minute." }),
  scope: choice(KEY_SCOPES, { description: "`read`: it may make GET requests and verify, and nothing else." }),
  createdAt: timestamp("When it was made."),
  lastUsedAt: nullable(timestamp("The minute of its last request."), {
    description: "Null when it was not used since the database last started.",
  }),
  rolledAt: nullable(timestamp("When it was rolled.")),
  expiresAt: nullable(timestamp("When its grace ends.")),
  revokedAt: nullable(timestamp("When it was revoked.")),
};

export const keyComponents: Components = {
  ApiKey: Type.Object(key, { description: "A key of the merchant API." }),
  IssuedApiKey: Type.Object(
    { ...key, secret: Type.String({ description: "The key in full: this is the only time it is shown." }) },
    { description: "A new key." },
  ),
  ApiKeyList: listOf("ApiKey", "Keys"),
};

const KEY_ID = "key_01a1fc07df8c619d8e6ec9114ad57676";
const one = { ...tenantPath, key: { schema: Type.String(), description: "The key's id.", example: KEY_ID } } as const;
const errors = ["forbidden", "proof_required", "not_found", "action_refused"] as const;
const EXAMPLE = {
  object: "api_key",
  id: KEY_ID,
  name: "Shop server",
  environment: "test",
  last4: SECRET.slice(-4),
  state: "active",
  ratePerMinute: 120,
  scope: "full",
  createdAt: "2026-11-20T08:30:00.000Z",
  lastUsedAt: null,
  rolledAt: null,
  expiresAt: null,
  revokedAt: null,
};

export const LIST_KEYS = {
  operationId: "listApiKeys",
  tag: "API keys",
  summary: "List keys",
  description: "All keys of the environment, the ended ones too.",
  path: tenantPath,
  success: {
    status: 200,
    description: "The keys.",
    schema: component("ApiKeyList"),
    example: { object: "list", data: [EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const ISSUE_KEY = {
  operationId: "issueApiKey",
  tag: "API keys",
  summary: "Issue a key",
  description: "At most five are active in an environment.",
  path: tenantPath,
  body: requestBody({
    component: "ApiKeyInput",
    operation: "The operation",
    fields: {
      name: checkedText(
        Type.String({ minLength: 1, maxLength: 100 }),
        "a name of 1 to 100 characters without control characters",
        isKeyName,
      ),
      scope: { ...choiceField(KEY_SCOPES, { default: "full" }), fallback: "full" },
    },
    example: { name: "Shop server", scope: "full" },
  }),
  success: {
    status: 201,
    description: "The key.",
    schema: component("IssuedApiKey"),
    example: { ...EXAMPLE, secret: SECRET },
  },
  errors,
} as const satisfies Declaration;

export const ROLL_KEY = {
  operationId: "rollApiKey",
  tag: "API keys",
  summary: "Roll a key",
  description: "Issues a successor of the same name and scope; the old key works on for the grace.",
  path: one,
  body: requestBody({
    component: "RollInput",
    operation: "The roll",
    fields: { grace: choiceField(Object.keys(KEY_GRACES) as KeyGrace[]) },
    example: { grace: "24h" },
  }),
  success: {
    status: 201,
    description: "The successor.",
    schema: component("IssuedApiKey"),
    example: { ...EXAMPLE, secret: SECRET },
  },
  errors,
} as const satisfies Declaration;

export const REVOKE_KEY = {
  operationId: "revokeApiKey",
  tag: "API keys",
  summary: "Revoke a key",
  description: "It stops working with its next request, and so does the one it replaced.",
  path: one,
  success: {
    status: 200,
    description: "The key.",
    schema: component("ApiKey"),
    example: { ...EXAMPLE, state: "revoked", revokedAt: "2026-11-20T09:00:00.000Z" },
  },
  errors,
} as const satisfies Declaration;
