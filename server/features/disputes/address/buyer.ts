import type { AddressBook } from "../../../domain/buyerAddress.ts";
import { showObject } from "../../../domain/show.ts";
import type { BodyOf, BuyerDeclaration, BuyerRoute } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok } from "../../../edge/http/route.ts";
import type { Context } from "../../context.ts";
import { countOfSession, requireDispute, type SessionCall, sessionWrite } from "../proof/buyer.ts";
import { type ChangingSession, confirmAddress, needsProof, removeAddress, setAddress } from "./queries.ts";
import { CASE_ADDRESS, CONFIRM_ADDRESS, REMOVE_ADDRESS, SET_ADDRESS } from "./schema.ts";

const WRITES_A_MINUTE = 10;
/** A session is a fresh proof of the wallet for so long. */
const FRESH_MS = 600_000;
const DAY_SECONDS = 86_400;
const PATH = "/pay/p/:payment/case/address";

/** The address for emails about a dispute (§16.8): entered, confirmed by the link of an email, and removed. */
export function addressRoutes(ctx: Context, book: AddressBook | null): BuyerRoute[] {
  const { database } = ctx;
  const count = countOfSession(WRITES_A_MINUTE);
  const changing = ({ payment, session }: SessionCall): ChangingSession => ({
    ...session,
    isFresh: payment.now.getTime() - session.createdAt.getTime() <= FRESH_MS,
  });
  async function refuseStale(given: SessionCall): Promise<void> {
    if (await needsProof(database, given.payment, changing(given)))
      throw new BuyerError("proof_needed", (texts) => texts.dispute.proveAgain);
  }
  const write = <const Declared extends BuyerDeclaration>(
    path: string,
    docs: Declared,
    act: (given: SessionCall<BodyOf<Declared>>) => Promise<unknown>,
  ): BuyerRoute =>
    sessionWrite(ctx, `${PATH}${path}`, docs, count, async (given) => {
      requireDispute(given.payment);
      await act(given);
      return ok(showObject(CASE_ADDRESS.show({})));
    });
  return [
    write("", SET_ADDRESS, async (given) => {
      const { payment, call } = given;
      const { email } = call.read();
      if (book === null) throw new BuyerError("not_found", (texts) => texts.dispute.noEmails);
      await refuseStale(given);
      const { businessId } = payment;
      const sealed = { sealed: book.seal(businessId, email.shown), mailbox: await book.mailboxOf(email.shown) };
      if (!(await setAddress(database, payment, changing(given), sealed)))
        throw new BuyerError("rate_limited", (texts) => texts.dispute.tooManyLinks, { retryAfterSeconds: DAY_SECONDS });
    }),
    write("/confirm", CONFIRM_ADDRESS, async ({ payment, call }) => {
      const { code } = call.read();
      if (!(await confirmAddress(database, payment, code)))
        throw new BuyerError("invalid_request", (texts) => texts.dispute.linkEnded);
    }),
    write("/remove", REMOVE_ADDRESS, async (given) => {
      await removeAddress(database, given.payment, changing(given));
      await refuseStale(given);
    }),
  ];
}
