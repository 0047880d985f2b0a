import type { Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { memberRead, missing } from "../../edge/staff/route.ts";
import type { Context } from "../context.ts";
import { withActor } from "./audit.ts";
import { listAuditEntries } from "./queries.ts";
import { ENTRY, LIST_AUDIT } from "./schema.ts";

/** §13.6. */
export const auditRoutes = ({ slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read_audit", "/businesses/:business/audit", LIST_AUDIT, async ({ caller, input }) => {
    const rows = await listAuditEntries(slowDatabase, caller.businessId, input);
    if (rows === null) throw missing();
    return ok(showPage(rows, input.limit, (entry) => showObject(ENTRY.show(withActor(entry)))));
  }),
];
