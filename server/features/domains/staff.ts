import type { Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { memberRead, memberWrite } from "../../edge/staff/route.ts";
import { checkDomain, claimDomain, type DomainDeps, findClaim, removeDomain } from "./actions.ts";
import { type Claim, GRACE_MS, placesOf, proofText, stateOf } from "./domain.ts";
import { CHECK_DOMAIN, CLAIM_DOMAIN, GET_DOMAIN, REMOVE_DOMAIN } from "./schema.ts";

export interface DomainStaffDeps extends DomainDeps {
  /** Counts a look of a user; throws where there were too many. Another claim may be looked at at once, so claims bound nothing. */
  readonly countLook: (userId: string) => void;
}

/** Buyers trust a domain, so an open browser alone does not change it. */
const FRESH = { fresh: true } as const;
const PATH = "/businesses/:business/domain";

/** §13.12. */
export const domainRoutes = (deps: DomainStaffDeps): Route<Visitor>[] => [
  memberRead("read", PATH, GET_DOMAIN, async ({ caller: { businessId } }) =>
    ok(show(businessId, await findClaim(deps.database, businessId))),
  ),
  memberWrite(
    "manage_profile",
    "PUT",
    PATH,
    CLAIM_DOMAIN,
    FRESH,
    async ({ caller: { businessId, actor }, input, write }) => {
      const claim = await claimDomain(deps.database, actor, businessId, input.domain);
      return write.commit({ reply: ok(show(businessId, claim)) });
    },
  ),
  memberWrite(
    "manage_profile",
    "POST",
    `${PATH}/check`,
    CHECK_DOMAIN,
    FRESH,
    async ({ caller: { businessId, actor, userId }, write }) => {
      deps.countLook(userId);
      return write.commit({ reply: ok(show(businessId, await checkDomain(deps, actor, businessId))) });
    },
  ),
  memberWrite(
    "manage_profile",
    "DELETE",
    PATH,
    REMOVE_DOMAIN,
    FRESH,
    async ({ caller: { businessId, actor }, write }) => {
      await removeDomain(deps.database, actor, businessId);
      return write.commit({ reply: ok(show(businessId, null)) });
    },
  ),
];

const show = (businessId: string, claim: Claim | null) =>
  showObject({
    object: "business_domain",
    id: businessId,
    domain: claim?.domain ?? null,
    state: stateOf(claim),
    proof:
      claim === null
        ? null
        : {
            text: proofText(claim.token),
            fileUrl: placesOf(claim.domain).fileUrl,
            recordName: placesOf(claim.domain).recordName,
          },
    claimedAt: claim?.claimedAt ?? null,
    provenAt: claim?.provenAt ?? null,
    checkedAt: claim?.checkedAt ?? null,
    failingSince: claim?.failingSince ?? null,
    shownUntil: claim?.failingSince == null ? null : new Date(claim.failingSince.getTime() + GRACE_MS),
    problem: claim?.problem ?? null,
  });
