import { isAddress } from "../../domain/addresses.ts";
import type { Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { done } from "../../edge/staff/answers.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import { nextActions } from "../payments/payment.ts";
import { holdOf } from "../payments/payoutHold.ts";
import {
  findUnmatched,
  listEndedUnmatched,
  listOpenUnmatched,
  saveNote,
  UNMATCHED_MAX,
  type UnmatchedView,
} from "./queries.ts";
import { GET_UNMATCHED_PAYMENT, LIST_UNMATCHED_PAYMENTS, NOTE_UNMATCHED_PAYMENT, UNMATCHED_PAYMENT } from "./schema.ts";

/** §13.16. */
export const staffRecordingRoutes = ({ database, slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/unmatched-payments`, LIST_UNMATCHED_PAYMENTS, async ({ caller, params, input }) => {
    const list = input.state === "ended" ? listEndedUnmatched : listOpenUnmatched;
    const found = await list(slowDatabase, tenantOf(caller, params));
    return ok(showPage(found, UNMATCHED_MAX, showUnmatched));
  }),
  memberRead("read", `${IN_TENANT}/unmatched-payments/:payment`, GET_UNMATCHED_PAYMENT, async ({ caller, params }) => {
    const address = params.payment!;
    const found = isAddress(address) ? await findUnmatched(database, tenantOf(caller, params), address) : null;
    if (found === null) throw missing();
    return ok(showUnmatched(found));
  }),
  memberWrite(
    "refund_payments",
    "PUT",
    `${IN_TENANT}/unmatched-payments/:payment/note`,
    NOTE_UNMATCHED_PAYMENT,
    STALE,
    async ({ caller, params, input: { note } }) => {
      const tenant = tenantOf(caller, params);
      const address = params.payment!;
      const entry = { ...tenant, action: "payment.noted", target: address, details: { note } } as const;
      const isKept = await database.transaction(async (db) => {
        if (!isAddress(address) || (await findUnmatched(db, tenant, address)) === null) return false;
        await saveNote(db, tenant, address, note, caller.email);
        await db.rows(recordAudit(caller.actor, entry));
        return true;
      });
      if (!isKept) throw missing();
      return done;
    },
  ),
];

function showUnmatched(view: UnmatchedView) {
  const { protectionDeadline } = view;
  // Of a payment that was closed before it was observed, nothing is left to do.
  const actions =
    protectionDeadline === null ? [] : nextActions({ ...view, protectionDeadline }, view.now, holdOf(view));
  return showObject(UNMATCHED_PAYMENT.show({ ...view, nextActions: actions, at: view.now }));
}
