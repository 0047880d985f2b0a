import type { AddressBook } from "../../../domain/buyerAddress.ts";
import type { JsonText } from "../../../domain/show.ts";
import type { BuyerRoute } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok } from "../../../edge/http/route.ts";
import { parseEmail } from "../../staff/user.ts";
import type { ProofDeps } from "../proof/actions.ts";
import { countOfSession, memberOf, requireDispute, type SessionCall, sessionWrite } from "../proof/buyer.ts";
import { type ChangingSession, confirmAddress, needsProof, removeAddress, setAddress } from "./queries.ts";

const WRITES_A_MINUTE = 10;
/** A session is a fresh proof of the wallet for so long. */
const FRESH_MS = 600_000;
const PATH = "/pay/p/:payment/case/address";
const DONE = '{"object":"case_address"}' as JsonText;

export interface AddressDeps extends ProofDeps {
  /** Null: no mail is set up, or this process has no key; no address is taken. */
  readonly book: AddressBook | null;
}

/** The address for emails about a dispute (§16.8): entered, confirmed by the link of an email, and removed. */
export function addressRoutes(deps: AddressDeps): BuyerRoute[] {
  const { database, book } = deps;
  const count = countOfSession(WRITES_A_MINUTE);
  const changing = ({ payment, session }: SessionCall): ChangingSession => ({
    ...session,
    isFresh: payment.now.getTime() - session.createdAt.getTime() <= FRESH_MS,
  });
  async function refuseStale(given: SessionCall): Promise<void> {
    if (await needsProof(database, given.payment, changing(given)))
      throw new BuyerError("proof_needed", (texts) => texts.dispute.proveAgain);
  }
  const write = (path: string, act: (given: SessionCall) => Promise<unknown>): BuyerRoute =>
    sessionWrite(deps, `${PATH}${path}`, count, async (given) => {
      requireDispute(given.payment);
      await act(given);
      return ok(DONE);
    });
  return [
    write("", async (given) => {
      const { payment, call } = given;
      const entered = memberOf(call, "email");
      const email = typeof entered === "string" ? parseEmail(entered) : null;
      if (email === null) throw new BuyerError("invalid_request", (texts) => texts.dispute.email);
      if (book === null) throw new BuyerError("not_found", (texts) => texts.dispute.noEmails);
      await refuseStale(given);
      const { businessId } = payment;
      const sealed = { sealed: book.seal(businessId, email.shown), mailbox: await book.mailboxOf(email.shown) };
      if (!(await setAddress(database, payment, changing(given), sealed)))
        throw new BuyerError("rate_limited", (texts) => texts.dispute.tooManyLinks);
    }),
    write("/confirm", async ({ payment, call }) => {
      const code = memberOf(call, "code");
      if (typeof code !== "string" || !(await confirmAddress(database, payment, code)))
        throw new BuyerError("invalid_request", (texts) => texts.dispute.linkEnded);
    }),
    write("/remove", async (given) => {
      await removeAddress(database, given.payment, changing(given));
      await refuseStale(given);
    }),
  ];
}
