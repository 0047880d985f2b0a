import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { idColumn, idKind } from "../../domain/ids.ts";
import { LOCALE_CHARACTERS_MAX, parseLocale } from "../../domain/locale.ts";
import { PERMISSION_NAMES, type Permission, ROLES, type Role } from "../../domain/roles.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { isTimeZone } from "../../domain/timeZone.ts";
import { ADDRESS, checked, column, line, textKind } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { type Field, field, requestBody } from "../../edge/http/fields.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { pageParameters, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, choice, listAnswer, listOf, nullable as nullableSchema } from "../../edge/http/schemas.ts";
import { businessPath } from "../../edge/staff/paths.ts";
import { nullable, other, word } from "../../lib/columns.ts";
import { CLUSTER_NAMES } from "../chains/chain.ts";
import { KEYS } from "../keys/key.ts";
import { isCurrency } from "../rates/rate.ts";
import {
  BUSINESSES,
  findColorProblem,
  INTENT_LIFETIME,
  isEmailLine,
  isEmailName,
  isMailbox,
  isRefundPolicy,
  LOGO_BYTES_MAX,
  type Logo,
  PROFILE,
  parseReturnUrl,
  parseSupportContact,
  readLogo,
  SUMMARY,
} from "./business.ts";

const { id, name } = BUSINESSES.columns;

/** §2.3: the business a key belongs to, as that key sees it. */
export const BUSINESS = shownObject(
  "business",
  {
    id,
    name,
    environment: word<Environment>({
      of: ENVIRONMENTS,
      says: "The environment of the API key, which every id carries too.",
      example: "test",
    }),
    apiKey: part(
      {
        id: idColumn("key", {
          says: "The id of the key that asked.",
          example: "key_test_5szw01a1fc07df8c619d8e6ec9114ad57676",
        }),
        scope: KEYS.columns.scope,
      },
      "The key that asked. The key itself is shown once, when it is made.",
    ),
  },
  "The business a key belongs to.",
);

export const businessComponents: Components = { Business: BUSINESS.schema };

const declare = declarations({ tag: "Businesses", errors: ["not_found"] });

/** §4.7. */
export const CHECK_KEY = declare({
  operationId: "getMe",
  tag: "Keys",
  summary: "Check a key",
  description: "The business and environment of this key. A first call that shows whether a key works.",
  success: answer(200, "The key works.", "Business", BUSINESS.example),
  errors: [],
});

const cluster = (example: (typeof CLUSTER_NAMES)[number] | null) =>
  nullable(word({ of: CLUSTER_NAMES, says: "The public cluster; null if not configured or not public.", example }));

const program = () =>
  part({
    programId: column(ADDRESS, {
      says: "The escrow program.",
      example: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
    }),
    operator: column(ADDRESS, {
      says: "The operator account that every payment of the deployment names.",
      example: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu",
    }),
  });

export const STAFF_BUSINESS = shownObject(
  "business",
  {
    id,
    name,
    role: word<Role>({ of: ROLES, says: "The user's role there.", example: "developer" }),
    permissions: other<readonly Permission[]>("text[]", {
      says: "The permissions of the role.",
      example: ["read", "manage_keys"],
      schema: Type.Array(choice(PERMISSION_NAMES)),
    }),
    environments: other<readonly Environment[]>("text[]", {
      says: "The environments whose chain is configured.",
      example: ["test"],
      schema: Type.Array(choice(ENVIRONMENTS)),
    }),
    clusters: part(
      { test: cluster("devnet"), live: cluster(null) },
      "The public cluster of Solana that each environment is on, by which explorers find its accounts.",
    ),
    programs: part(
      { test: nullable(program()), live: nullable(program()) },
      "The values by which a page checks a transaction or a text before a wallet signs it; null for an environment without a chain.",
    ),
  },
  "A business of the user.",
);
export const PROFILE_OBJECT = shownObject(
  "business_profile",
  PROFILE,
  "The parts of a business that its buyers are shown.",
);
export const SUMMARY_OBJECT = shownObject("business_summary", SUMMARY, "A business as operators see it.");

/** §13.5. */
export const staffBusinessComponents: Components = {
  StaffBusiness: STAFF_BUSINESS.schema,
  BusinessProfile: PROFILE_OBJECT.schema,
  BusinessSummary: SUMMARY_OBJECT.schema,
  BusinessSummaryList: listOf("BusinessSummary", "Businesses"),
};

const profileAnswer = answer(200, "The profile.", "BusinessProfile", PROFILE_OBJECT.example);

export const GET_BUSINESS = declare({
  operationId: "getBusiness",
  summary: "Get a business",
  description: "A business of the user, and the user's role there.",
  path: businessPath,
  success: answer(200, "The business.", "StaffBusiness", STAFF_BUSINESS.example),
});

export const GET_PROFILE = declare({
  operationId: "getBusinessProfile",
  summary: "Get a profile",
  description: "The parts of the business that its buyers are shown.",
  path: businessPath,
  success: profileAnswer,
});

/** A field that stays as it is when left out. */
const changed = <Value>({ schema, expected, parse }: Field<Value>): Field<Value | undefined> => ({
  schema,
  expected,
  parse,
  fallback: undefined,
});

/** A field that null clears. */
const removable = <Value>({ schema, expected, parse }: Field<Value>): Field<Value | null | undefined> => ({
  schema: nullableSchema(schema),
  expected: `${expected}, or null`,
  parse: (member, name) => (member.value === null ? null : parse(member, name)),
  fallback: undefined,
});

const nameField = field(line("name"));

/** A refused colour is told which text cannot be read on it. */
const colorField = field(
  textKind({ pattern: "^#[0-9A-Fa-f]{6}$" }, "a colour in hex, such as #5b3a8c", (text): string => {
    const color = text.toLowerCase();
    const problem = findColorProblem(color);
    if (problem !== null) throw invalid("color", problem);
    return color;
  }),
);

/** Digits of base64 for so many bytes. */
const BASE64_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;
const logoField = field(
  textKind(
    { maxLength: BASE64_MAX, contentEncoding: "base64" },
    "a PNG, JPEG or WebP picture of at most 100 kB and 1 megapixel, in base64",
    (text): Logo | null => {
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
      const logo = readLogo(Buffer.from(text, "base64"));
      if (typeof logo === "string") throw invalid("logo", logo);
      return logo;
    },
  ),
);
/** A logo, and a policy of up to four bytes a character. */
const PROFILE_BYTES_MAX = 262_144;

export const CHANGE_PROFILE = declare({
  operationId: "changeBusinessProfile",
  changes: ["getBusinessProfile", "getBusiness", "getAccount", "listBusinesses"],
  summary: "Change a profile",
  description:
    "A field that is left out stays as it is; null takes it away. Each refund policy is kept under its hash.",
  path: businessPath,
  body: requestBody({
    component: "BusinessProfileChange",
    operation: "The change",
    fields: {
      name: changed(nameField),
      supportContact: removable(
        field(
          checked(
            { minLength: 1, maxLength: 500 },
            "an email address or an https:// page",
            (text) => parseSupportContact(text) !== null,
          ),
        ),
      ),
      refundPolicy: removable(
        field(checked({ minLength: 1, maxLength: 20_000 }, "plain text of 1 to 20,000 characters", isRefundPolicy)),
      ),
      returnUrl: removable(
        field(
          checked(
            { minLength: 1, maxLength: 2_048 },
            "https://…, without a user name or password, with no placeholders but {intentId} and {merchantReference} behind the host",
            (text) => parseReturnUrl(text) !== null,
          ),
        ),
      ),
      intentLifetimeMinutes: removable(field(INTENT_LIFETIME)),
      reportingCurrency: removable(
        field(checked({ pattern: "^[A-Z]{3}$" }, "a currency such as EUR, USD or GBP", isCurrency)),
      ),
      timeZone: removable(
        field(checked({ minLength: 1, maxLength: 64 }, "a time zone such as Europe/Berlin", isTimeZone)),
      ),
      locale: removable(
        field(
          textKind(
            { minLength: 2, maxLength: LOCALE_CHARACTERS_MAX },
            "a BCP 47 language tag, such as de or pt-BR",
            parseLocale,
          ),
        ),
      ),
      emailName: removable(
        field(checked({ minLength: 1, maxLength: 40 }, "a name of 1 to 40 characters without an address", isEmailName)),
      ),
      emailLine: removable(
        field(
          checked({ minLength: 1, maxLength: 200 }, "one line of 1 to 200 characters without an address", isEmailLine),
        ),
      ),
      emailReplyTo: removable(field(checked({ minLength: 3, maxLength: 254 }, "an email address", isMailbox))),
      color: removable(colorField),
      logo: removable(logoField),
    },
    example: { supportContact: "help@shop.example", returnUrl: null },
  }),
  bodyBytesMax: PROFILE_BYTES_MAX,
  success: profileAnswer,
  errors: ["forbidden", "proof_required", "not_found"],
});

export const ADD_BUSINESS = declare({
  operationId: "addBusiness",
  changes: ["getAccount", "listBusinesses"],
  summary: "Add a business",
  description: "For operators. The operator who adds it is its owner, and has a password or a passkey.",
  body: requestBody({
    component: "BusinessInput",
    operation: "The operation",
    fields: { name: nameField },
    example: { name: "Demo shop" },
  }),
  success: answer(201, "The business.", "StaffBusiness", STAFF_BUSINESS.example),
  errors: ["forbidden", "proof_required", "action_refused"],
});

const { limit, starting_after } = pageParameters(idKind("biz"), String(BUSINESS.example.id), "business");

export const LIST_BUSINESSES = declare({
  operationId: "listBusinesses",
  summary: "List all businesses",
  description: "For operators: the names of all businesses of the deployment. It gives no way into them.",
  query: { limit, starting_after },
  success: listAnswer("A page of businesses.", "BusinessSummary", SUMMARY_OBJECT.example),
  errors: ["forbidden", "not_found"],
});

export type BusinessQuery = QueryValues<typeof LIST_BUSINESSES.query>;
