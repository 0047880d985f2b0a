import { Type } from "typebox";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import {
  choiceParameter,
  pageParameters,
  type QueryValues,
  textParameter,
  timeParameter,
} from "../../edge/http/parameters.ts";
import { choice, component, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { businessPath } from "../../edge/staff/paths.ts";
import { equals, type Filter, isAfter, isBefore } from "../../store/filters.ts";
import { sql } from "../../store/sql.ts";
import { AUDIT_ACTIONS } from "./audit.ts";

export const AUDIT_ID = /^aud_[0-9a-f]{32}$/;
const AT = "2026-11-20T08:30:00.000Z";
const ID = "aud_01a1fc06b1cd6aa165e96a8ab2d2e7fc";

/** The fields of every entry, of the audit log and of an account's history: more about it, who did it, and when. */
export const ENTRY_FIELDS = {
  details: Type.Object({}, { additionalProperties: true, description: "More about it; never a secret." }),
  actor: Type.Object({
    id: Type.String({
      description: "The id of a user, `cli` for the command line, `service` for the service itself.",
    }),
    name: Type.String({ description: "The user's address then, or the account at the command line." }),
    address: nullable(Type.String(), { description: "The network address." }),
  }),
  recordedAt: timestamp("When."),
};

export const auditComponents: Components = {
  AuditEntry: Type.Object(
    {
      object: Type.Literal("audit_entry"),
      id: Type.String({ pattern: "^aud_[0-9a-f]{32}$" }),
      environment: nullable(choice(ENVIRONMENTS), { description: "Null for what concerns the business as a whole." }),
      action: Type.String({ description: "What was done, as a word such as `key.issued`." }),
      target: nullable(Type.String(), { description: "The id of what it was done to." }),
      ...ENTRY_FIELDS,
    },
    { description: "Something that was done in a business. Entries are never changed or removed." },
  ),
  AuditEntryList: listOf("AuditEntry", "Audit entries"),
};

const { limit, starting_after } = pageParameters({ pattern: AUDIT_ID.source, example: ID, noun: "entry" });

const BY_ACTOR: Filter<string | null> = {
  condition: (actor) =>
    sql`(${actor}::text is null or actor = ${actor}::text or lower(actor_name) = lower(${actor}::text))`,
};
/** As it is shown. */
const RECORDED_AT = "date_trunc('milliseconds', recorded_at)";

export const LIST_AUDIT = {
  operationId: "listAuditEntries",
  tag: "Businesses",
  summary: "List the audit log",
  description: "What was done in the business, also at the command line and by the service, newest first.",
  path: businessPath,
  query: {
    action: choiceParameter(AUDIT_ACTIONS, "Only entries of this action.", {
      example: "key.issued",
      filter: equals("action"),
    }),
    actor: textParameter("Only what this one did: the id of a user, `cli` or `service`, or the name in the entries.", {
      example: "kim@example.com",
      filter: BY_ACTOR,
    }),
    target: textParameter("Only what was done to this id.", {
      example: "key_01a1fc07df8c619d8e6ec9114ad57676",
      filter: equals("target"),
    }),
    recorded_after: timeParameter("Only entries after this time.", { example: AT, filter: isAfter(RECORDED_AT) }),
    recorded_before: timeParameter("Only entries before this time.", { example: AT, filter: isBefore(RECORDED_AT) }),
    limit,
    starting_after,
  },
  success: {
    status: 200,
    description: "A page of entries.",
    schema: component("AuditEntryList"),
    example: {
      object: "list",
      data: [
        {
          object: "audit_entry",
          id: ID,
          environment: "test",
          action: "key.issued",
          target: "key_01a1fc07df8c619d8e6ec9114ad57676",
          details: { name: "Shop server", last4: "x7k2", scope: "full" },
          actor: { id: "usr_01a1fc06b1cd6aa165e96a8ab2d2e7fc", name: "kim@example.com", address: "203.0.113.7" },
          recordedAt: "2026-11-20T08:30:00.000Z",
        },
      ],
      hasMore: false,
    },
  },
  errors: ["forbidden", "not_found"],
} as const satisfies Declaration;

/** The filters of the list, and its page. */
export type AuditQuery = QueryValues<typeof LIST_AUDIT.query>;
