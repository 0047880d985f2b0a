import { checked } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, requestBody } from "../../edge/http/fields.ts";
import { part, shownObject } from "../../edge/http/objects.ts";
import { answer } from "../../edge/http/schemas.ts";
import { CHANGE_ERRORS } from "../../edge/staff/answers.ts";
import { businessPath } from "../../edge/staff/paths.ts";
import { nullable, text, time, word } from "../../lib/columns.ts";
import { DOMAIN_STATES, DOMAINS, type DomainState, parseDomain, placesOf, proofText } from "./domain.ts";

const { businessId, domain, claimedAt, provenAt, checkedAt, failingSince, problem } = DOMAINS.columns;
const places = placesOf("shop.com");
const proof = part(
  {
    text: text({
      says: "The line of the file, or the text of the record.",
      example: proofText("Zl4kXo0Yw8J7fS2mQ9rT3uV6xB1nC5hD0eG8iK4pLaM"),
    }),
    fileUrl: text({ says: "The address of the file.", example: places.fileUrl }),
    recordName: text({ says: "The name of the TXT record.", example: places.recordName }),
  },
  "The text that proves the domain, in either place; null if none was claimed.",
);

export const DOMAIN = shownObject(
  "business_domain",
  {
    businessId,
    domain: nullable(domain),
    state: word<DomainState>({
      of: DOMAIN_STATES,
      says: "`failing`: buyers are shown it, but the last check did not find the proof.",
      example: "proven",
    }),
    proof: nullable(proof),
    claimedAt: nullable(claimedAt),
    provenAt,
    checkedAt,
    failingSince,
    shownUntil: nullable(
      time({
        says: "The time until which buyers are shown it, unless the proof is found again; null if it is not failing.",
      }),
    ),
    problem,
  },
  "The domain of a business.",
);

/** §13.12. */
export const domainComponents: Components = { BusinessDomain: DOMAIN.schema };

const success = answer(200, "The domain.", "BusinessDomain", DOMAIN.example);
const errors = CHANGE_ERRORS;

const declare = declarations({ tag: "Businesses", path: businessPath, errors });

export const GET_DOMAIN = declare({
  operationId: "getBusinessDomain",
  summary: "Get the domain",
  description: "The domain that the business says is its own, with the state of its proof.",
  success,
  errors: ["not_found"],
});

export const CLAIM_DOMAIN = declare({
  operationId: "claimBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  summary: "Claim a domain",
  description:
    "Says which domain is the business's own. Buyers are shown it once it is proven, and the one before it no more.",
  body: requestBody({
    component: "BusinessDomainClaim",
    operation: "The claim",
    fields: {
      domain: field(
        checked(
          { maxLength: 300 },
          "a public name such as shop.com, without a path, and not one under which others register theirs",
          (text) => text.length <= 300 && parseDomain(text) !== null,
        ),
      ),
    },
    example: { domain: "shop.com" },
  }),
  success,
});

export const CHECK_DOMAIN = declare({
  operationId: "checkBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  summary: "Check the proof of the domain",
  description: "Reads the file and the TXT records now; once in ten seconds at most.",
  success,
  errors: [...errors, "rate_limited"],
});

export const REMOVE_DOMAIN = declare({
  operationId: "removeBusinessDomain",
  changes: ["getBusinessDomain", "getBusinessProfile"],
  summary: "Remove the domain",
  description: "Buyers are shown no domain from then on.",
  success,
});
