import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isIntentId } from "../../domain/ids.ts";
import { cutPage } from "../../domain/page.ts";
import { type JsonText, showFields, showList } from "../../domain/show.ts";
import { inProgress } from "../../edge/http/idempotency.ts";
import {
  type Call,
  created,
  ok,
  type Reply,
  type Route,
  readRoute,
  type WriteCall,
  writeRoute,
} from "../../edge/http/route.ts";
import { type Batching, batchStatements } from "../../store/batching.ts";
import { readNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import type { TermsCheck } from "../chains/chain.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { showPayment } from "../payments/payment.ts";
import { type Creation, type CreationResult, createIntentWriter } from "./createIntent.ts";
import { lockIntent } from "./fragments.ts";
import { canCancel, draftIntent, type NewIntent, showIntent, statusAt } from "./intent.ts";
import {
  cancelLockedIntent,
  findIntents,
  findOpenIntent,
  type IntentRef,
  type IntentWithPayment,
  insertIntent,
  listIntents,
} from "./queries.ts";
import { CANCEL_INTENT, CREATE_INTENT, GET_INTENT, type IntentQuery, LIST_INTENTS } from "./schema.ts";

export interface Intents {
  readonly database: Database;
  /** For lists: a slow page never holds up a create. */
  readonly slowDatabase: Database;
  readonly batching: Batching;
  readonly checkoutUrl: string;
  readonly lifetimeMs: number;
  /** Asks the chain about asset and recipient (contract §2); throws `invalid_request` or `unavailable`. */
  readonly checkTerms: TermsCheck;
}

interface IntentOperations extends Intents {
  readonly findIntent: (ref: IntentRef) => Promise<IntentWithPayment | null>;
  readonly write: (creation: Creation) => Promise<CreationResult>;
}

/** §4.1–4.4. */
export function intentRoutes(parts: Intents): Route<Merchant>[] {
  const findIntent = batchStatements("find_intents", parts.batching, (refs: readonly IntentRef[]) =>
    findIntents(parts.database, refs),
  );
  const deps: IntentOperations = { ...parts, findIntent, write: createIntentWriter(parts.database, parts.batching) };
  return [
    writeRoute("POST", "/payment-intents", CREATE_INTENT, (call) => createIntent(deps, call)),
    readRoute("/payment-intents", LIST_INTENTS, (call) => readIntents(deps, call)),
    readRoute("/payment-intents/:id", GET_INTENT, (call) => readIntent(deps, call)),
    writeRoute("POST", "/payment-intents/:id/cancel", CANCEL_INTENT, (call) => cancelIntent(deps, call)),
  ];
}

async function createIntent(
  deps: IntentOperations,
  { caller, now, input, writing }: WriteCall<Merchant, NewIntent>,
): Promise<Reply> {
  await deps.checkTerms(caller, input, writing.hold);
  const draft = draftCreation(deps, caller, input, now);
  const unheld = writing.unheld();
  const result = unheld === null ? "undecided" : await deps.write({ ...draft, ...unheld });
  if (result === "running") throw inProgress();
  if (result === "undecided") return writing.commit((db) => createCarefully(deps, db, caller, input), "one");
  writing.kept();
  return created(draft.body);
}

function draftCreation(deps: Intents, caller: Tenant, input: NewIntent, now: Date) {
  const intent = draftIntent(caller, input, now, deps.lifetimeMs);
  const object = showIntent(intent, null, now, deps.checkoutUrl);
  const pendingEvent = {
    type: "payment_intent.created",
    objectId: intent.id,
    generation: 1,
    transition: "payment_intent.created",
    intentId: intent.id,
    paymentAddress: null,
    occurredAt: now,
    object,
    before: null,
  } as const;
  return { intent, body: showFields(object), created: draftEvent(caller, pendingEvent, now) };
}

/** One by one: write, and only then ask why nothing was written. */
async function createCarefully(deps: Intents, db: Db, caller: Tenant, input: NewIntent): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    // The clock of now and not of the key's look-up: a holder that has expired since has freed its reference.
    const draft = draftCreation(deps, caller, input, await readNow(db, caller.environment));
    if (await insertIntent(db, draft.intent, draft.created)) return created(draft.body);

    // Only the loser of the unique index pays for a second look, to name the winner; if that one is no longer open
    // by now, the reference is free again and one more try is fair.
    const existing = await findOpenIntent(db, caller, input.merchantReference);
    if (existing !== null)
      throw new ApiError("reference_in_use", REFERENCE_IN_USE, {
        intent: existing,
      });
    if (tries >= 3) throw new Error("The reference was neither free nor held three times in a row.");
  }
}

const REFERENCE_IN_USE =
  "An open intent already uses this merchantReference; error.intent names it. Go on with that one, cancel it, or choose another reference.";
const noSuchIntent = () =>
  new ApiError("not_found", "There is no such payment intent for this key's business and environment.");

async function findOrThrow(deps: IntentOperations, caller: Tenant, id: string): Promise<IntentWithPayment> {
  const found = isIntentId(id) ? await deps.findIntent({ tenant: caller, id }) : null;
  if (found === null) throw noSuchIntent();
  return found;
}

async function readIntent(deps: IntentOperations, { caller, now, params }: Call<Merchant, null>): Promise<Reply> {
  return ok(show(deps, await findOrThrow(deps, caller, params.id!), now));
}

const show = (deps: Pick<Intents, "checkoutUrl">, { intent, payment }: IntentWithPayment, now: Date): JsonText =>
  showFields(
    showIntent(intent, payment === null ? null : showFields(showPayment(payment, now)), now, deps.checkoutUrl),
  );

async function readIntents(
  deps: IntentOperations,
  { caller, now, input: query }: Call<Merchant, IntentQuery>,
): Promise<Reply> {
  const cursor = query.startingAfter ?? query.endingBefore;
  if (cursor !== null) await findOrThrow(deps, caller, cursor);
  const { items, hasMore } = cutPage(await listIntents(deps.slowDatabase, caller, query, now), query);
  return ok(
    showList(
      items.map((item) => show(deps, item, now)),
      hasMore,
    ),
  );
}

async function cancelIntent(
  deps: IntentOperations,
  { caller, params, writing }: WriteCall<Merchant, null>,
): Promise<Reply> {
  const id = params.id!;
  if (!isIntentId(id)) throw noSuchIntent();
  return writing.commit(async (db) => {
    const locked = await lockIntent(db, caller, id);
    if (locked === null) throw noSuchIntent();
    const { intent, now } = locked;
    if (!canCancel(intent, now))
      throw new ApiError(
        "intent_not_cancelable",
        `This intent is ${statusAt(intent, now)}. Only one that is still requires_payment can be canceled.`,
      );
    const canceled = { ...intent, status: "canceled", canceledAt: now } as const;
    const object = showIntent(canceled, null, now, deps.checkoutUrl);
    const pendingEvent = {
      type: "payment_intent.canceled",
      objectId: id,
      generation: locked.generation,
      transition: "payment_intent.canceled",
      intentId: id,
      paymentAddress: null,
      occurredAt: occurredAfter(locked.lastOccurredAt, now),
      object,
      before: showIntent(intent, null, now, deps.checkoutUrl),
    } as const;
    await cancelLockedIntent(db, canceled, draftEvent(caller, pendingEvent, now));
    return ok(showFields(object));
  });
}
