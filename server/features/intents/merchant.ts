import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isIntentId } from "../../domain/ids.ts";
import { missingCursor, showPage } from "../../domain/page.ts";
import { showFields } from "../../domain/show.ts";
import type { Committed } from "../../edge/http/idempotency.ts";
import { type Call, ok, type Reply, type Route, readRoute, type WriteCall, writeRoute } from "../../edge/http/route.ts";
import { type BatchOptions, batchStatements } from "../../store/batchStatements.ts";
import type { Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { createIntentOperation, replyToKey } from "./createIntent.ts";
import { lockIntent } from "./fragments.ts";
import {
  canCancel,
  type IntentWithPayment,
  missingIntent,
  showAnnouncedIntent,
  showForKeys,
  showIntent,
  showIntentWithPayment,
  statusAt,
} from "./intent.ts";
import { cancelLockedIntent, findIntents, findListPosition, type IntentRef, listIntents } from "./queries.ts";
import { CANCEL_INTENT, CREATE_INTENT, GET_INTENT, type IntentQuery, LIST_INTENTS } from "./schema.ts";

/** §4.1–4.4. */
export function intentRoutes(ctx: Context, batching: BatchOptions): Route<Merchant>[] {
  const findIntent = batchStatements("find_intents", batching, (refs: readonly IntentRef[]) =>
    findIntents(ctx.database, refs),
  );
  return [
    writeRoute("POST", "/payment-intents", CREATE_INTENT, createIntentOperation(ctx, batching)),
    readRoute("/payment-intents", LIST_INTENTS, (call) => getIntents(ctx, call)),
    readRoute("/payment-intents/:id", GET_INTENT, (call) => getIntent(ctx, findIntent, call)),
    writeRoute("POST", "/payment-intents/:id/cancel", CANCEL_INTENT, (call) => cancelIntent(ctx, call)),
  ];
}

const show = ({ addresses, checkoutUrl }: Context, found: IntentWithPayment, now: Date) =>
  showForKeys(showIntentWithPayment(found, now, checkoutUrl), found.intent, addresses);

type FindIntent = (ref: IntentRef) => Promise<IntentWithPayment | null>;

async function getIntent(
  ctx: Context,
  findIntent: FindIntent,
  { caller, now, params }: Call<Merchant, null>,
): Promise<Reply> {
  const id = params.id!;
  const found = isIntentId(id) ? await findIntent({ tenant: caller, id }) : null;
  if (found === null) throw missingIntent();
  return ok(show(ctx, found, now));
}

async function getIntents(ctx: Context, { caller, now, input: query }: Call<Merchant, IntentQuery>): Promise<Reply> {
  const cursor = await findCursor(ctx, caller, query);
  const found = await listIntents(ctx.slowDatabase, caller, query, cursor, now);
  return ok(showPage(found, query.limit, (one) => show(ctx, one, now), query.endingBefore !== null));
}

/** The position of the query's cursor; null if it has none. */
async function findCursor(ctx: Context, caller: Tenant, query: IntentQuery): Promise<string | null> {
  const id = query.startingAfter ?? query.endingBefore;
  if (id === null) return null;
  const direction = query.startingAfter === null ? "newer" : "older";
  const position = isIntentId(id) ? await findListPosition(ctx.database, caller, id, direction) : null;
  if (position === null) throw missingCursor(query, "an intent");
  return position;
}

async function cancelIntent(ctx: Context, { caller, params, write }: WriteCall<Merchant, null>): Promise<Committed> {
  const id = params.id!;
  if (!isIntentId(id)) throw missingIntent();
  return write.commit({ transaction: (db) => cancelOpenIntent(ctx, db, caller, id) });
}

async function cancelOpenIntent(ctx: Context, db: Db, caller: Tenant, id: string): Promise<Reply> {
  const locked = await lockIntent(db, caller, id);
  if (locked === null) throw missingIntent();
  const { intent, now } = locked;
  if (!canCancel(intent, now))
    throw new ApiError(
      "intent_not_cancelable",
      `This intent is ${statusAt(intent, now)}. Only an intent with the status requires_payment can be canceled.`,
    );
  const canceled = { ...intent, status: "canceled", canceledAt: now } as const;
  const object = showIntent(canceled, null, now, ctx.checkoutUrl);
  const pendingEvent = {
    type: "payment_intent.canceled",
    objectId: id,
    generation: locked.generation,
    transition: "payment_intent.canceled",
    intentId: id,
    paymentAddress: null,
    occurredAt: occurredAfter(locked.lastOccurredAt, now),
    object,
    before: showAnnouncedIntent(intent, null, locked.announced, ctx.checkoutUrl),
  } as const;
  await cancelLockedIntent(db, canceled, draftEvent(caller, pendingEvent, now));
  return replyToKey(ok(showFields(object)), canceled, ctx);
}
