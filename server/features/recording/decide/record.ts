import { type ChainPayment, type ClosedPayment, isClosed } from "../../../chain/port.ts";
import type { Environment } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { isolate } from "../../../lib/isolate.ts";
import { readNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { draftEvent, type EventDraft } from "../../events/event.ts";
import { stateOf } from "./closed.ts";
import { type Decision, decide } from "./decision.ts";
import { followDispute } from "./followDispute.ts";
import {
  type AddedPayment,
  findIntentState,
  findTenantsByPaymentId,
  type IntentChange,
  type IntentTenant,
  lockIntentState,
  lockIntentStates,
  markClosed,
  type ObservedGroup,
  saveClosed,
  saveUnmatched,
  touchUnchanged,
  writeChanges,
} from "./queries.ts";
import { withSeats } from "./seats.ts";
import type { AccountState, IntentState, KnownPayment, Observed, ObservedClosing, ObservedPayment } from "./state.ts";
import type { ObservedUnmatched } from "./unmatched.ts";

/** Intents per transaction. */
const INTENTS_MAX = 100;

/**
 * Records observations of the sweep, of confirm or of a check. The only way by which a payment is recorded (§3, §4.5).
 * Returns the addresses that are undecided and must be observed again.
 */
export async function recordAccounts(
  ctx: Context,
  environment: Environment,
  observed: readonly Observed<ChainPayment | ClosedPayment>[],
): Promise<ReadonlySet<string>> {
  const { payments, closings } = splitClosed(observed);
  const undecided = await recordPayments(ctx, environment, payments);
  return undecided.union(await recordClosings(ctx, environment, closings));
}

function splitClosed(observed: readonly Observed<AccountState | ClosedPayment>[]): {
  readonly payments: readonly ObservedPayment[];
  readonly closings: readonly ObservedClosing[];
} {
  const payments: ObservedPayment[] = [];
  const closings: ObservedClosing[] = [];
  for (const { payment, ...rest } of observed)
    if (isClosed(payment)) closings.push({ ...rest, payment });
    else payments.push({ ...rest, payment });
  return { payments, closings };
}

/** Decides the payments of each intent in the order of `observed`. */
async function recordPayments(
  ctx: Context,
  environment: Environment,
  observed: readonly ObservedPayment[],
): Promise<ReadonlySet<string>> {
  const { database } = ctx;
  const tenants = await findTenantsByPaymentId(database, environment, observed.map(storablePaymentId));
  const byIntent = new Map<string, { tenant: IntentTenant; observed: ObservedPayment[] }>();
  const unmatched: ObservedUnmatched[] = [];
  for (const one of observed) {
    const tenant = tenants.get(one.payment.paymentId);
    if (tenant === undefined) unmatched.push({ ...one, reason: "unknown_payment_id" });
    else {
      const group = byIntent.get(tenant.intentId) ?? { tenant, observed: [] };
      group.observed.push(one);
      byIntent.set(tenant.intentId, group);
    }
  }

  const undecided = new Set<string>();
  const groups = [...byIntent.values()];
  for (let start = 0; start < groups.length; start += INTENTS_MAX) {
    const some = groups.slice(start, start + INTENTS_MAX);
    const decisions = await recordGroups(ctx, environment, some);
    for (const [index, group] of some.entries())
      for (const [place, { outcome }] of decisions[index]!.entries()) {
        const one = group.observed[place]!;
        if (outcome === "mismatch") unmatched.push({ ...one, reason: "terms_differ" });
        if (outcome === "undecided") undecided.add(one.payment.address);
      }
  }
  if (unmatched.length > 0) await saveUnmatched(database, environment, unmatched, await readNow(database, environment));
  return undecided;
}

/**
 * Records the groups in one transaction or, if that fails, each in its own. Then throws the error of the first group
 * that failed.
 */
async function recordGroups(
  ctx: Context,
  environment: Environment,
  groups: readonly ObservedGroup[],
): Promise<Decision[][]> {
  const outcomes = await isolate(groups, {
    name: "observed_payments",
    log: ctx.log,
    all: (some) =>
      ctx.database.transaction(async (db) => {
        const decisions = await recordForIntents(db, environment, some, ctx.checkoutUrl);
        failpoint("record.before_commit");
        return decisions;
      }),
  });
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error;
    return outcome.value;
  });
}

/** Advances recorded payments to the end that their tombstone shows; of all others only that end is known (§3.2.11). */
async function recordClosings(
  { database, checkoutUrl }: Context,
  environment: Environment,
  observed: readonly ObservedClosing[],
): Promise<ReadonlySet<string>> {
  const undecided = new Set<string>();
  if (observed.length === 0) return undecided;
  const tenants = await findTenantsByPaymentId(database, environment, observed.map(storablePaymentId));
  const unmatched: ObservedClosing[] = [];
  for (const one of observed) {
    const tenant = tenants.get(one.payment.paymentId);
    const decision =
      tenant === undefined
        ? null
        : await database.transaction((db) => recordClosingForIntent(db, tenant, one, checkoutUrl));
    if (decision === null) unmatched.push(one);
    else if (decision.outcome === "undecided") undecided.add(one.payment.address);
  }
  if (unmatched.length > 0) await saveClosed(database, environment, unmatched, await readNow(database, environment));
  const recorded = observed.filter((one) => !unmatched.includes(one) && !undecided.has(one.payment.address));
  if (recorded.length > 0)
    await markClosed(
      database,
      environment,
      recorded.map(({ payment }) => payment.address),
    );
  return undecided;
}

/** Returns null if the intent has no payment recorded at that address. */
export async function recordClosingForIntent(
  db: Db,
  tenant: IntentTenant,
  observed: ObservedClosing,
  checkoutUrl: string,
): Promise<Decision | null> {
  const { address, disputedAt } = observed.payment;
  const locked = await lockIntentState(db, {
    tenant,
    observed: [],
    ...(disputedAt === null ? {} : { disputed: address }),
  });
  const known = locked?.state.payments.find(({ id }) => id === observed.payment.address);
  if (locked === null || known === undefined) return null;
  const last = { ...observed, payment: stateOf(known, observed.payment) };
  const decision = decideAll(locked.state, last, locked.now, checkoutUrl);
  await writeChanges(db, tenant.environment, [changeOf(tenant, locked.state, [decision], locked.now)]);
  return decision;
}

// Our ids are below 2^63. A greater one belongs to no intent, and would not fit the column in which it is searched.
const storablePaymentId = ({ payment }: ObservedPayment | ObservedClosing): string =>
  BigInt(payment.paymentId) < 2n ** 63n ? payment.paymentId : "0";

/** Decides on an observed payment, and on its dispute. */
const decideAll = (state: IntentState, observed: ObservedPayment, now: Date, checkoutUrl: string): Decision =>
  followDispute(state, decide(state, observed, now, checkoutUrl), now);

/** {@link recordForIntents} for one intent. */
export const recordForIntent = async (
  db: Db,
  tenant: IntentTenant,
  observed: readonly ObservedPayment[],
  checkoutUrl: string,
): Promise<Decision[]> => (await recordForIntents(db, tenant.environment, [{ tenant, observed }], checkoutUrl))[0]!;

/**
 * Decides and writes intents' observed payments, each intent's in order, under the intents' row locks, which the
 * caller's transaction holds until it commits. Returns the decisions in the order of the observations.
 */
async function recordForIntents(
  db: Db,
  environment: Environment,
  groups: readonly ObservedGroup[],
  checkoutUrl: string,
): Promise<Decision[][]> {
  const locked = await withSeats(db, environment, groups, await lockIntentStates(db, environment, groups));
  const changes: IntentChange[] = [];
  const decisions = groups.map(({ tenant, observed }, index) => {
    const found = locked[index]!;
    if (found === null) throw new Error(`The intent ${tenant.intentId} of a payment id is gone.`);
    const made: Decision[] = [];
    for (const one of observed) made.push(decideAll(made.at(-1)?.state ?? found.state, one, found.now, checkoutUrl));
    if (made.length > 0) changes.push(changeOf(tenant, found.state, made, found.now));
    return made;
  });
  await writeChanges(db, environment, changes);
  return decisions;
}

/**
 * The decisions that an intent's observed payments would get now, in order, without a lock or a write. Closed payments
 * that are not recorded are left out.
 */
export async function previewForIntent(
  { database, checkoutUrl }: Context,
  tenant: IntentTenant,
  observed: readonly ObservedPayment[],
  closings: readonly ObservedClosing[],
): Promise<Decision[]> {
  const read = await findIntentState(database, tenant, observed);
  if (read === null) throw new Error(`The intent ${tenant.intentId} is gone.`);
  const known = new Map(read.state.payments.map((payment) => [payment.id, payment]));
  const closed = closings.flatMap((one) => {
    const payment = known.get(one.payment.address);
    return payment === undefined ? [] : [{ ...one, payment: stateOf(payment, one.payment) }];
  });
  const decisions: Decision[] = [];
  for (const one of [...observed, ...closed])
    decisions.push(decide(decisions.at(-1)?.state ?? read.state, one, read.now, checkoutUrl));
  return decisions;
}

/** The combined change of successive decisions on one intent's payments. */
function changeOf(tenant: IntentTenant, before: IntentState, decisions: readonly Decision[], now: Date): IntentChange {
  const added = new Map<string, AddedPayment>();
  const updated = new Map<string, KnownPayment>();
  const events: EventDraft[] = [];
  for (const { outcome, payment, pendingEvents } of decisions) {
    const drafts = pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    events.push(...drafts);
    if (payment === null) continue;
    const earlier = added.get(payment.id);
    if (outcome === "bound" || outcome === "duplicate") added.set(payment.id, { payment, firstEvent: drafts[0]! });
    else if (earlier !== undefined) added.set(payment.id, { ...earlier, payment });
    else updated.set(payment.id, payment);
  }
  const { state } = decisions.at(-1)!;
  return { tenant, before, state, added: [...added.values()], updated: [...updated.values()], events };
}

/** Records a check of many payments: those that agree with the books in one statement, the others per intent. */
export async function recordChecks(
  ctx: Context,
  environment: Environment,
  observed: readonly Observed<ChainPayment | ClosedPayment>[],
): Promise<void> {
  if (observed.length === 0) return;
  const { database } = ctx;
  const { payments } = splitClosed(observed);
  const touched = await touchUnchanged(database, environment, payments, await readNow(database, environment));
  const unchanged = new Set(touched.map((row) => row.address));
  await recordAccounts(
    ctx,
    environment,
    observed.filter((one) => !unchanged.has(one.payment.address)),
  );
}
