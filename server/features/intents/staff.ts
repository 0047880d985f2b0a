import type { Tenant, Visitor } from "../../domain/callers.ts";
import { isIntentId } from "../../domain/ids.ts";
import { showScanned } from "../../domain/page.ts";
import { type JsonText, showText } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { showIntentWithPayment, statusAt } from "./intent.ts";
import { findIntents, findListPosition } from "./queries.ts";
import { GET_STAFF_INTENT, LIST_STAFF_INTENTS, LISTED_INTENT } from "./schema.ts";
import { scanIntents } from "./staffQueries.ts";

export interface IntentStaffDeps {
  readonly database: Database;
  /** For lists. */
  readonly slowDatabase: Database;
  readonly checkoutUrl: string;
}

/** §13.10. */
export const staffIntentRoutes = ({ database, slowDatabase, checkoutUrl }: IntentStaffDeps): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/payment-intents`, LIST_STAFF_INTENTS, async ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    const cursor = input.startingAfter === null ? null : await findCursor(slowDatabase, tenant, input.startingAfter);
    const now = await readNow(database, tenant.environment);
    const { rows, isPart } = await scanIntents(slowDatabase, tenant, input, cursor, now);
    return ok(
      showScanned(rows, isPart, input.limit, (row) => LISTED_INTENT.show({ ...row, status: statusAt(row, now) })),
    );
  }),
  memberRead("read", `${IN_TENANT}/payment-intents/:intent`, GET_STAFF_INTENT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const id = params.intent!;
    const [found] = isIntentId(id) ? await findIntents(database, [{ tenant, id }]) : [];
    if (found === undefined || found === null) throw missing();
    const text = showIntentWithPayment(found, await readNow(database, tenant.environment), checkoutUrl);
    return ok(`{"object":"payment_intent_details","intent":${text},"json":${showText(text)}}` as JsonText);
  }),
];

async function findCursor(db: Db, tenant: Tenant, id: string): Promise<string> {
  const position = isIntentId(id) ? await findListPosition(db, tenant, id) : null;
  if (position === null) throw missing();
  return position;
}
