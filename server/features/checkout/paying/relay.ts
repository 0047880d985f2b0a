import { hasReached } from "../../../chain/consensus.ts";
import { checkStatuses } from "../../../chain/fetchOrLeave.ts";
import { type SignatureStatus, unlessAway } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { ChainContext } from "../../context.ts";
import { pruneRates } from "../rates.ts";
import { type AttemptFinding, claimSent, type FollowedAttempt, pruneAttempts, saveFindings } from "./queries.ts";

/** Transactions per step; each may be sent again. */
const BATCH_MAX = 50;
const STEP_MS = 10_000;
/** Short enough to leave time to send transactions that no node could try. */
const TRIAL_MS = 4_000;
/** Longer than a step may take. */
const LEASE_MS = 15_000;
const PRUNE_MAX = 500;

/** Records the payments of a landed transaction. Returns true if they are in the books. */
type RecordTransaction = (signature: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Checks the followed signatures once: asks for all their statuses together, records the transactions that landed, has
 * a node try the others, and resends those that can land. Stops sending for an intent that can no longer be paid. A
 * transaction that was sent may still land, and is followed to its end.
 */
export async function relayTransactions(
  ctx: ChainContext,
  recordTransaction: RecordTransaction,
  stopping: AbortSignal,
): Promise<boolean> {
  const {
    database,
    chain: { environment },
  } = ctx;
  const claimed = await claimSent(database, environment, BATCH_MAX, LEASE_MS);
  if (claimed.length === 0) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_MS)]);
  const findings = await checkAll(ctx, recordTransaction, claimed, signal).catch(async (error: unknown) => {
    // Released at once: a transaction that waits for the end of a lease may expire meanwhile.
    const waiting = claimed.map((attempt) => ({ ...attempt, finding: "waiting" as const }));
    await saveFindings(database, environment, waiting).catch(() => undefined);
    throw error;
  });
  await saveFindings(database, environment, findings);
  return claimed.length === BATCH_MAX;
}

/** One that no node answers for waits on. */
async function checkAll(
  ctx: ChainContext,
  recordTransaction: RecordTransaction,
  claimed: readonly FollowedAttempt[],
  signal: AbortSignal,
): Promise<AttemptFinding[]> {
  const check = (attempt: FollowedAttempt, status: SignatureStatus) =>
    checkOne(ctx, recordTransaction, { attempt, status }, signal);
  const checked = await checkStatuses(ctx.chain.reader, claimed, check, signal);
  return checked.map(({ item, result }) => ({ ...item, finding: result ?? "waiting" }));
}

/** Deletes attempts that ended a day ago, and counts of earlier minutes. */
export async function forgetAttempts({ database, chain: { environment } }: ChainContext): Promise<boolean> {
  const pruned = [await pruneAttempts(database, environment, PRUNE_MAX), await pruneRates(database, PRUNE_MAX)];
  return pruned.includes(PRUNE_MAX);
}

async function checkOne(
  ctx: ChainContext,
  recordTransaction: RecordTransaction,
  { attempt, status }: { readonly attempt: FollowedAttempt; readonly status: SignatureStatus },
  signal: AbortSignal,
): Promise<AttemptFinding["finding"]> {
  const { signature, transaction, canLand, isOver, isStale, isPayable } = attempt;
  const { builder, reader } = ctx.chain;
  const sendAgain = async (text: string) => {
    await unlessAway(builder.sendTransaction(text, { signal }));
    failpoint("relay.after_send");
  };
  if (status !== null) {
    const landed = isStale ? "given_up" : "landed";
    if (!hasReached(status.commitment, reader.bindCommitment)) {
      if (!status.failed || isStale) return landed;
      // So says one node, of one fork: on another the transaction may still be missing.
      if (transaction !== null && canLand && isPayable) await sendAgain(transaction);
      return "waiting";
    }
    if (status.failed) return "failed";
    return (await recordTransaction(signature, signal)) ? "recorded" : landed;
  }
  if (isOver) return "expired";
  if (transaction === null) return (await builder.canSignatureLand(signature, { signal })) ? "waiting" : "expired";
  const trialSignal = AbortSignal.any([signal, AbortSignal.timeout(TRIAL_MS)]);
  const trial = await unlessAway(builder.tryTransaction(transaction, { signal: trialSignal }));
  if (trial?.kind === "would_fail") return "would_fail";
  const isKnown = trial?.kind === "would_land";
  if (!isKnown && !(await builder.canStillLand(transaction, { signal }))) return "expired";
  // If no node answers, the last answer holds: an outage makes a payment neither more nor less certain.
  if (isPayable && (isKnown || canLand)) await sendAgain(transaction);
  return isKnown ? "would_land" : "waiting";
}
