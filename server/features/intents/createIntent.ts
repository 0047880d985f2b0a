import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { amountOfPrice, type Price } from "../../domain/price.ts";
import { showFields } from "../../domain/show.ts";
import {
  ANSWER_COLUMNS,
  answerRow,
  type Committed,
  KEY_STATE,
  type KeyState,
  type KeyToStore,
  requireFree,
  storeAnswers,
} from "../../edge/http/idempotency.ts";
import { created, type Reply, type WriteCall } from "../../edge/http/route.ts";
import { type BatchOptions, batchStatements } from "../../store/batchStatements.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { announcing, relation, sql } from "../../store/sql.ts";
import { columnNames, columnTypes, rowMaker } from "../../store/table.ts";
import { hostOf, leadsToLoopback } from "../businesses/business.ts";
import { RETURN_HOST_ALLOWED } from "../businesses/fragments.ts";
import type { Context } from "../context.ts";
import { draftEvent, type EventDraft } from "../events/event.ts";
import { lockSequences } from "../events/fragments.ts";
import { RECIPIENT_ALLOWED } from "../recipients/fragments.ts";
import { DELIVERING, deliveringBusinesses, recordEvents } from "../webhooks/fragments.ts";
import {
  type AskedIntent,
  draftIntent,
  INTENTS,
  type Intent,
  lifetimeOf,
  type NewIntent,
  type Offered,
  showForKeys,
  showIntent,
  showPrice,
} from "./intent.ts";
import { findReferenceHolder } from "./queries.ts";

/** A further try is needed only if other requests take the reference and free it again in between. */
export const TRIES_MAX = 3;

type Caller = Tenant & Pick<Merchant, "intentLifetimeMinutes">;

/** §4.1. Creates of the same moment share one statement, and that is all a create writes. */
export function createIntentOperation(
  ctx: Context,
  batching: BatchOptions,
): (call: WriteCall<Caller, AskedIntent>) => Promise<Committed> {
  const insert = batchStatements("create_intents", batching, (creations: readonly Creation[]) =>
    insertIntents(ctx.database, creations),
  );

  async function create(caller: Caller, terms: NewIntent, draftedAt: Date, key: KeyToStore | null): Promise<Reply> {
    const settings = { ...ctx, lifetimeMs: lifetimeOf(caller.intentLifetimeMinutes, ctx.lifetimeMs) };
    let now = draftedAt;
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const drafted = draftCreation(settings, caller, terms, now, key);
      const creation = { ...drafted, reply: replyToKey(drafted.reply, drafted.intent, ctx) };
      const { keyState, isRecipientAllowed, isReturnHostAllowed, made } = await insert(creation);
      requireFree(keyState);
      if (!isRecipientAllowed) throw invalid("recipient", RECIPIENT_NOT_SAVED);
      if (!isReturnHostAllowed) throw invalid("returnUrl", RETURN_HOST_NOT_OWN);
      if (made) return creation.reply;

      // The insert lost to an open intent: read that intent, to name it. If it is gone by now, the reference is free,
      // so try again.
      const found = await findReferenceHolder(ctx.database, caller, terms.merchantReference);
      if (found.holder !== null) throw new ApiError("reference_in_use", REFERENCE_IN_USE, { intent: found.holder });
      now = found.now;
    }
    throw new Error(`The reference was neither free nor held ${TRIES_MAX} times in a row.`);
  }

  return async ({ caller, input, now, write }) => {
    if (input.returnUrl !== null && leadsToLoopback(input.returnUrl) && !mayUseLoopback(ctx, caller))
      throw invalid("returnUrl", "Only an intent of a local chain may lead to this machine. Give an https address.");
    let hasReadChain = false;
    await ctx.checkTerms(caller, input, () => {
      hasReadChain = true;
      return write.lockKey();
    });
    // A chain read takes seconds. They must not shorten the intent's lifetime.
    const draftedAt = hasReadChain ? await readNow(ctx.database, caller.environment) : now;
    const { price, amount, buyerEmail, ...rest } = input;
    const sealedEmail = buyerEmail === null ? null : ctx.addresses.seal(caller.businessId, buyerEmail);
    const others = { ...rest, sealedEmail };
    // Without a fresh rate a quote fails, and that is not stored.
    if (price !== null && !hasReadChain) await write.lockKey();
    const terms: NewIntent =
      price === null
        ? { ...others, amount: amount!, price: null, quote: null }
        : { ...others, ...(await quoteAmount(ctx, caller, price, input.asset, draftedAt)) };
    return write.commit({ statement: (key) => create(caller, terms, draftedAt, key) });
  };
}

/**
 * Makes the amount of a price, for an asset that the chain has shown. Throws `invalid_request`, or `unavailable` without a
 * fresh rate.
 */
export async function quoteAmount(
  { findAsset, findQuote }: Context,
  tenant: Tenant,
  price: Price,
  mint: string,
  now: Date,
): Promise<Pick<NewIntent, "amount" | "price" | "quote">> {
  const asset = await findAsset(tenant, mint);
  if (asset === null) throw new Error(`The asset ${mint} was checked, and is none.`);
  const quote = await findQuote(price.currency, mint, now);
  const amount = amountOfPrice(price, quote.rate, asset.decimals);
  if (amount === null) throw invalid("price", "It is more than a token account can hold.");
  return { amount, price: showPrice(price), quote: JSON.stringify(quote) };
}

export const REFERENCE_IN_USE =
  "An open intent already uses this merchantReference; error.intent names it. Go on with that one, cancel it, or choose another reference.";

export const RECIPIENT_NOT_SAVED =
  "This business is paid at its saved recipients alone, and this address is none of them, or was added less than 24 hours ago. An owner adds it in the dashboard, under Recipients.";

const RETURN_HOST_NOT_OWN =
  "Its host must be the domain that this business has proven, a name below it, or the host of the business's return address. Staff set both in the dashboard, under Profile.";

const mayUseLoopback = ({ isLocal }: Pick<Context, "isLocal">, { environment }: Tenant): boolean =>
  isLocal && environment === "test";

/** An intent's reply to a key: with the buyer's address, so that it is encrypted where it is stored. */
export const replyToKey = (reply: Reply, intent: Intent, { addresses }: Context): Reply => ({
  ...reply,
  body: showForKeys(reply.body, intent, addresses),
  isPrivate: intent.sealedEmail !== null,
});

/** A new intent with everything that its statement writes. */
export interface Creation {
  readonly intent: Intent;
  readonly event: EventDraft;
  /** Stored under `key`, if there is one. */
  readonly reply: Reply;
  readonly key: KeyToStore | null;
}

export function draftCreation(
  { checkoutUrl, lifetimeMs }: Pick<Context, "checkoutUrl" | "lifetimeMs">,
  tenant: Tenant,
  terms: NewIntent,
  now: Date,
  key: KeyToStore | null,
  offered: Offered | null = null,
): Creation {
  const intent = draftIntent(tenant, terms, now, lifetimeMs, offered);
  const object = showIntent(intent, null, now, checkoutUrl);
  const text = showFields(object);
  const pendingEvent = {
    type: "payment_intent.created",
    objectId: intent.id,
    generation: 1,
    transition: null,
    intentId: intent.id,
    paymentAddress: null,
    occurredAt: now,
    object,
    before: null,
  } as const;
  return { intent, event: draftEvent(tenant, pendingEvent, now, text), reply: created(text), key };
}

/**
 * The result of a creation. If the key was free, recipient and return host allowed and `made` is false, an open intent holds the
 * reference, or held it a moment ago.
 */
interface Outcome {
  readonly keyState: KeyState;
  readonly isRecipientAllowed: boolean;
  readonly isReturnHostAllowed: boolean;
  readonly made: boolean;
}

/**
 * One statement for all creations that arrived together: it tries each key's lock without waiting, inserts the
 * intents, stores the answers, and records the events with their deliveries. The unique index on open references
 * decides between creations of one reference, in this statement and in others.
 */
export async function insertIntents(db: Db, creations: readonly Creation[]): Promise<Outcome[]> {
  if (creations.length > CREATIONS_MAX) throw new Error(`A statement creates at most ${CREATIONS_MAX} intents.`);
  const { locked, last } = lockSequences(
    creations.map(({ intent }) => intent),
    sql`asked`,
  );
  const statement = sql`
    with asked as materialized (
      select a.*, ${KEY_STATE} as key_state, ${RECIPIENT_ALLOWED} as is_recipient_allowed,
        ${RETURN_HOST_ALLOWED} as is_return_host_allowed,
        -- Checked before the insert, which would wait for a holder that another transaction is changing, and would
        -- delay all other creations of this statement. This form reads one index row per reference; "not exists" would
        -- hash all rows.
        (select true from intents i
          where i.business_id = a.business_id and i.environment = a.environment
            and i.merchant_reference = a.merchant_reference and i.holds_reference) is null as is_reference_free
      from ${creationRows(creations.map(rowOf))}),
    locked as materialized (${locked}),
    made as (
      insert into intents (${INTENT_NAMES}, holds_reference, last_occurred_at, list_position)
      select ${INTENT_NAMES}, true, created_at, ${last} * ${CREATIONS_MAX}::integer + ordinal
      from asked a where key_state = 'free' and is_reference_free and is_recipient_allowed and is_return_host_allowed
      -- Always in the same order, so that no two statements wait for each other's references.
      order by business_id, environment, merchant_reference, ordinal
      on conflict (business_id, environment, merchant_reference) where holds_reference do nothing
      returning id),
    -- "In" searches a set; a join would compare every pair, since one row is what the planner expects.
    stored_answers as (${storeAnswers(sql`asked a where a.key is not null and a.id in (select id from made)`)}),
    ${recordEvents(
      creations.map(({ event }) => event),
      sql`d.object_id in (select id from made)`,
    )}
    select a.ordinal, a.key_state as "keyState", a.is_recipient_allowed as "isRecipientAllowed",
      a.is_return_host_allowed as "isReturnHostAllowed", a.id in (select id from made) as made, ${DELIVERING} from asked a`;
  const rows = await db.rows<Outcome & { ordinal: number }>(announcing(statement, deliveringBusinesses));
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes[row.ordinal] = row;
  return outcomes;
}

/** The factor of `list_position`: it leaves room for the ordinals of one statement. */
const CREATIONS_MAX = 1_024;
const INTENT_NAMES = columnNames(INTENTS.columns);
const creationRows = relation("a", {
  ordinal: "integer",
  ...columnTypes(INTENTS.columns),
  return_host: "text",
  ...ANSWER_COLUMNS,
});
const intentRow = rowMaker(INTENTS.columns);
const rowOf = ({ intent, reply, key }: Creation, ordinal: number) => ({
  ordinal,
  ...intentRow(intent),
  // The caller has checked that loopback is allowed.
  return_host: intent.returnUrl === null || leadsToLoopback(intent.returnUrl) ? null : hostOf(intent.returnUrl),
  ...answerRow(key, reply),
});
