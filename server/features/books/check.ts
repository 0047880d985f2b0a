import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { type Finding, isGift } from "./books.ts";
import { type CompareDeps, type Comparison, compareBooks } from "./compare.ts";
import { type ChecksLease, claimAsked, claimNightly, postponeComparison, saveComparison } from "./queries.ts";

export interface CheckDeps extends Omit<CompareDeps, "db"> {
  readonly database: Database;
  readonly log: Log;
}

/** The time for one comparison: less than its lease. */
const COMPARE_MS = 540_000;
/** The least time between two searches for tenants that nobody asked about. */
const SEARCH_MS = 60_000;
/** The differences that the log names. */
const NAMED_MAX = 5;

/** Compares a tenant's books for which a lease was taken, and keeps what was found. Null: another worker has the lease by now. */
export async function checkBooks(
  deps: CheckDeps,
  tenant: Tenant,
  lease: ChecksLease,
  stopping: AbortSignal,
): Promise<Comparison | null> {
  const { database, log } = deps;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(COMPARE_MS)]);
  const comparison = await compareBooks({ ...deps, db: database }, tenant, signal).catch(async (error: unknown) => {
    // The first error says more than one of the database.
    await postponeComparison(database, tenant, lease).catch(() => undefined);
    throw error;
  });
  const isSaved = await database.transaction((db) => saveComparison(db, tenant, lease, comparison));
  const differing = comparison.findings.filter((one) => !isGift(one));
  if (isSaved && differing.length > 0)
    log(
      `${tenant.environment} books: ${comparison.differences} differences for ${tenant.businessId}: ${differing.slice(0, NAMED_MAX).map(describeFinding).join("; ")}.`,
    );
  return isSaved ? comparison : null;
}

/** A finding in words: "the vault of the payment … holds 12 less than is to leave, at slot 5". */
export function describeFinding({ kind, payment, asset, amount, detail, slot }: Finding): string {
  const at = `at slot ${slot}`;
  switch (kind) {
    case "vault_short":
      return `the vault of the payment ${payment} holds ${amount} of ${asset} less than is to leave, ${at}`;
    case "record_missing":
      return `the chain has no record of the payment ${payment}, of which ${amount} of ${asset} are to leave, ${at}`;
    case "record_differs":
      return `the record of the payment ${payment} differs in ${detail}, by ${amount} of ${asset}, ${at}`;
    case "sums_differ":
      return `the sums of ${asset} differ from its payments (${detail})`;
    case "gift":
      return `the vault of the payment ${payment} holds ${amount} of ${asset} more than is to leave, ${at}`;
  }
}

/**
 * The step that compares the books of one tenant: one that a member asked for, or one that is due this night. Returns true
 * while more may be due.
 */
export function createBooksStep(
  deps: CheckDeps,
  environment: Environment,
): (stopping: AbortSignal) => Promise<boolean> {
  let after = "";
  let searchedAt = Number.NEGATIVE_INFINITY;
  let wasAsked = false;
  const claimDue = async (): Promise<ChecksLease | null> => {
    if (performance.now() - searchedAt < SEARCH_MS) return null;
    const due = await claimNightly(deps.database, environment, after);
    after = due?.businessId ?? "";
    if (due === null) searchedAt = performance.now();
    return due;
  };
  // In turn: a member who asks again and again does not hold up the others' nights.
  const claim = async (): Promise<ChecksLease | null> => {
    const due = wasAsked ? await claimDue() : null;
    wasAsked = false;
    if (due !== null) return due;
    const asked = await claimAsked(deps.database, environment);
    wasAsked = asked !== null;
    return asked ?? claimDue();
  };
  return async (stopping) => {
    const lease = await claim();
    if (lease === null) return false;
    await checkBooks(deps, { businessId: lease.businessId, environment }, lease, stopping);
    return true;
  };
}
