import type { Visitor } from "../../../domain/callers.ts";
import { showObject } from "../../../domain/show.ts";
import { ok, type Reply, type Route } from "../../../edge/http/route.ts";
import { done } from "../../../edge/staff/answers.ts";
import { FRESH, STALE, staffWrite, visitorWrite } from "../../../edge/staff/route.ts";
import type { StaffContext } from "../context.ts";
import { FLOW_SECONDS } from "../provider/company.ts";
import { SESSION_SECONDS_MAX } from "../signIn/admission.ts";
import { counted } from "../signIn/outcomes.ts";
import { STEP } from "../signIn/schema.ts";
import { greet, showTicket } from "../signIn/visitor.ts";
import {
  type Arrival,
  arrive,
  beginCompanyLink,
  beginCompanyProof,
  beginCompanySignIn,
  type Departure,
  unlinkCompany,
} from "./actions.ts";
import * as api from "./schema.ts";

/** §13.24. */
export const companyRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  visitorWrite("POST", "/sign-in/company", api.BEGIN_SIGN_IN, async ({ caller }) =>
    leave(ctx, await beginCompanySignIn(ctx, caller)),
  ),
  visitorWrite("POST", "/sign-in/company/answer", api.ARRIVE, async ({ caller, input }) =>
    welcome(ctx, await counted("company", () => arrive(ctx, caller, input.answer))),
  ),
  staffWrite("POST", "/account/company", api.BEGIN_LINK, FRESH, async ({ caller }) =>
    leave(ctx, await beginCompanyLink(ctx, caller)),
  ),
  staffWrite("DELETE", "/account/company", api.UNLINK, FRESH, async ({ caller }) => {
    await unlinkCompany(ctx, caller);
    return done;
  }),
  staffWrite("POST", "/proof/company", api.BEGIN_PROOF, STALE, async ({ caller }) =>
    leave(ctx, await beginCompanyProof(ctx, caller)),
  ),
];

const leave = ({ companyCookie }: StaffContext, { url, secret }: Departure): Reply => ({
  ...ok(showObject(api.DEPARTURE.show({ url }))),
  cookies: [companyCookie.set(secret, FLOW_SECONDS)],
});

/** The browser keeps nothing of the way. */
function welcome(ctx: StaffContext, arrival: Arrival): Reply {
  const reply = answerTo(ctx, arrival);
  return { ...reply, cookies: [...(reply.cookies ?? []), ctx.companyCookie.clear] };
}

function answerTo(ctx: StaffContext, arrival: Arrival): Reply {
  if ("user" in arrival) return greet(ctx, arrival);
  if ("ticket" in arrival) return ok(showTicket(arrival.ticket));
  const show = (status: "linked" | "proven") => ok(showObject(STEP.show({ status, ticket: null, user: null })));
  if ("linked" in arrival) return show("linked");
  return { ...show("proven"), cookies: [ctx.cookie.set(arrival.provenSecret, SESSION_SECONDS_MAX)] };
}
