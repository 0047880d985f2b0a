import { Type } from "typebox";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, requestBody } from "../../edge/http/fields.ts";
import { choice, component, nullable, timestamp } from "../../edge/http/schemas.ts";
import { BUSINESS_ID, businessPath } from "../../edge/staff/paths.ts";
import { DOMAIN_STATES, parseDomain, placesOf, proofText } from "./domain.ts";

/** §13.12. */
export const domainComponents: Components = {
  BusinessDomain: Type.Object(
    {
      object: Type.Literal("business_domain"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$", description: "The business's id." }),
      domain: nullable(Type.String(), { description: "As DNS has it, in ASCII; null: none was claimed." }),
      state: choice(DOMAIN_STATES, {
        description: "`failing`: buyers are shown it, but the last look did not find the proof.",
      }),
      proof: nullable(
        Type.Object({
          text: Type.String({ description: "The line of the file, or the text of the record." }),
          fileUrl: Type.String(),
          recordName: Type.String({ description: "The name of the TXT record." }),
        }),
        { description: "What proves the domain; either place will do." },
      ),
      claimedAt: nullable(timestamp("When it was claimed.")),
      provenAt: nullable(timestamp("Since when buyers are shown it.")),
      checkedAt: nullable(timestamp("When it was last looked at.")),
      failingSince: nullable(timestamp("Since when the proof was not found.")),
      shownUntil: nullable(timestamp("Until when buyers are shown it, unless the proof is found again.")),
      problem: nullable(Type.String(), { description: "What the last look missed, in sentences." }),
    },
    { description: "The domain of a business." },
  ),
};

const EXAMPLE = {
  object: "business_domain",
  id: BUSINESS_ID,
  domain: "shop.com",
  state: "proven",
  proof: {
    text: proofText("Zl4kXo0Yw8J7fS2mQ9rT3uV6xB1nC5hD0eG8iK4pLaM"),
    fileUrl: placesOf("shop.com").fileUrl,
    recordName: placesOf("shop.com").recordName,
  },
  claimedAt: "2026-11-20T08:30:00.000Z",
  provenAt: "2026-11-20T08:34:00.000Z",
  checkedAt: "2026-11-21T08:34:00.000Z",
  failingSince: null,
  shownUntil: null,
  problem: null,
};
const success = {
  status: 200,
  description: "The domain.",
  schema: component("BusinessDomain"),
  example: EXAMPLE,
} as const;
const errors = ["forbidden", "proof_required", "not_found", "action_refused"] as const;

export const GET_DOMAIN = {
  operationId: "getBusinessDomain",
  tag: "Businesses",
  summary: "Get the domain",
  description: "The domain that the business says is its own, and whether that is proven.",
  path: businessPath,
  success,
  errors: ["not_found"],
} as const satisfies Declaration;

export const CLAIM_DOMAIN = {
  operationId: "claimBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  tag: "Businesses",
  summary: "Claim a domain",
  description:
    "Says which domain is the business's own. Buyers are shown it once it is proven, and the one before it no more.",
  path: businessPath,
  body: requestBody({
    component: "BusinessDomainClaim",
    operation: "The claim",
    fields: {
      domain: checkedText(
        Type.String({ maxLength: 300 }),
        "a public name such as shop.com, without a path, and not one under which others register theirs",
        (text) => text.length <= 300 && parseDomain(text) !== null,
      ),
    },
    example: { domain: "shop.com" },
  }),
  success,
  errors,
} as const satisfies Declaration;

export const CHECK_DOMAIN = {
  operationId: "checkBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  tag: "Businesses",
  summary: "Look for the proof of the domain",
  description: "Reads the file and the TXT records now; once in ten seconds at most.",
  path: businessPath,
  success,
  errors: [...errors, "rate_limited"],
} as const satisfies Declaration;

export const REMOVE_DOMAIN = {
  operationId: "removeBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  tag: "Businesses",
  summary: "Remove the domain",
  description: "Buyers are shown no domain from then on.",
  path: businessPath,
  success,
  errors,
} as const satisfies Declaration;
