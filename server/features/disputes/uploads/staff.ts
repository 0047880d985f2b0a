import type { Visitor } from "../../../domain/callers.ts";
import { showObject } from "../../../domain/show.ts";
import { created, type Route } from "../../../edge/http/route.ts";
import { IN_TENANT } from "../../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../../edge/staff/route.ts";
import { recordAudit } from "../../audit/fragments.ts";
import type { Context } from "../../context.ts";
import { announceFile } from "./actions.ts";
import { attachFile } from "./attachment.ts";
import { ANNOUNCE_STAFF_FILE, GET_STAFF_FILE, UPLOAD } from "./schema.ts";
import { staffUploadPath } from "./upload.ts";

const PATH = `${IN_TENANT}/disputes/:dispute/files`;

/** §13.20.8: files of a dispute, for the members of a business. */
export const staffFileRoutes = ({ database }: Context): Route<Visitor>[] => [
  memberWrite("answer_disputes", "POST", PATH, ANNOUNCE_STAFF_FILE, STALE, ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    return database.transaction(async (db) => {
      const { userId: author, sessionId } = caller;
      const by = { side: "merchant", author, authorKind: "user", sessionId } as const;
      const announced = await announceFile(db, tenant, params.dispute!, by, input);
      if (announced === null) throw missing();
      const audited = { ...tenant, action: "dispute.file_announced", target: params.dispute!, details: {} } as const;
      await db.rows(recordAudit(caller.actor, audited));
      return created(showObject(UPLOAD.show({ ...announced, uploadUrl: staffUploadPath(announced.token) })));
    });
  }),
  memberRead("read", `${PATH}/:file`, GET_STAFF_FILE, async ({ caller, params }) => {
    const reply = await attachFile(database, tenantOf(caller, params), params.dispute!, params.file!);
    if (reply === null) throw missing();
    return reply;
  }),
];
