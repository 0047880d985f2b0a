import type { Tenant, Visitor } from "../../domain/callers.ts";
import { isIntentId } from "../../domain/ids.ts";
import { showScanned } from "../../domain/page.ts";
import { type JsonText, showText } from "../../domain/show.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { amountOrPrice, createForStaff } from "./actions.ts";
import { type IntentWithPayment, showIntentWithPayment, statusAt } from "./intent.ts";
import { findIntents, findListPosition } from "./queries.ts";
import { GET_STAFF_INTENT, LIST_STAFF_INTENTS, LISTED_INTENT } from "./schema.ts";
import { scanIntents } from "./staffQueries.ts";
import { CREATE_STAFF_INTENT } from "./staffSchema.ts";

/** §13.10, §13.18. */
export function staffIntentRoutes(ctx: Context): Route<Visitor>[] {
  const { database, slowDatabase, checkoutUrl, countLook } = ctx;
  return [
    memberWrite(
      "create_payments",
      "POST",
      `${IN_TENANT}/payment-intents`,
      CREATE_STAFF_INTENT,
      STALE,
      async ({ caller, params, input }) => {
        const tenant = tenantOf(caller, params);
        countLook(caller.userId);
        const { amount, price, ...terms } = input;
        const intent = await createForStaff(ctx, caller.actor, tenant, { ...terms, ...amountOrPrice(amount, price) });
        return created(showDetails({ intent, payment: null }, intent.createdAt, checkoutUrl));
      },
    ),
    memberRead("read", `${IN_TENANT}/payment-intents`, LIST_STAFF_INTENTS, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      const cursor = input.startingAfter === null ? null : await findCursor(slowDatabase, tenant, input.startingAfter);
      const now = await readNow(database, tenant.environment);
      const { rows, isPart } = await scanIntents(slowDatabase, tenant, input, cursor, now);
      return ok(
        showScanned(rows, isPart, { ...input, at: now }, (row) =>
          LISTED_INTENT.show({ ...row, status: statusAt(row, now) }),
        ),
      );
    }),
    memberRead("read", `${IN_TENANT}/payment-intents/:intent`, GET_STAFF_INTENT, async ({ caller, params }) => {
      const tenant = tenantOf(caller, params);
      const id = params.intent!;
      const [found] = isIntentId(id) ? await findIntents(database, [{ tenant, id }]) : [];
      if (found === undefined || found === null) throw missing();
      return ok(showDetails(found, await readNow(database, tenant.environment), checkoutUrl));
    }),
  ];
}

function showDetails(found: IntentWithPayment, now: Date, checkoutUrl: string): JsonText {
  const text = showIntentWithPayment(found, now, checkoutUrl);
  return `{"object":"payment_intent_details","intent":${text},"json":${showText(text)}}` as JsonText;
}

async function findCursor(db: Db, tenant: Tenant, id: string): Promise<string> {
  const position = isIntentId(id) ? await findListPosition(db, tenant, id, "older") : null;
  if (position === null) throw missing();
  return position;
}
