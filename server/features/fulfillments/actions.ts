import type { Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { isIntentId, newFulfillmentId } from "../../domain/ids.ts";
import { missingCursor, type Page, showPart } from "../../domain/page.ts";
import { type JsonText, showObject } from "../../domain/show.ts";
import type { Db } from "../../store/database.ts";
import { lockIntent, peekIntent } from "../intents/fragments.ts";
import { listFulfillments } from "./fragments.ts";
import { FULFILLMENTS_MAX, type Fulfillment, type NewFulfillment, problemOf } from "./fulfillment.ts";
import { insertFulfillment } from "./queries.ts";
import { FULFILLMENT } from "./schema.ts";

/** Records a fulfillment (§4.19), in a transaction. Null: there is no such intent. */
export async function recordFulfillment(
  db: Db,
  tenant: Tenant,
  intentId: string,
  input: NewFulfillment,
  recordedBy: string,
): Promise<Fulfillment | null> {
  const locked = isIntentId(intentId) ? await lockIntent(db, tenant, intentId) : null;
  if (locked === null) return null;
  const problem = problemOf(input, locked.now);
  if (problem !== null) throw invalid(...problem);
  const number = (await listFulfillments(db, tenant, intentId)).length + 1;
  if (number > FULFILLMENTS_MAX)
    throw new ApiError("dispute_changed", `An intent has at most ${FULFILLMENTS_MAX} fulfillments.`, {
      reason: "limit_reached",
    });
  const { businessId } = tenant;
  const id = newFulfillmentId(tenant, locked.now);
  const fulfillment = { businessId, intentId, id, number, ...input, recordedAt: locked.now, recordedBy };
  await insertFulfillment(db, fulfillment);
  return fulfillment;
}

/** A page of the fulfillments of an intent (§4.9); null if there is no such intent. */
export async function readFulfillments(db: Db, tenant: Tenant, intentId: string, page: Page): Promise<JsonText | null> {
  const intent = isIntentId(intentId) ? await peekIntent(db, tenant, intentId) : null;
  if (intent === null) return null;
  const all = await listFulfillments(db, tenant, intentId);
  const shown = showPart(all.reverse(), page, showFulfillment);
  if (shown === null) throw missingCursor(page, "a fulfillment");
  return shown;
}

export const showFulfillment = (fulfillment: Fulfillment): JsonText => showObject(FULFILLMENT.show(fulfillment));
