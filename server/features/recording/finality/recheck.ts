import { fetchAccountsOrLeave } from "../../../chain/fetchOrLeave.ts";
import { outcomeOf } from "../../../lib/isolate.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { ChainContext } from "../../context.ts";
import { recordAccounts, recordChecks } from "../decide/record.ts";
import { draftAllObserved } from "../decide/state.ts";
import { unreadIn } from "../unread.ts";
import { listUnfinished, touchMissing } from "./queries.ts";

/** Accounts per request. A step sends one request. */
const BATCH_MAX = 100;
/** The number of them for payments that are bound to no intent, so that neither kind waits for the other. */
const UNMATCHED_MAX = 20;
const READ_MS = 10_000;

/** The slow pass over unfinished payments, longest unchecked first: moves `checkedAt` and finds what the feed missed. */
export async function recheckPayments(
  ctx: ChainContext,
  olderThanMs: number,
  stopping: AbortSignal,
  unread = unreadIn(ctx, "recheck"),
): Promise<boolean> {
  const { database, chain } = ctx;
  const { bindCommitment: commitment } = chain.reader;
  const except = unread.list();
  const list = (table: Sql, limit: number) =>
    listUnfinished(database, chain.environment, table, olderThanMs, limit, except);
  const addresses = await list(sql`payments`, BATCH_MAX - UNMATCHED_MAX);
  const unmatched = await list(sql`unmatched_payments`, UNMATCHED_MAX);
  if (addresses.length + unmatched.length === 0) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const fetched = await fetchAccountsOrLeave(chain.reader, [...addresses, ...unmatched], { signal, commitment });
  const read = unread.record(fetched);
  const observed = draftAllObserved(read, commitment);
  const isUnmatched = ({ payment }: (typeof observed)[number]) => unmatched.includes(payment.address);
  // An error of recording is thrown at the end of the step, so that everything else is still checked.
  const recorded = await outcomeOf(async () => {
    await recordChecks(
      ctx,
      chain.environment,
      observed.filter((one) => !isUnmatched(one)),
    );
    await recordAccounts(ctx, chain.environment, observed.filter(isUnmatched));
  });
  // Finality decides about a payment whose account is absent. Until then it goes to the end of the queue, as does one
  // that cannot be recorded.
  const absent = read.filter(({ account }) => account === null).map(({ address }) => address);
  const unrecorded = recorded.ok ? [] : observed.map(({ payment }) => payment.address);
  if (absent.length + unrecorded.length > 0) await touchMissing(database, chain.environment, { unrecorded, absent });
  if (!recorded.ok) throw recorded.error;
  return addresses.length === BATCH_MAX - UNMATCHED_MAX || unmatched.length === UNMATCHED_MAX;
}

/** Reads the accounts of these payments now and records their steps. Accounts that no node returns are left to the recheck. */
export async function checkPayments(ctx: ChainContext, addresses: readonly string[]): Promise<void> {
  const { chain } = ctx;
  const { bindCommitment: commitment } = chain.reader;
  const options = { signal: AbortSignal.timeout(READ_MS), commitment };
  const { read } = await fetchAccountsOrLeave(chain.reader, addresses, options);
  await recordChecks(ctx, chain.environment, draftAllObserved(read, commitment));
}
