import { EXAMPLE_SUFFIX, idKind } from "../../domain/ids.ts";
import { oneOf, TEXT, TIME } from "../../domain/values.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { pageParameters, parameter, type QueryValues } from "../../edge/http/parameters.ts";
import { listAnswer, listOf } from "../../edge/http/schemas.ts";
import { businessPath } from "../../edge/staff/paths.ts";
import { nullable, text, word } from "../../lib/columns.ts";
import { equals, type Filter, isAfter, isBefore } from "../../store/filters.ts";
import { sql } from "../../store/sql.ts";
import { AUDIT_ACTIONS, AUDIT_ENTRY } from "./audit.ts";

const AT = "2026-11-20T08:30:00.000Z";

/** The actor of every entry, of the audit log and of an account's history. */
export const ACTOR = part({
  id: word({
    says: "The id of a user, `cli` for the command line, `service` for the service itself.",
    example: `usr_${EXAMPLE_SUFFIX}`,
  }),
  name: text({ says: "The user's address then, or the account at the command line.", example: "kim@example.com" }),
  address: nullable(text({ says: "The network address; null if there is none.", example: "203.0.113.7" })),
});

const { id, environment, action, target, recordedAt, details } = AUDIT_ENTRY;
export const ENTRY = shownObject(
  "audit_entry",
  { id, environment, action, target, recordedAt, details, actor: ACTOR },
  "An action in a business. Entries are never changed or removed.",
);

export const auditComponents: Components = {
  AuditEntry: ENTRY.schema,
  AuditEntryList: listOf("AuditEntry", "Audit entries"),
};

export const auditPage = pageParameters(idKind("aud"), String(ENTRY.example.id), "entry");
const { limit, starting_after } = auditPage;

const BY_ACTOR: Filter<string | null> = {
  condition: (actor) =>
    sql`(${actor}::text is null or actor = ${actor}::text or lower(actor_name) = lower(${actor}::text))`,
};
/** The time as the API shows it. */
const RECORDED_AT = "date_trunc('milliseconds', recorded_at)";

export const LIST_AUDIT = {
  operationId: "listAuditEntries",
  tag: "Businesses",
  summary: "List the audit log",
  description: "Actions in the business, including those of the command line and the service, newest first.",
  path: businessPath,
  query: {
    action: parameter(oneOf(AUDIT_ACTIONS), "Only entries of this action.", {
      example: "key.issued",
      filter: equals("action"),
    }),
    actor: parameter(
      TEXT,
      "Only entries of this actor: the id of a user, `cli` or `service`, or the name in the entries.",
      {
        example: "kim@example.com",
        filter: BY_ACTOR,
      },
    ),
    target: parameter(TEXT, "Only entries whose target has this id.", {
      example: "key_test_5szw01a1fc07df8c619d8e6ec9114ad57676",
      filter: equals("target"),
    }),
    recorded_after: parameter(TIME, "Only entries after this time.", { example: AT, filter: isAfter(RECORDED_AT) }),
    recorded_before: parameter(TIME, "Only entries before this time.", { example: AT, filter: isBefore(RECORDED_AT) }),
    limit,
    starting_after,
  },
  success: listAnswer("A page of entries.", "AuditEntry", ENTRY.example),
  errors: ["forbidden", "not_found"],
} as const satisfies Declaration;

/** The filters of the list, and its page. */
export type AuditQuery = QueryValues<typeof LIST_AUDIT.query>;
