import type { JsonText } from "../../../domain/show.ts";
import { type BuyerRoute, buyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit } from "../../../edge/buyer/limits.ts";
import { ok } from "../../../edge/http/route.ts";
import { parseEmail } from "../../staff/user.ts";
import type { ProofDeps } from "../proof/actions.ts";
import { memberOf, requireDispute, requireSession, type SessionCall } from "../proof/buyer.ts";
import { confirmAddress, removeAddress, setAddress } from "./queries.ts";

const WRITES_A_MINUTE = 10;
const PATH = "/pay/p/:payment/case/address";
const DONE = '{"object":"case_address"}' as JsonText;

export interface AddressDeps extends ProofDeps {
  /** False: no mail is set up, and no address is taken. */
  readonly canWrite: boolean;
}

/** The address for emails about a dispute (§16.8): entered, confirmed by the link of an email, and removed. */
export function addressRoutes(deps: AddressDeps): BuyerRoute[] {
  const { database, canWrite } = deps;
  const limit = new MinuteLimit(WRITES_A_MINUTE);
  const write = (path: string, act: (given: SessionCall) => Promise<unknown>): BuyerRoute =>
    buyerRoute("POST", `${PATH}${path}`, { from: "case" }, async (call) => {
      const waitSeconds = limit.use(`${call.network} ${call.params.payment}`, performance.now());
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      const given = await requireSession(deps, call);
      requireDispute(given.payment);
      await act(given);
      return ok(DONE);
    });
  return [
    write("", async ({ payment, call }) => {
      const given = memberOf(call, "email");
      const email = typeof given === "string" ? parseEmail(given) : null;
      if (email === null) throw new BuyerError("invalid_request", "Enter an email address.");
      if (!canWrite) throw new BuyerError("not_found", "This service sends no emails.");
      if (!(await setAddress(database, payment, email.shown)))
        throw new BuyerError("rate_limited", "Too many links were sent. Try again tomorrow.");
    }),
    write("/confirm", async ({ payment, call }) => {
      const code = memberOf(call, "code");
      if (typeof code !== "string" || !(await confirmAddress(database, payment, code)))
        throw new BuyerError("invalid_request", "This link does not work any more. Enter your address again.");
    }),
    write("/remove", ({ payment }) => removeAddress(database, payment)),
  ];
}
