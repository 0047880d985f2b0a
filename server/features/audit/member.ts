import type { Visitor } from "../../domain/callers.ts";
import { cutPage } from "../../domain/page.ts";
import { showList, showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { memberRead, missing } from "../../edge/staff/route.ts";
import type { Database } from "../../store/database.ts";
import { type AuditRow, listAuditEntries } from "./queries.ts";
import { AUDIT_ID, LIST_AUDIT } from "./schema.ts";

interface AuditDeps {
  readonly database: Database;
  /** For lists: a filter that matches little reads the whole log of a business. */
  readonly slowDatabase: Database;
}

/** §13.6. */
export const auditRoutes = ({ database, slowDatabase }: AuditDeps): Route<Visitor>[] => [
  memberRead(database, "read_audit", "/businesses/:business/audit", LIST_AUDIT, async ({ caller, input }) => {
    if (input.startingAfter !== null && !AUDIT_ID.test(input.startingAfter)) throw missing();
    const rows = await listAuditEntries(slowDatabase, caller.businessId, input);
    if (rows === null) throw missing();
    const { items, hasMore } = cutPage(rows, { ...input, endingBefore: null });
    return ok(showList(items.map(showEntry), hasMore));
  }),
];

const showEntry = ({ actor, actorName, address, details, ...entry }: AuditRow): string =>
  showObject({
    object: "audit_entry",
    ...entry,
    details: JSON.parse(details),
    actor: { id: actor, name: actorName, address },
  });
