import { TEXT } from "../../domain/values.ts";
import { type AdminAnswer, adminVerb, BUSINESS, positional } from "../../edge/admin.ts";
import { claimDomain, findClaim, removeDomain, requestCheck } from "./actions.ts";
import { type Claim, placesOf, proofText, stateOf } from "./domain.ts";

export const domainVerbs = [
  adminVerb({
    words: "domain claim",
    takes: { business: BUSINESS, domain: positional(TEXT, "domain") },
    does: "Claims a domain for a business and shows the proof to publish. Buyers see the domain once it is proven.",
    run: async ({ database, actor, business, domain }) =>
      answerWith(business, await claimDomain(database, actor, business, domain)),
  }),
  adminVerb({
    words: "domain show",
    takes: { business: BUSINESS },
    does: "Shows the domain of a business and the result of the last check.",
    run: async ({ database, business }) => answerWith(business, await findClaim(database, business)),
  }),
  adminVerb({
    words: "domain check",
    takes: { business: BUSINESS },
    does: "Has a worker check for the proof within a minute.",
    run: async ({ database, business }) => {
      await requestCheck(database, business);
      return {
        result: { object: "done" },
        text: `A worker checks within a minute. To see the result: domain show ${business}`,
      };
    },
  }),
  adminVerb({
    words: "domain remove",
    takes: { business: BUSINESS },
    does: "Removes the domain of a business. Buyers no longer see it.",
    run: async ({ database, actor, business }) => {
      await removeDomain(database, actor, business);
      return answerWith(business, null);
    },
  }),
];

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
