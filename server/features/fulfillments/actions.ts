import { parseDelivery } from "@holdfast/receipt";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { isIntentId, newFulfillmentId } from "../../domain/ids.ts";
import { missingCursor, type Page, showPart } from "../../domain/page.ts";
import { type JsonText, showObject } from "../../domain/show.ts";
import type { Db } from "../../store/database.ts";
import { intentReader, lockIntent, peekIntent } from "../intents/fragments.ts";
import { PAYMENTS_OF_INTENT } from "../payments/fragments.ts";
import { listFulfillments } from "./fragments.ts";
import { FULFILLMENTS_MAX, type Fulfillment, type NewFulfillment, problemOf } from "./fulfillment.ts";
import { insertFulfillment } from "./queries.ts";
import { FULFILLMENT } from "./schema.ts";

/** The kept terms text of a hash; null if there is none. */
export type FindTerms = (db: Db, hash: string) => Promise<string | null>;

/** Records a fulfillment (§4.19), in a transaction. Null: there is no such intent. */
export async function recordFulfillment(
  db: Db,
  tenant: Tenant,
  intentId: string,
  input: NewFulfillment,
  { recordedBy, findTerms }: Pick<Fulfillment, "recordedBy"> & { readonly findTerms: FindTerms },
): Promise<Fulfillment | null> {
  const locked = isIntentId(intentId) ? await lockIntent(db, tenant, intentId) : null;
  if (locked === null) return null;
  const problem = problemOf(input, locked.now) ?? (await problemOfDelivery(db, intentId, input.delivery, findTerms));
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

const readPayments = intentReader({ payments: PAYMENTS_OF_INTENT });

/** What is signed has to be of a payment of the intent, whose terms name the signed offer: else it proves nothing of it. */
async function problemOfDelivery(db: Db, intentId: string, jws: string | null, findTerms: FindTerms) {
  if (jws === null) return null;
  const problem = (message: string) => ["delivery", message] as const;
  const signed = await parseDelivery(jws);
  if (signed === null) return problem("Expected a delivery and its offer, signed by one key.");
  const [found] = await readPayments(db, [intentId]);
  const payment = found?.payments.find(({ id }) => id === signed.delivery.payload.payment);
  if (payment === undefined) return problem("Expected a delivery for a payment of this intent.");
  const text = payment.termsHash === null ? null : await findTerms(db, payment.termsHash);
  const named = text === null ? null : (JSON.parse(text) as { readonly offer?: unknown }).offer;
  return named === signed.offer.hash ? null : problem("Expected the offer that the payment's terms name.");
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
