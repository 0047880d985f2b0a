import type { Visitor } from "../../domain/callers.ts";
import { isIntentId } from "../../domain/ids.ts";
import { type JsonText, showText } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import { showIntentWithPayment } from "./intent.ts";
import { findIntents } from "./queries.ts";
import { GET_STAFF_INTENT } from "./schema.ts";

export interface IntentStaffDeps {
  readonly database: Database;
  readonly checkoutUrl: string;
}

/** §13.10. */
export const staffIntentRoutes = ({ database, checkoutUrl }: IntentStaffDeps): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/payment-intents/:intent`, GET_STAFF_INTENT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const id = params.intent!;
    const [found] = isIntentId(id) ? await findIntents(database, [{ tenant, id }]) : [];
    if (found === undefined || found === null) throw missing();
    const text = showIntentWithPayment(found, await readNow(database, tenant.environment), checkoutUrl);
    return ok(`{"object":"payment_intent_details","intent":${text},"json":${showText(text)}}` as JsonText);
  }),
];
