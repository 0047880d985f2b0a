import type { Environment } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { readNow } from "../../../store/clock.ts";
import type { Database, Db } from "../../../store/database.ts";
import { draftEvent, type Happening } from "../../events/event.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { type Decision, decide, type KnownPayment, type SeenPayment, type Story } from "./decision.ts";
import {
  findGeneration,
  findMismatchTold,
  findPaymentIdOwners,
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
 * Records payments seen on chain, whoever saw them: the sweep, confirm, recheck. The only way a payment enters the books
 * (§3, §4.5). Each intent's payments are decided in the order given, in one transaction under the intent's row lock.
 * Answers with the addresses that are undecided: to be seen again.
 */
export async function recordPayments(
  { database, checkoutUrl }: Recording,
  environment: Environment,
  seen: readonly SeenPayment[],
): Promise<ReadonlySet<string>> {
  const owners = await findPaymentIdOwners(database, environment, seen.map(storablePaymentId));
  const byIntent = new Map<string, SeenPayment[]>();
  const unmatched: (SeenPayment & { reason: UnmatchedReason })[] = [];
  for (const one of seen) {
    const owner = owners.get(one.payment.paymentId);
    if (owner === undefined) unmatched.push({ ...one, reason: "unknown_payment_id" });
    else byIntent.set(one.payment.paymentId, [...(byIntent.get(one.payment.paymentId) ?? []), one]);
  }

  const undecided = new Set<string>();
  for (const [paymentId, mine] of byIntent) {
    const owner = owners.get(paymentId)!;
    const decisions = await database.transaction(async (db) => {
      const made = await recordForIntent(db, owner, mine, checkoutUrl);
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
const storablePaymentId = ({ payment }: SeenPayment): string =>
  BigInt(payment.paymentId) < 2n ** 63n ? payment.paymentId : "0";

/** Decides and writes an intent's seen payments, in order, under its row lock; the caller's transaction holds it to the commit. */
export async function recordForIntent(
  db: Db,
  owner: { businessId: string; environment: Environment; intentId: string },
  seen: readonly SeenPayment[],
  checkoutUrl: string,
): Promise<Decision[]> {
  const locked = await lockIntent(db, owner, owner.intentId);
  if (locked === null) throw new Error(`The intent ${owner.intentId} of a payment id is gone.`);
  const { now } = locked;
  let story: Story = { ...locked, payments: await listKnownPayments(db, owner, owner.intentId) };
  const decisions: Decision[] = [];
  for (const one of seen) {
    const decision = await freshen(db, owner, decide(story, one, now, checkoutUrl), story, one);
    const events = decision.happenings.map((happening) => draftEvent(owner, happening, now));
    if (decision.outcome === "mismatch") {
      if (events.length > 0) await updateMismatches(db, owner, owner.intentId, decision, events);
    } else {
      const write = isNew(decision) ? insertPayment : updatePayment;
      await write(db, owner, decision as Decision & { payment: KnownPayment }, events);
    }
    story = decision.story;
    decisions.push(decision);
  }
  return decisions;
}

/** Whether it begins a payment, rather than saying what has become of one. */
const isNew = ({ outcome }: Decision): boolean => outcome === "bound" || outcome === "duplicate";

/** What only the tables can tell: which life of an address this is, and whether this sender's mismatch was told before. */
async function freshen(
  db: Db,
  owner: { businessId: string; environment: Environment; intentId: string },
  decision: Decision,
  before: Story,
  seen: SeenPayment,
): Promise<Decision> {
  if (decision.outcome === "mismatch") {
    const told =
      decision.happenings.length > 0 && (await findMismatchTold(db, owner, owner.intentId, seen.payment.sender));
    return told ? { ...decision, happenings: [], story: before } : decision;
  }
  if (!isNew(decision) || decision.payment === null) return decision;
  const generation = await findGeneration(db, owner, decision.payment.id);
  if (generation === 1) return decision;
  const payment = { ...decision.payment, generation };
  const renew = (happening: Happening): Happening =>
    happening.objectId === payment.id ? { ...happening, generation } : happening;
  return {
    ...decision,
    payment,
    happenings: decision.happenings.map(renew),
    story: {
      ...decision.story,
      payments: decision.story.payments.map((known) => (known.id === payment.id ? payment : known)),
    },
  };
}

/** Records a check of many payments: those it leaves as they are in one statement, the others one intent at a time. */
export async function recordChecks(
  recording: Recording,
  environment: Environment,
  seen: readonly SeenPayment[],
): Promise<void> {
  if (seen.length === 0) return;
  const { database } = recording;
  const touched = await touchUnchanged(database, environment, seen, await readNow(database, environment));
  const unchanged = new Set(touched.map((row) => row.address));
  await recordPayments(
    recording,
    environment,
    seen.filter((one) => !unchanged.has(one.payment.address)),
  );
}
