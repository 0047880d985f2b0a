import type { Components } from "../../../edge/http/declaration.ts";
import { declarations } from "../../../edge/http/declaration.ts";
import { requestBody } from "../../../edge/http/fields.ts";
import { shownObject } from "../../../edge/http/objects.ts";
import { answer } from "../../../edge/http/schemas.ts";
import { DONE } from "../../../edge/staff/answers.ts";
import { word } from "../../../lib/columns.ts";
import { secretField } from "../fields.ts";
import { SIGNED_IN } from "../signIn/schema.ts";

export const DEPARTURE = shownObject(
  "company_departure",
  {
    url: word({
      says: "The address at the company's provider to which the browser goes.",
      example: "https://id.example.com/authorize?client_id=holdfast",
    }),
  },
  "The way to the company's provider. The answer set a cookie that goes with it, good once, for ten minutes.",
);

export const companyComponents: Components = { CompanyDeparture: DEPARTURE.schema };

const departure = answer(200, "The way to the provider.", "CompanyDeparture", DEPARTURE.example);

const declare = declarations({ tag: "Sign-in", errors: ["rate_limited", "action_refused"] });

export const BEGIN_SIGN_IN = declare({
  operationId: "beginCompanySignIn",
  summary: "Begin a sign-in by the company",
  description: "409 `company_unavailable` while the provider cannot be reached, or if none is set.",
  success: departure,
});

export const ARRIVE = declare({
  operationId: "arriveFromCompany",
  summary: "Return from the company",
  description:
    "Takes the answer that the provider gave the browser, once, in the browser and session that set out. It signs in, links or proves, as the way began.",
  body: requestBody({
    component: "CompanyAnswerInput",
    operation: "The answer",
    fields: { answer: secretField("The query string of the page to which the provider returned the browser.", 4_000) },
    example: { answer: "code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj&iss=https%3A%2F%2Fid.example.com" },
  }),
  success: SIGNED_IN,
});

const declareOwn = declarations({ tag: "Account", errors: ["proof_required", "action_refused"] });

export const BEGIN_LINK = declareOwn({
  operationId: "beginCompanyLink",
  changes: [],
  summary: "Begin to link the company's sign-in",
  description: "The person who signs in at the provider becomes a way to sign in as this user.",
  success: departure,
});

export const UNLINK = declareOwn({
  operationId: "unlinkCompany",
  changes: ["getAccount"],
  summary: "Unlink the company's sign-in",
  description:
    "Sessions by the company end, and with them roles by groups. A user without password and passkey keeps it.",
  success: DONE,
});

export const BEGIN_PROOF = declareOwn({
  operationId: "beginCompanyProof",
  changes: [],
  summary: "Begin a proof by the company",
  description:
    "The person authenticates anew at the provider. Users with an authenticator app prove by password and code, or passkey.",
  errors: ["action_refused"],
  success: departure,
});
