import type { Visitor } from "../../../domain/callers.ts";
import { showPage } from "../../../domain/page.ts";
import { showObject } from "../../../domain/show.ts";
import { ok, type Route } from "../../../edge/http/route.ts";
import { missing, staffRead } from "../../../edge/staff/route.ts";
import { withActor } from "../../audit/audit.ts";
import type { Context } from "../../context.ts";
import { listHistory } from "./queries.ts";
import { ENTRY, LIST_HISTORY } from "./schema.ts";

/** §13.15. */
export const historyRoutes = ({ database }: Context): Route<Visitor>[] => [
  staffRead("/account/history", LIST_HISTORY, async ({ caller, input }) => {
    const rows = await listHistory(database, caller.userId, input);
    if (rows === null) throw missing();
    return ok(showPage(rows, input.limit, (entry) => showObject(ENTRY.show(withActor(entry)))));
  }),
];
