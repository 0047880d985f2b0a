import type { Environment } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { readNow } from "../../../store/clock.ts";
import type { Database, Db } from "../../../store/database.ts";
import { draftEvent, type PendingEvent } from "../../events/event.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { type Decision, decide, type IntentState, type KnownPayment, type ObservedPayment } from "./decision.ts";
import {
  findGeneration,
  findTenantsByPaymentId,
  hasMismatchEvent,
  insertPayment,
  listKnownPayments,
  saveUnmatched,
  touchUnchanged,
  type UnmatchedReason,
  updateMismatches,
  updatePayment,
} from "./queries.ts";

export interface Recording {
  readonly database: Database;
  readonly checkoutUrl: string;
}

/**
 * Records payments observed on chain, whoever saw them: the sweep, confirm, recheck. The only way a payment enters the books
 * (§3, §4.5). Each intent's payments are decided in the order given, in one transaction under the intent's row lock.
 * Answers with the addresses that are undecided: to be observed again.
 */
export async function recordPayments(
  { database, checkoutUrl }: Recording,
  environment: Environment,
  observed: readonly ObservedPayment[],
): Promise<ReadonlySet<string>> {
  const tenants = await findTenantsByPaymentId(database, environment, observed.map(storablePaymentId));
  const byIntent = new Map<string, ObservedPayment[]>();
  const unmatched: (ObservedPayment & { reason: UnmatchedReason })[] = [];
  for (const one of observed) {
    const tenant = tenants.get(one.payment.paymentId);
    if (tenant === undefined) unmatched.push({ ...one, reason: "unknown_payment_id" });
    else byIntent.set(one.payment.paymentId, [...(byIntent.get(one.payment.paymentId) ?? []), one]);
  }

  const undecided = new Set<string>();
  for (const [paymentId, mine] of byIntent) {
    const tenant = tenants.get(paymentId)!;
    const decisions = await database.transaction(async (db) => {
      const made = await recordForIntent(db, tenant, mine, checkoutUrl);
      failpoint("record.before_commit");
      return made;
    });
    for (const [index, { outcome }] of decisions.entries()) {
      const one = mine[index]!;
      if (outcome === "mismatch") unmatched.push({ ...one, reason: "terms_differ" });
      if (outcome === "undecided") undecided.add(one.payment.address);
    }
  }
  if (unmatched.length > 0) await saveUnmatched(database, environment, unmatched, await readNow(database, environment));
  return undecided;
}

// Ours are below 2^63; a greater one on chain is nobody's, and would not fit the column it is looked up in.
const storablePaymentId = ({ payment }: ObservedPayment): string =>
  BigInt(payment.paymentId) < 2n ** 63n ? payment.paymentId : "0";

/** Decides and writes an intent's observed payments, in order, under its row lock; the caller's transaction holds it to the commit. */
export async function recordForIntent(
  db: Db,
  tenant: { businessId: string; environment: Environment; intentId: string },
  observed: readonly ObservedPayment[],
  checkoutUrl: string,
): Promise<Decision[]> {
  const locked = await lockIntent(db, tenant, tenant.intentId);
  if (locked === null) throw new Error(`The intent ${tenant.intentId} of a payment id is gone.`);
  const { now } = locked;
  let state: IntentState = { ...locked, payments: await listKnownPayments(db, tenant, tenant.intentId) };
  const decisions: Decision[] = [];
  for (const one of observed) {
    const decision = await freshen(db, tenant, decide(state, one, now, checkoutUrl), state, one);
    const events = decision.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    if (decision.outcome === "mismatch") {
      if (events.length > 0) await updateMismatches(db, tenant, tenant.intentId, decision, events);
    } else {
      const write = isNew(decision) ? insertPayment : updatePayment;
      await write(db, tenant, decision as Decision & { payment: KnownPayment }, events);
    }
    state = decision.state;
    decisions.push(decision);
  }
  return decisions;
}

/** Whether it begins a payment, rather than saying what has become of one. */
const isNew = ({ outcome }: Decision): boolean => outcome === "bound" || outcome === "duplicate";

/** What only the tables can tell: which life of an address this is, and whether this sender's mismatch was told before. */
async function freshen(
  db: Db,
  tenant: { businessId: string; environment: Environment; intentId: string },
  decision: Decision,
  before: IntentState,
  observed: ObservedPayment,
): Promise<Decision> {
  if (decision.outcome === "mismatch") {
    const told =
      decision.pendingEvents.length > 0 &&
      (await hasMismatchEvent(db, tenant, tenant.intentId, observed.payment.sender));
    return told ? { ...decision, pendingEvents: [], state: before } : decision;
  }
  if (!isNew(decision) || decision.payment === null) return decision;
  const generation = await findGeneration(db, tenant, decision.payment.id);
  if (generation === 1) return decision;
  const payment = { ...decision.payment, generation };
  const renew = (pendingEvent: PendingEvent): PendingEvent =>
    pendingEvent.objectId === payment.id ? { ...pendingEvent, generation } : pendingEvent;
  return {
    ...decision,
    payment,
    pendingEvents: decision.pendingEvents.map(renew),
    state: {
      ...decision.state,
      payments: decision.state.payments.map((known) => (known.id === payment.id ? payment : known)),
    },
  };
}

/** Records a check of many payments: those it leaves as they are in one statement, the others one intent at a time. */
export async function recordChecks(
  recording: Recording,
  environment: Environment,
  observed: readonly ObservedPayment[],
): Promise<void> {
  if (observed.length === 0) return;
  const { database } = recording;
  const touched = await touchUnchanged(database, environment, observed, await readNow(database, environment));
  const unchanged = new Set(touched.map((row) => row.address));
  await recordPayments(
    recording,
    environment,
    observed.filter((one) => !unchanged.has(one.payment.address)),
  );
}
