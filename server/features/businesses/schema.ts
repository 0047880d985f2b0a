import { Type } from "typebox";
import { KEY_SCOPES } from "../../domain/callers.ts";
import { INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../../domain/limits.ts";
import { isLine } from "../../domain/names.ts";
import { PERMISSION_NAMES, ROLES } from "../../domain/roles.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, type Field, integerField, requestBody } from "../../edge/http/fields.ts";
import { pageParameters, type QueryValues } from "../../edge/http/parameters.ts";
import { choice, component, environment, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { businessPath } from "../../edge/staff/paths.ts";
import { CLUSTER_NAMES } from "../chains/chain.ts";
import { isIntentLifetime, isRefundPolicy, parseReturnUrl, parseSupportContact } from "./business.ts";

/** §2.3. */
export const businessComponents: Components = {
  Business: Type.Object(
    {
      object: Type.Literal("business"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$", description: "The business's id." }),
      name: Type.String({ description: "The business's name." }),
      environment: environment(),
      apiKey: Type.Object(
        {
          id: Type.String({ pattern: "^key_[0-9a-f]{32}$", description: "The id of the key that asked." }),
          scope: choice(KEY_SCOPES, { description: "`read`: it may make GET requests and verify, and nothing else." }),
        },
        { description: "The key that asked. The key itself is shown once, when it is made." },
      ),
    },
    { description: "The business a key belongs to." },
  ),
};

/** §4.7. */
export const CHECK_KEY = {
  operationId: "getMe",
  tag: "Keys",
  summary: "Check a key",
  description: "The business and environment of this key. A first call that shows whether a key works.",
  success: {
    status: 200,
    description: "The key works.",
    schema: component("Business"),
    example: {
      object: "business",
      id: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
      name: "Demo shop",
      environment: "test",
      apiKey: { id: "key_01a1fc07df8c619d8e6ec9114ad57676", scope: "full" },
    },
  },
  errors: [],
} as const satisfies Declaration;

const BUSINESS_ID = /^biz_[0-9a-f]{32}$/;
const ID = "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc";

/** §13.5. */
export const staffBusinessComponents: Components = {
  StaffBusiness: Type.Object(
    {
      object: Type.Literal("business"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$" }),
      name: Type.String(),
      role: choice(ROLES, { description: "The user's role there." }),
      permissions: Type.Array(choice(PERMISSION_NAMES), { description: "What the role allows." }),
      environments: Type.Array(choice(ENVIRONMENTS), { description: "Those whose chain is configured." }),
      clusters: Type.Object(
        {
          test: nullable(choice(CLUSTER_NAMES), {
            description: "The public cluster; null if not configured or not public.",
          }),
          live: nullable(choice(CLUSTER_NAMES), {
            description: "The public cluster; null if not configured or not public.",
          }),
        },
        {
          description:
            "The public cluster of Solana that each environment is on, by which explorers find its accounts.",
        },
      ),
    },
    { description: "A business of the user." },
  ),
  BusinessProfile: Type.Object(
    {
      object: Type.Literal("business_profile"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$" }),
      name: Type.String(),
      domain: nullable(Type.String(), { description: "Null until the business has proven one." }),
      supportContact: nullable(Type.String(), { description: "An e-mail address or an https address." }),
      refundPolicy: nullable(Type.String(), { description: "Plain text." }),
      refundPolicyHash: nullable(Type.String({ pattern: "^[0-9a-f]{64}$" }), {
        description: "SHA-256 of the policy's UTF-8, as the terms of a payment name it.",
      }),
      returnUrl: nullable(Type.String(), { description: "A template; see the specification, §2.3.3." }),
      intentLifetimeMinutes: nullable(Type.Integer(), {
        description: "How long its intents can be paid; null: as long as the deployment says.",
      }),
    },
    { description: "What buyers are shown of a business." },
  ),
  BusinessSummary: Type.Object(
    {
      object: Type.Literal("business_summary"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$" }),
      name: Type.String(),
      createdAt: timestamp("When it was added."),
    },
    { description: "A business as operators see it." },
  ),
  BusinessSummaryList: listOf("BusinessSummary", "Businesses"),
};

const STAFF_BUSINESS = {
  object: "business",
  id: ID,
  name: "Demo shop",
  role: "developer",
  permissions: ["read", "manage_keys"],
  environments: ["test"],
  clusters: { test: "devnet", live: null },
};

export const GET_BUSINESS = {
  operationId: "getBusiness",
  tag: "Businesses",
  summary: "Get a business",
  description: "A business of the user, and the user's role there.",
  path: businessPath,
  success: {
    status: 200,
    description: "The business.",
    schema: component("StaffBusiness"),
    example: STAFF_BUSINESS,
  },
  errors: ["not_found"],
} as const satisfies Declaration;

const PROFILE = {
  object: "business_profile",
  id: ID,
  name: "Demo shop",
  domain: null,
  supportContact: "help@shop.example",
  refundPolicy: "30 days.",
  refundPolicyHash: "0ad0c6405da0e59ba1aa54be780ff302e5388e30df43f5ea70544969e95b69fc",
  returnUrl: "https://shop.example/orders/{merchantReference}",
  intentLifetimeMinutes: null,
};

export const GET_PROFILE = {
  operationId: "getBusinessProfile",
  tag: "Businesses",
  summary: "Get a profile",
  description: "What buyers are shown of the business.",
  path: GET_BUSINESS.path,
  success: { status: 200, description: "The profile.", schema: component("BusinessProfile"), example: PROFILE },
  errors: ["not_found"],
} as const satisfies Declaration;

/** A field of a change: left out it stays as it is. */
const changed = <Value>({ schema, expected, parse }: Field<Value>): Field<Value | undefined> => ({
  schema,
  expected,
  parse,
  fallback: undefined,
});

/** A field of a change that null takes away. */
const removable = <Value>({ schema, expected, parse }: Field<Value>): Field<Value | null | undefined> => ({
  schema: nullable(schema),
  expected: `${expected}, or null`,
  parse: (member, name) => (member.value === null ? null : parse(member, name)),
  fallback: undefined,
});

const nameField = checkedText(
  Type.String({ minLength: 1, maxLength: 100 }),
  "a name of 1 to 100 characters without control characters",
  isLine,
);

export const CHANGE_PROFILE = {
  operationId: "changeBusinessProfile",
  changes: ["getBusinessProfile", "getBusiness", "getAccount", "listBusinesses"],
  tag: "Businesses",
  summary: "Change a profile",
  description:
    "A field that is left out stays as it is; null takes it away. Each refund policy is kept under its hash.",
  path: GET_BUSINESS.path,
  body: requestBody({
    component: "BusinessProfileChange",
    operation: "The change",
    fields: {
      name: changed(nameField),
      supportContact: removable(
        checkedText(
          Type.String({ minLength: 1, maxLength: 500 }),
          "an e-mail address, or a page by https://…",
          (text) => parseSupportContact(text) !== null,
        ),
      ),
      refundPolicy: removable(
        checkedText(
          Type.String({ minLength: 1, maxLength: 20_000 }),
          "plain text of 1 to 20,000 characters",
          isRefundPolicy,
        ),
      ),
      returnUrl: removable(
        checkedText(
          Type.String({ minLength: 1, maxLength: 2_048 }),
          "https://…, without a user name or password, with no placeholders but {intentId} and {merchantReference} behind the host",
          (text) => parseReturnUrl(text) !== null,
        ),
      ),
      intentLifetimeMinutes: removable(
        integerField(
          Type.Integer({ minimum: INTENT_LIFETIME_MINUTES_MIN, maximum: INTENT_LIFETIME_MINUTES_MAX }),
          `a whole number of minutes from ${INTENT_LIFETIME_MINUTES_MIN} to ${INTENT_LIFETIME_MINUTES_MAX}`,
          isIntentLifetime,
        ),
      ),
    },
    example: { supportContact: "help@shop.example", returnUrl: null },
  }),
  success: { status: 200, description: "The profile.", schema: component("BusinessProfile"), example: PROFILE },
  errors: ["forbidden", "proof_required", "not_found"],
} as const satisfies Declaration;

export const ADD_BUSINESS = {
  operationId: "addBusiness",
  changes: ["getAccount", "listBusinesses"],
  tag: "Businesses",
  summary: "Add a business",
  description: "For operators. The one who adds it is its owner.",
  body: requestBody({
    component: "BusinessInput",
    operation: "The operation",
    fields: { name: nameField },
    example: { name: "Demo shop" },
  }),
  success: {
    status: 201,
    description: "The business.",
    schema: component("StaffBusiness"),
    example: STAFF_BUSINESS,
  },
  errors: ["forbidden", "proof_required"],
} as const satisfies Declaration;

const { limit, starting_after } = pageParameters({ pattern: BUSINESS_ID.source, example: ID, noun: "business" });

export const LIST_BUSINESSES = {
  operationId: "listBusinesses",
  tag: "Businesses",
  summary: "List all businesses",
  description: "For operators: the names of all businesses of the deployment. It gives no way into them.",
  query: { limit, starting_after },
  success: {
    status: 200,
    description: "A page of businesses.",
    schema: component("BusinessSummaryList"),
    example: {
      object: "list",
      data: [{ object: "business_summary", id: ID, name: "Demo shop", createdAt: "2026-11-20T08:30:00.000Z" }],
      hasMore: false,
    },
  },
  errors: ["forbidden", "not_found"],
} as const satisfies Declaration;

export type BusinessQuery = QueryValues<typeof LIST_BUSINESSES.query>;
