import { checkStatuses } from "../../../chain/fetchOrLeave.ts";
import type { SignatureStatus } from "../../../chain/port.ts";
import type { ChainContext } from "../../context.ts";
import {
  claimSigned,
  expireOffers,
  pruneExpired,
  returnRents,
  type SignedSponsorship,
  type SponsorshipEnd,
  saveOutcomes,
} from "./queries.ts";

const BATCH_MAX = 200;
const STEP_MS = 20_000;

/**
 * Updates the books of sponsorships: offers that expired unsigned, signatures whose result is final, and rents that
 * came back. Signs and sends nothing.
 */
export async function followSponsorships(ctx: ChainContext, stopping: AbortSignal): Promise<boolean> {
  const {
    database,
    chain: { environment, reader },
  } = ctx;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_MS)]);
  const expired = await expireOffers(database, environment, BATCH_MAX);
  const claimed = await claimSigned(database, environment, BATCH_MAX);
  if (claimed.length > 0) {
    const check = (one: SignedSponsorship, status: SignatureStatus) => endOf(ctx, one, status, signal);
    // A status that no node returns is asked for again by the next steps.
    const checked = await checkStatuses(reader, claimed, check, signal);
    const over = checked.map(({ result }) => result).filter((end) => end !== null);
    if (over.length > 0) await saveOutcomes(database, environment, over);
  }
  const looked = await returnRents(database, environment, BATCH_MAX);
  return [expired, claimed.length, looked].includes(BATCH_MAX);
}

/** The result of a signature; null until it is final. What frees the budget, two nodes have to say. */
export async function endOf(
  { chain: { builder } }: ChainContext,
  { businessId, intentId, id, signed }: SignedSponsorship,
  status: SignatureStatus,
  signal: AbortSignal,
): Promise<SponsorshipEnd | null> {
  const ended = (outcome: SponsorshipEnd["status"]) => ({ businessId, intentId, id, status: outcome });
  if (status !== null && status.commitment !== "finalized") return null;
  if (status?.failed === false) return ended("landed");
  const life = await builder.fetchAgreedLife(signed, { signal });
  if (status !== null) return life?.kind === "failed" ? ended("failed") : null;
  return life?.kind === "ended" ? ended("expired") : null;
}

/** Deletes offers that expired a day ago. */
export const forgetSponsorships = async ({ database, chain: { environment } }: ChainContext): Promise<boolean> =>
  (await pruneExpired(database, environment, BATCH_MAX)) === BATCH_MAX;
