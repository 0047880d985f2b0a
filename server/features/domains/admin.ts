import { type AdminAnswer, AdminError, type AdminVerb } from "../../edge/admin.ts";
import { claimDomain, findClaim, removeDomain, requestCheck } from "./actions.ts";
import { type Claim, placesOf, proofText, stateOf } from "./domain.ts";

export const domainVerbs: readonly AdminVerb[] = [
  {
    usage: "domain claim <business id> <domain>",
    does: "Claims a domain for a business and shows the proof to publish. Buyers see the domain once it is proven.",
    run: async ({ database, actor, positionals: [businessId, domain] }) => {
      if (businessId === undefined || domain === undefined)
        throw new AdminError("Name the business and the domain: domain claim <business id> <domain>.");
      return answerWith(businessId, await claimDomain(database, actor, businessId, domain));
    },
  },
  {
    usage: "domain show <business id>",
    does: "Shows the domain of a business and the result of the last check.",
    run: async ({ database, positionals: [businessId] }) =>
      answerWith(requireId(businessId, "show"), await findClaim(database, businessId!)),
  },
  {
    usage: "domain check <business id>",
    does: "Has a worker check for the proof within a minute.",
    run: async ({ database, positionals: [businessId] }) => {
      await requestCheck(database, requireId(businessId, "check"));
      return {
        result: { object: "done" },
        text: `A worker checks within a minute. To see the result: domain show ${businessId}`,
      };
    },
  },
  {
    usage: "domain remove <business id>",
    does: "Removes the domain of a business. Buyers no longer see it.",
    run: async ({ database, actor, positionals: [businessId] }) => {
      await removeDomain(database, actor, requireId(businessId, "remove"));
      return answerWith(businessId!, null);
    },
  },
];

function requireId(businessId: string | undefined, verb: string): string {
  if (businessId === undefined) throw new AdminError(`Name the business: domain ${verb} <business id>.`);
  return businessId;
}

const answerWith = (businessId: string, claim: Claim | null): AdminAnswer => ({
  result: { object: "business_domain", id: businessId, state: stateOf(claim), ...claim },
  text: claim === null ? `${businessId} has no domain.` : describe(claim),
});

const describe = (claim: Claim): string =>
  [
    `${claim.domain}  ${stateOf(claim)}`,
    `proof     ${proofText(claim.token)}`,
    `as a line of ${placesOf(claim.domain).fileUrl}`,
    `or as a TXT record of ${placesOf(claim.domain).recordName}`,
    ...(claim.problem === null ? [] : [`problem   ${claim.problem}`]),
  ].join("\n");
