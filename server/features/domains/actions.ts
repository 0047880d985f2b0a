import { randomBytes } from "node:crypto";
import { ActionError, explainMissingBusiness } from "../../domain/actionError.ts";
import type { Actor } from "../../domain/callers.ts";
import type { Database, Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import { setDomain } from "../businesses/fragments.ts";
import type { Context } from "../context.ts";
import { type DomainLookups, findProof } from "./check.ts";
import { type Claim, decideStep, type Finding, parseDomain } from "./domain.ts";
import {
  claimDueChecks,
  deleteClaim,
  findClaim,
  isProvenElsewhere,
  lockClaim,
  replaceClaim,
  scheduleCheck,
  scheduleChecksElsewhere,
  storeStep,
  takeCheck,
} from "./queries.ts";

export { findClaim } from "./queries.ts";

/**
 * Claims a domain for the business; buyers no longer see the one before. Claiming the same domain again changes
 * nothing. Throws {@link ActionError}: `domain_invalid`, `business_not_found`.
 */
export async function claimDomain(database: Database, actor: Actor, businessId: string, text: string): Promise<Claim> {
  const domain = parseDomain(text);
  if (domain === null)
    throw new ActionError(
      "domain_invalid",
      "The domain must be a public name such as shop.com, without a path, and not a public suffix such as co.uk.",
    );
  return database.transaction(async (db) => {
    const before = await lockClaim(db, businessId);
    if (before?.domain === domain) return before;
    const claim = await replaceClaim(db, businessId, domain, randomBytes(32).toString("base64url")).catch(
      explainMissingBusiness(businessId),
    );
    await audit(db, actor, businessId, "domain.claimed", {
      domain,
      ...(before === null ? {} : { before: before.domain }),
    });
    return claim;
  });
}

/** Checks the proof now. Throws {@link ActionError}: `domain_not_claimed`, `domain_look_too_soon`. */
export async function checkDomain(
  ctx: Context,
  lookups: DomainLookups,
  actor: Actor,
  businessId: string,
): Promise<Claim> {
  const { database } = ctx;
  const claim = await takeCheck(database, businessId);
  if (claim === null)
    throw (await findClaim(database, businessId)) === null
      ? notClaimed()
      : new ActionError("domain_look_too_soon", "The domain was just checked. Try again in ten seconds.");
  const finding = await timeProof(lookups, claim);
  return (await recordFinding(database, actor, claim, finding)) ?? (await findClaim(database, businessId)) ?? claim;
}

/** Lets a worker check within a minute. Throws {@link ActionError}: `domain_not_claimed`. */
export async function requestCheck(database: Database, businessId: string): Promise<void> {
  if (!(await scheduleCheck(database, businessId))) throw notClaimed();
}

/** Deletes the claim, so that buyers no longer see the domain. Throws {@link ActionError}: `domain_not_claimed`. */
export async function removeDomain(database: Database, actor: Actor, businessId: string): Promise<void> {
  await database.transaction(async (db) => {
    const claim = await lockClaim(db, businessId);
    if (claim === null) throw notClaimed();
    await deleteClaim(db, businessId);
    await audit(db, actor, businessId, "domain.removed", { domain: claim.domain });
  });
}

const DUE_MAX = 8;
/** A business whose check takes longer is checked in the slow lane from then on, so that it delays no others. */
const SLOW_MS = 2_000;

interface TimedFinding extends Finding {
  readonly isSlow: boolean;
}

async function timeProof(lookups: DomainLookups, claim: Claim): Promise<TimedFinding> {
  const startedAtMs = performance.now();
  const finding = await findProof(lookups, claim);
  return { ...finding, isSlow: performance.now() - startedAtMs > SLOW_MS };
}

/**
 * Checks due claims of all businesses, in one of two lanes with a loop each: servers that hang delay each other, but
 * not those that answer. Returns true when more are due.
 */
export async function recheckDomains(
  { database }: Context,
  lookups: DomainLookups,
  lane: "quick" | "slow",
  signal: AbortSignal,
): Promise<boolean> {
  const due = await claimDueChecks(database, lane === "slow", DUE_MAX);
  await Promise.all(
    due.map(async (claim) => {
      const finding = await timeProof(lookups, claim);
      if (!signal.aborted) await recordFinding(database, { kind: "service" }, claim, finding);
    }),
  );
  return due.length === DUE_MAX;
}

/** Records the result of a check and its consequences. Null if the claim has changed meanwhile. */
async function recordFinding(
  database: Database,
  actor: Actor,
  { businessId, token }: Claim,
  { verdict, problem, isSlow }: TimedFinding,
): Promise<Claim | null> {
  return database.transaction(async (db) => {
    const claim = await lockClaim(db, businessId);
    if (claim === null || claim.token !== token) return null;
    const { now } = (await db.row<{ now: Date }>(sql`select now() as now`))!;
    const step = decideStep(claim, verdict, now, await isProvenElsewhere(db, claim));
    if (step.becomes === "lost") await db.rows(setDomain(businessId, null));
    await storeStep(db, businessId, step, problem, isSlow);
    if (step.becomes === "proven") {
      await db.rows(setDomain(businessId, claim.domain));
      await scheduleChecksElsewhere(db, claim);
    }
    if (step.becomes !== null) await audit(db, actor, businessId, `domain.${step.becomes}`, { domain: claim.domain });
    return findClaim(db, businessId);
  });
}

const audit = (
  db: Db,
  actor: Actor,
  businessId: string,
  action: AuditAction,
  details: Readonly<Record<string, string>>,
) => db.rows(recordAudit(actor, { businessId, environment: null, action, target: businessId, details }));

const notClaimed = () => new ActionError("domain_not_claimed", "The business has no domain. Add one first.");
