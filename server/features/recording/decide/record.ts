import { type ChainPayment, type ClosedPayment, isClosed } from "../../../chain/port.ts";
import type { Tenant } from "../../../domain/callers.ts";
import type { Environment } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { readNow } from "../../../store/clock.ts";
import type { Database, Db } from "../../../store/database.ts";
import { draftEvent } from "../../events/event.ts";
import { stateOf } from "./closed.ts";
import { type Decision, decide } from "./decision.ts";
import {
  findTenantsByPaymentId,
  insertPayment,
  lockIntentState,
  saveClosed,
  saveUnmatched,
  touchUnchanged,
  type UnmatchedPayment,
  updateMismatches,
  updatePayment,
} from "./queries.ts";
import type { AccountState, Observed, ObservedClosing, ObservedPayment } from "./state.ts";

export interface RecordingDeps {
  readonly database: Database;
  readonly checkoutUrl: string;
}

/**
 * Records what was observed on chain, by the sweep, confirm or a check. The only way a payment enters the books (§3, §4.5).
 * Returns the addresses that are undecided: to be observed again.
 */
export async function recordAccounts(
  deps: RecordingDeps,
  environment: Environment,
  observed: readonly Observed<ChainPayment | ClosedPayment>[],
): Promise<ReadonlySet<string>> {
  const { payments, closings } = splitClosed(observed);
  const undecided = await recordPayments(deps, environment, payments);
  return undecided.union(await recordClosings(deps, environment, closings));
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

/** Each intent's payments are decided in the order given, in one transaction under the intent's row lock. */
async function recordPayments(
  { database, checkoutUrl }: RecordingDeps,
  environment: Environment,
  observed: readonly ObservedPayment[],
): Promise<ReadonlySet<string>> {
  const tenants = await findTenantsByPaymentId(database, environment, observed.map(storablePaymentId));
  const byIntent = new Map<string, ObservedPayment[]>();
  const unmatched: UnmatchedPayment[] = [];
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

/** Recorded payments go on to the end that their tombstone shows; of the others only that end is known (§3.2.11). */
async function recordClosings(
  { database, checkoutUrl }: RecordingDeps,
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
  return undecided;
}

/** Null: the intent has no payment recorded at that address. */
export async function recordClosingForIntent(
  db: Db,
  tenant: Tenant & { readonly intentId: string },
  observed: ObservedClosing,
  checkoutUrl: string,
): Promise<Decision | null> {
  const locked = await lockIntentState(db, tenant, tenant.intentId, []);
  const known = locked?.state.payments.find(({ id }) => id === observed.payment.address);
  if (locked === null || known === undefined) return null;
  const last = { ...observed, payment: stateOf(known, observed.payment) };
  const decision = decide(locked.state, last, locked.now, checkoutUrl);
  await writeDecision(db, tenant, decision, locked.now);
  return decision;
}

// Ours are below 2^63; a greater one belongs to no intent, and would not fit the column it is looked up in.
const storablePaymentId = ({ payment }: ObservedPayment | ObservedClosing): string =>
  BigInt(payment.paymentId) < 2n ** 63n ? payment.paymentId : "0";

/** Decides and writes an intent's observed payments, in order, under its row lock; the caller's transaction holds it to the commit. */
export async function recordForIntent(
  db: Db,
  tenant: Tenant & { readonly intentId: string },
  observed: readonly ObservedPayment[],
  checkoutUrl: string,
): Promise<Decision[]> {
  const locked = await lockIntentState(db, tenant, tenant.intentId, observed);
  if (locked === null) throw new Error(`The intent ${tenant.intentId} of a payment id is gone.`);
  let { state } = locked;
  const decisions: Decision[] = [];
  for (const one of observed) {
    const decision = decide(state, one, locked.now, checkoutUrl);
    await writeDecision(db, tenant, decision, locked.now);
    state = decision.state;
    decisions.push(decision);
  }
  return decisions;
}

async function writeDecision(
  db: Db,
  tenant: Tenant & { readonly intentId: string },
  decision: Decision,
  now: Date,
): Promise<void> {
  const events = decision.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
  switch (decision.outcome) {
    case "bound":
    case "duplicate":
      await insertPayment(db, tenant, decision, events);
      return;
    case "already_recorded":
    case "undecided":
      await updatePayment(db, tenant, decision, events);
      return;
    case "mismatch":
      if (events.length > 0) await updateMismatches(db, tenant, tenant.intentId, decision, events);
  }
}

/** Records a check of many payments: those that agree with the books in one statement, the others one intent at a time. */
export async function recordChecks(
  deps: RecordingDeps,
  environment: Environment,
  observed: readonly Observed<ChainPayment | ClosedPayment>[],
): Promise<void> {
  if (observed.length === 0) return;
  const { database } = deps;
  const { payments } = splitClosed(observed);
  const touched = await touchUnchanged(database, environment, payments, await readNow(database, environment));
  const unchanged = new Set(touched.map((row) => row.address));
  await recordAccounts(
    deps,
    environment,
    observed.filter((one) => !unchanged.has(one.payment.address)),
  );
}
