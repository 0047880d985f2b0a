import type { Environment } from "../../../domain/terms.ts";
import { mismatches } from "../../../domain/terms.ts";
import type { Db } from "../../../store/database.ts";
import { claimSeats, type LinkClaim } from "../../links/fragments.ts";
import type { LockedState, ObservedGroup } from "./queries.ts";
import { primaryOf } from "./state.ts";

/** The payments that a decision is about to bind, of an intent that a link made. */
function claimsOf({ tenant, observed }: ObservedGroup, { state }: LockedState): LinkClaim[] {
  const { linkId, payments, intent } = state;
  if (linkId === null) return [];
  const known = new Set(payments.map(({ id }) => id));
  const bound = observed.filter(
    ({ payment }) => !known.has(payment.address) && mismatches(intent, payment).length === 0,
  );
  return bound.map(({ payment }, index) => ({
    businessId: tenant.businessId,
    linkId,
    intentId: tenant.intentId,
    wallet: payment.sender,
    payment: payment.address,
    isFirst: index === 0 && primaryOf(state) === null,
  }));
}

/** The states with the observed payments that have no seat under the limit of their link. Few intents are of a link. */
export async function withSeats(
  db: Db,
  environment: Environment,
  groups: readonly ObservedGroup[],
  locked: readonly (LockedState | null)[],
): Promise<readonly (LockedState | null)[]> {
  const claims = groups.flatMap((group, index) => {
    const found = locked[index]!;
    return found === null ? [] : claimsOf(group, found);
  });
  if (claims.length === 0) return locked;
  const withoutSeat = await claimSeats(db, environment, claims);
  return locked.map((found) => found && { ...found, state: { ...found.state, withoutSeat } });
}
