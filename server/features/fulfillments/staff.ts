import type { Visitor } from "../../domain/callers.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import { type FindTerms, readFulfillments, recordFulfillment, showFulfillment } from "./actions.ts";
import { LIST_STAFF_FULFILLMENTS, RECORD_STAFF_FULFILLMENT } from "./schema.ts";

const PATH = `${IN_TENANT}/payment-intents/:intent/fulfillments`;

/** §13.20.3. */
export const staffFulfillmentRoutes = ({ database }: Context, findTerms: FindTerms): Route<Visitor>[] => [
  memberRead("read", PATH, LIST_STAFF_FULFILLMENTS, async ({ caller, params, input: page }) => {
    const found = await readFulfillments(database, tenantOf(caller, params), params.intent!, page);
    if (found === null) throw missing();
    return ok(found);
  }),
  memberWrite("answer_disputes", "POST", PATH, RECORD_STAFF_FULFILLMENT, STALE, ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    return database.transaction(async (db) => {
      const by = { recordedBy: caller.userId, findTerms };
      const recorded = await recordFulfillment(db, tenant, params.intent!, input, by);
      if (recorded === null) throw missing();
      const details = { fulfillment: recorded.id };
      await db.rows(
        recordAudit(caller.actor, { ...tenant, action: "fulfillment.recorded", target: recorded.intentId, details }),
      );
      return created(showFulfillment(recorded));
    });
  }),
];
