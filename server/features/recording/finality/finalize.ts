import { type ChainAccount, isPayment } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { continues, draftObserved, type KnownPayment } from "../decide/decision.ts";
import { recordChecks, recordPayments } from "../decide/record.ts";
import type { Sweeping } from "../sweep/sweep.ts";
import { correctPayment, revertPayment } from "./applyReversal.ts";
import {
  findSuspected,
  listUnfinalized,
  listUnfinished,
  listUnfinishedUnmatched,
  markSuspected,
  touchMissing,
} from "./queries.ts";

/** Accounts a request; one request a step. */
const BATCH_MAX = 100;
/** Of these, for payments that are bound to no intent, so that neither kind waits for the other. */
const UNMATCHED_MAX = 20;
const READ_MS = 10_000;
/** The slow pass over unfinished payments, longest unchecked first: moves `checkedAt` and finds what the feed missed. */
export async function recheckPayments(
  deps: Sweeping & { readonly olderThanMs: number },
  stopping: AbortSignal,
): Promise<boolean> {
  const { database, chain, commitment, olderThanMs } = deps;
  const addresses = await listUnfinished(database, chain.environment, olderThanMs, BATCH_MAX - UNMATCHED_MAX);
  const unmatched = await listUnfinishedUnmatched(database, chain.environment, olderThanMs, UNMATCHED_MAX);
  if (addresses.length + unmatched.length === 0) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const read = await chain.reader.fetchPayments([...addresses, ...unmatched], { signal, commitment });
  const observed = (accounts: typeof read.value) =>
    accounts.filter(isPayment).map((payment) => draftObserved(payment, read.slot, commitment));
  await recordChecks(deps, chain.environment, observed(read.value.slice(0, addresses.length)));
  await recordPayments(deps, chain.environment, observed(read.value.slice(addresses.length)));
  // Looked at and not there: finality decides what becomes of them, and meanwhile they stand behind the others again.
  const absent = [...addresses, ...unmatched].filter((_, index) => !isPayment(read.value[index] ?? null));
  if (absent.length > 0) await touchMissing(database, chain.environment, absent);
  return addresses.length === BATCH_MAX - UNMATCHED_MAX || unmatched.length === UNMATCHED_MAX;
}

/** Looks at these payments now and records what they have come to. */
export async function recordObserved(deps: Sweeping, addresses: readonly string[]): Promise<void> {
  const { chain, commitment } = deps;
  const options = { signal: AbortSignal.timeout(READ_MS), commitment };
  const { value, slot } = await chain.reader.fetchPayments(addresses, options);
  const observed = value.filter(isPayment).map((payment) => draftObserved(payment, slot, commitment));
  await recordChecks(deps, chain.environment, observed);
}

/** When what was told is taken back: the chain is final this far past it, on two reads this far apart (contract §3). */
export interface Finalizing extends Sweeping {
  readonly revertRule: { readonly slots: number; readonly apartMs: number };
}

/** The slot from which a final account has to say what is told of a payment. */
const toldSlot = ({ createdSlot, observedSlot, changedSlot }: KnownPayment): number =>
  Math.max(createdSlot ?? observedSlot, changedSlot ?? 0);

/**
 * Bindings and steps start at `confirmed`. Here each is looked at again at `finalized`, and what a fork has taken is
 * taken back by the strict rule: on two reads apart, on different nodes where there are two, at a finalized slot well past
 * it, the account and the signature are both absent, or the account says something else. The rest is "not yet known".
 */
export async function finalizePayments(deps: Finalizing, stopping: AbortSignal): Promise<boolean> {
  const { database, chain } = deps;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const waiting = await listUnfinalized(database, chain.environment, BATCH_MAX);
  if (waiting.length === 0) return false;
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const due = waiting.filter((payment) => toldSlot(payment) <= head.slot);
  if (due.length === 0) return false;

  const read = await chain.reader.fetchPayments(
    due.map((payment) => payment.id),
    { signal, commitment: "finalized", minSlot: head.slot },
  );
  failpoint("finality.after_read");
  const present = read.value.filter(isPayment);
  await recordChecks(
    deps,
    chain.environment,
    present.map((payment) => draftObserved(payment, read.slot, "finalized")),
  );
  const otherwise = due.filter((payment, index) => isOtherwise(payment, read.value[index]!));
  for (const payment of otherwise) {
    const minSlot = toldSlot(payment) + deps.revertRule.slots;
    if (minSlot <= read.slot) await doubt(deps, payment, { node: read.node, minSlot, signal });
  }
  // What is missing or contradicted stays in the list: it is no reason to look again at once.
  return due.length === BATCH_MAX && otherwise.length < due.length;
}

/** Whether the account is not there, or not what is told of the payment. */
const isOtherwise = (known: KnownPayment, account: ChainAccount): boolean =>
  account === null || (isPayment(account) && !continues(known, { payment: account }));

async function doubt(
  deps: Finalizing,
  payment: KnownPayment,
  first: { node: number; minSlot: number; signal: AbortSignal },
): Promise<void> {
  const { database, chain } = deps;
  const earlier = await findSuspected(database, chain.environment, payment.id);
  if (earlier === null) return;
  const second = earlier.missingSince !== null;
  if (second && earlier.agoMs < deps.revertRule.apartMs) return;
  // A second opinion comes from another node where there is one.
  const { signal, minSlot } = first;
  const other = second && earlier.missingNode !== null ? { notNode: earlier.missingNode } : {};
  const options = { signal, minSlot, commitment: "finalized", ...other } as const;
  const { value, slot } = await chain.reader.fetchPayments([payment.id], options);
  const account = value[0]!;
  const status =
    account !== null || payment.signature === null
      ? null
      : (await chain.reader.fetchSignatureStatuses([payment.signature], options)).value[0];
  if (!isOtherwise(payment, account) || status !== null) return;
  if (!second) await markSuspected(database, chain.environment, payment.id, first.node);
  else if (!isPayment(account)) await revertPayment(deps, chain.environment, payment);
  else await correctPayment(deps, chain.environment, payment, draftObserved(account, slot, "finalized"));
}
