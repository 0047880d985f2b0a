import type { ChainPayment, ClosedPayment } from "../../../chain/port.ts";
import { type Environment, mismatches } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Db } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { draftEvent } from "../../events/event.ts";
import { freeSeat } from "../../links/fragments.ts";
import { stateOf } from "../decide/closed.ts";
import { followDispute } from "../decide/followDispute.ts";
import { type IntentTenant, lockIntentState, writeChanges } from "../decide/queries.ts";
import { recordAccounts } from "../decide/record.ts";
import type { IntentState, KnownPayment, Observed, ObservedPayment } from "../decide/state.ts";
import { decideCorrection } from "./correction.ts";
import {
  findTenantByPaymentAddress,
  hasExpiredEvent,
  isReferenceTaken,
  moveToReverted,
  releaseExpiredReference,
  updateRevertedIntent,
} from "./queries.ts";
import { decideReversal, pauseDispute } from "./reversal.ts";

/**
 * Reverts a suspected payment, in one transaction under the intent's lock. Changes nothing if the payment was observed
 * meanwhile, or became final.
 */
export async function revertPayment(
  { database, checkoutUrl }: Context,
  environment: Environment,
  suspected: KnownPayment,
): Promise<void> {
  await database.transaction(async (db) => {
    const locked = await lockSuspected(db, environment, suspected, null);
    if (locked !== null) await applyReversal(db, locked, checkoutUrl);
  });
}

/**
 * Corrects a suspected payment whose final account differs from the books: the same payment continues from the
 * account's steps and times; another payment at its address replaces it, if it matches.
 */
export async function correctPayment(
  ctx: Context,
  environment: Environment,
  suspected: KnownPayment,
  account: Observed<ChainPayment | ClosedPayment>,
): Promise<void> {
  const observed = { ...account, payment: stateOf(suspected, account.payment) };
  const isAnother = await ctx.database.transaction(async (db) => {
    const locked = await lockSuspected(db, environment, suspected, observed);
    if (locked === null) return false;
    const { tenant, state, payment, now } = locked;
    if (mismatches(state.intent, observed.payment).length > 0) {
      await applyReversal(db, locked, ctx.checkoutUrl);
      return true;
    }
    const decided = decideCorrection(state, payment, observed, now, ctx.checkoutUrl);
    const correction = followDispute(state, decided, now);
    const events = correction.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    await writeChanges(db, environment, [
      { tenant, before: state, state: correction.state, added: [], updated: [correction.payment], events },
    ]);
    return false;
  });
  if (isAnother) await recordAccounts(ctx, environment, [account]);
}

/** A suspected payment, with its intent's state under the lock. */
interface LockedPayment {
  readonly tenant: IntentTenant;
  readonly state: IntentState;
  readonly payment: KnownPayment;
  readonly now: Date;
}

/** Returns null if the payment has changed since the two reads. */
async function lockSuspected(
  db: Db,
  environment: Environment,
  suspected: KnownPayment,
  observed: ObservedPayment | null,
): Promise<LockedPayment | null> {
  const tenant = await findTenantByPaymentAddress(db, environment, suspected.id);
  if (tenant === null) return null;
  const locked = await lockIntentState(db, { tenant, observed: observed === null ? [] : [observed] });
  if (locked === null) return null;
  const { state, now } = locked;
  const payment = state.payments.find((known) => known.id === suspected.id);
  const isUnchanged =
    payment?.isSuspected &&
    payment.observedSlot === suspected.observedSlot &&
    payment.generation === suspected.generation;
  return isUnchanged ? { tenant, state, payment, now } : null;
}

async function applyReversal(db: Db, { tenant, state, payment, now }: LockedPayment, checkoutUrl: string) {
  await releaseExpiredReference(db, state.intent, now);
  const context = {
    referenceTaken: await isReferenceTaken(db, state.intent),
    expiredEventSent: await hasExpiredEvent(db, state.intent, state.generation),
  };
  const { reversal, disputes } = pauseDispute(state, decideReversal(state, payment, context, now, checkoutUrl), now);
  const events = reversal.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
  await moveToReverted(db, tenant, reversal, { events, disputes }, now, checkoutUrl);
  await updateRevertedIntent(db, tenant, reversal);
  await freeSeat(db, tenant.businessId, payment.id);
  failpoint("revert.before_commit");
}
