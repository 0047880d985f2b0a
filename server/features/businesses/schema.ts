import { Type } from "typebox";
import { KEY_SCOPES } from "../../domain/callers.ts";
import { PERMISSION_NAMES, ROLES } from "../../domain/roles.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, requestBody } from "../../edge/http/fields.ts";
import { pageParameters } from "../../edge/http/parameters.ts";
import { choice, component, environment, listOf, timestamp } from "../../edge/http/schemas.ts";
import { isBusinessName } from "./business.ts";

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

export const BUSINESS_ID = /^biz_[0-9a-f]{32}$/;
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
    },
    { description: "A business of the user." },
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
};

export const GET_BUSINESS = {
  operationId: "getBusiness",
  tag: "Businesses",
  summary: "Get a business",
  description: "A business of the user, and the user's role there.",
  path: { business: { schema: Type.String(), description: "The business's id.", example: ID } },
  success: {
    status: 200,
    description: "The business.",
    schema: component("StaffBusiness"),
    example: STAFF_BUSINESS,
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const ADD_BUSINESS = {
  operationId: "addBusiness",
  tag: "Businesses",
  summary: "Add a business",
  description: "For operators. The one who adds it is its owner.",
  body: requestBody({
    component: "BusinessInput",
    operation: "The operation",
    fields: {
      name: checkedText(
        Type.String({ minLength: 1, maxLength: 100 }),
        "a name of 1 to 100 characters without control characters",
        isBusinessName,
      ),
    },
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
