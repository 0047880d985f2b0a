import type { ChainAccount } from "../../../chain/port.ts";
import { failureOf, recordAccounts, recordChecks } from "../decide/record.ts";
import { draftObserved } from "../decide/state.ts";
import type { SweepDeps } from "../sweep/sweep.ts";
import { listUnfinished, listUnfinishedUnmatched, touchMissing } from "./queries.ts";

/** Accounts a request; one request a step. */
const BATCH_MAX = 100;
/** Of these, for payments that are bound to no intent, so that neither kind waits for the other. */
const UNMATCHED_MAX = 20;
const READ_MS = 10_000;

/** The slow pass over unfinished payments, longest unchecked first: moves `checkedAt` and finds what the feed missed. */
export async function recheckPayments(
  deps: SweepDeps & { readonly olderThanMs: number },
  stopping: AbortSignal,
): Promise<boolean> {
  const { database, chain, commitment, olderThanMs } = deps;
  const addresses = await listUnfinished(database, chain.environment, olderThanMs, BATCH_MAX - UNMATCHED_MAX);
  const unmatched = await listUnfinishedUnmatched(database, chain.environment, olderThanMs, UNMATCHED_MAX);
  if (addresses.length + unmatched.length === 0) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const read = await chain.reader.fetchPayments([...addresses, ...unmatched], { signal, commitment });
  const observed = (accounts: readonly ChainAccount[]) =>
    accounts.filter((account) => account !== null).map((account) => draftObserved(account, read.slot, commitment));
  // What cannot be recorded is thrown at the end of the step, so that it keeps nothing else from being looked at.
  const failure =
    (await failureOf(recordChecks(deps, chain.environment, observed(read.value.slice(0, addresses.length))))) ??
    (await failureOf(recordAccounts(deps, chain.environment, observed(read.value.slice(addresses.length)))));
  // Finality decides what becomes of a payment that is not there; meanwhile it waits behind the others again, as does what
  // cannot be recorded.
  const behind = [...addresses, ...unmatched].filter((_, index) => failure !== null || read.value[index] === null);
  if (behind.length > 0) await touchMissing(database, chain.environment, behind);
  if (failure !== null) throw failure;
  return addresses.length === BATCH_MAX - UNMATCHED_MAX || unmatched.length === UNMATCHED_MAX;
}

/** Reads the accounts of these payments now and records the steps they have taken. */
export async function checkPayments(deps: SweepDeps, addresses: readonly string[]): Promise<void> {
  const { chain, commitment } = deps;
  const options = { signal: AbortSignal.timeout(READ_MS), commitment };
  const { value, slot } = await chain.reader.fetchPayments(addresses, options);
  const observed = value
    .filter((account) => account !== null)
    .map((account) => draftObserved(account, slot, commitment));
  await recordChecks(deps, chain.environment, observed);
}
