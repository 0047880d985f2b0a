import type { Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { FRESH, memberRead, memberWrite } from "../../edge/staff/route.ts";
import type { Context } from "../context.ts";
import { checkDomain, claimDomain, findClaim, removeDomain } from "./actions.ts";
import type { DomainLookups } from "./check.ts";
import { type Claim, GRACE_MS, placesOf, proofText, stateOf } from "./domain.ts";
import { CHECK_DOMAIN, CLAIM_DOMAIN, DOMAIN, GET_DOMAIN, REMOVE_DOMAIN } from "./schema.ts";

const PATH = "/businesses/:business/domain";

/** §13.12. Buyers trust a domain, so changing it needs a recent proof of identity. */
export const domainRoutes = (ctx: Context, lookups: DomainLookups): Route<Visitor>[] => [
  memberRead("read", PATH, GET_DOMAIN, async ({ caller: { businessId } }) =>
    ok(show(businessId, await findClaim(ctx.database, businessId))),
  ),
  memberWrite("manage_profile", "PUT", PATH, CLAIM_DOMAIN, FRESH, async ({ caller, input }) => {
    const { businessId, actor } = caller;
    const claim = await claimDomain(ctx.database, actor, businessId, input.domain);
    return ok(show(businessId, claim));
  }),
  memberWrite("manage_profile", "POST", `${PATH}/check`, CHECK_DOMAIN, FRESH, async ({ caller }) => {
    const { businessId, actor, userId } = caller;
    ctx.countLook(userId);
    return ok(show(businessId, await checkDomain(ctx, lookups, actor, businessId)));
  }),
  memberWrite("manage_profile", "DELETE", PATH, REMOVE_DOMAIN, FRESH, async ({ caller }) => {
    const { businessId, actor } = caller;
    await removeDomain(ctx.database, actor, businessId);
    return ok(show(businessId, null));
  }),
];

const NO_CLAIM = {
  domain: null,
  claimedAt: null,
  provenAt: null,
  checkedAt: null,
  failingSince: null,
  problem: null,
};

function show(businessId: string, claim: Claim | null) {
  const fields = claim ?? NO_CLAIM;
  return showObject(
    DOMAIN.show({
      ...fields,
      businessId,
      state: stateOf(claim),
      proof: claim === null ? null : { text: proofText(claim.token), ...placesOf(claim.domain) },
      shownUntil: fields.failingSince === null ? null : new Date(fields.failingSince.getTime() + GRACE_MS),
    }),
  );
}
