import { fetchSureAccountsOrLeave, isAnswered } from "../../../chain/fetchOrLeave.ts";
import { type ChainAccount, ChainUnavailableError } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { outcomeOf } from "../../../lib/isolate.ts";
import type { ChainContext } from "../../context.ts";
import { stateOf } from "../decide/closed.ts";
import { recordChecks } from "../decide/record.ts";
import { draftAllObserved, draftObserved, type KnownPayment } from "../decide/state.ts";
import { continues } from "../decide/steps.ts";
import { unreadIn } from "../unread.ts";
import { correctPayment, revertPayment } from "./applyReversal.ts";
import { dropSuspicion, findSuspicion, listUnfinalized, markContradicted, markSuspected } from "./queries.ts";

/**
 * Accounts per step, read a hundred per request. CONTRADICTED_MAX of them are contradicted ones, so that neither kind
 * waits for the other.
 */
const BATCH_MAX = 400;
const CONTRADICTED_MAX = 80;
const READ_MS = 10_000;

/** The slot from which a final account must agree with the recorded payment. */
const recordedSlot = ({ createdSlot, observedSlot, changedSlot }: KnownPayment): number =>
  Math.max(createdSlot ?? observedSlot, changedSlot ?? 0);

/**
 * Bindings and steps that were recorded before they were final, or have vanished since, are read again here at `finalized`. A payment is reverted or
 * corrected only by the strict rule (§3.3.1): two reads apart, from different nodes if there are two, at a finalized
 * slot well past it, show that account and signature are both absent, or that the account differs. Any weaker evidence
 * leaves the payment as it is.
 */
export async function finalizePayments(
  ctx: ChainContext,
  stopping: AbortSignal,
  unread = unreadIn(ctx, "finality"),
): Promise<boolean> {
  const { database, chain } = ctx;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const waiting = await listUnfinalized(database, chain.environment, BATCH_MAX, CONTRADICTED_MAX, unread.list());
  if (waiting.length === 0) return false;
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const due = waiting.filter((payment) => recordedSlot(payment) <= head.slot);
  if (due.length === 0) return false;

  const known = new Map(due.map((payment) => [payment.id, payment]));
  const options = { signal, commitment: "finalized", minSlot: head.slot } as const;
  const read = unread.record(await fetchSureAccountsOrLeave(chain.reader, [...known.keys()], options));
  failpoint("finality.after_read");
  // An error of recording is thrown at the end of the step, so that it keeps no other payment from being reverted.
  const recorded = await outcomeOf(() => recordChecks(ctx, chain.environment, draftAllObserved(read, "finalized")));
  const contradicted = read.flatMap(({ address, account, ...first }) => {
    const payment = known.get(address)!;
    return contradicts(account, payment) ? [{ payment, first }] : [];
  });
  await markContradicted(
    database,
    chain.environment,
    contradicted.map(({ payment }) => payment),
  );
  for (const { payment, first } of contradicted) {
    const minSlot = recordedSlot(payment) + ctx.chain.revertRule.slots;
    if (minSlot > first.slot) continue;
    try {
      await suspectOrRevert(ctx, payment, { node: first.node, minSlot, signal });
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || !(await isAnswered(chain.reader, signal))) throw error;
      unread.add(new Map([[payment.id, error]]));
    }
  }
  if (!recorded.ok) throw recorded.error;
  // Contradicted payments stay in the list; they alone are no reason to read again at once.
  return due.length >= BATCH_MAX - CONTRADICTED_MAX && contradicted.length < due.length;
}

/** True if the account is absent, or cannot be a later state of the recorded payment. */
const contradicts = (account: ChainAccount, known: KnownPayment): boolean =>
  account === null || !continues(known, stateOf(known, account));

/** Reads once more. The first time, marks the payment as suspected; later, if the rule is met, reverts or corrects it. */
async function suspectOrRevert(
  ctx: ChainContext,
  payment: KnownPayment,
  first: { node: number; minSlot: number; signal: AbortSignal },
): Promise<void> {
  const { database, chain } = ctx;
  const suspicion = await findSuspicion(database, chain.environment, payment.id);
  if (suspicion === null) return;
  const { isSuspected, byNode, agoMs } = suspicion;
  if (isSuspected && agoMs < chain.revertRule.apartMs) return;
  // The second read asks another node, if there is one.
  const { signal, minSlot } = first;
  const other = isSuspected && byNode !== null ? { notNode: byNode } : {};
  const options = { signal, minSlot, commitment: "finalized", ...other } as const;
  const { value, slot } = await chain.reader.fetchPayments([payment.id], options);
  const account = value[0]!;
  const status =
    account !== null || payment.signature === null
      ? null
      : (await chain.reader.fetchSignatureStatuses([payment.signature], options)).value[0];
  if (!contradicts(account, payment)) return;
  if (status !== null) await dropSuspicion(database, chain.environment, payment.id);
  else if (!isSuspected) await markSuspected(database, chain.environment, payment.id, first.node);
  else if (account === null) await revertPayment(ctx, chain.environment, payment);
  else await correctPayment(ctx, chain.environment, payment, draftObserved(account, slot, "finalized"));
}
