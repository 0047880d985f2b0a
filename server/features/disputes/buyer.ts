import type { AddressBook } from "../../domain/buyerAddress.ts";
import { showObject } from "../../domain/show.ts";
import type { BodyOf, BuyerDeclaration, BuyerRoute } from "../../edge/buyer/door.ts";
import { BuyerError } from "../../edge/buyer/error.ts";
import { ok } from "../../edge/http/route.ts";
import type { Database, Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import {
  type Act,
  actIn,
  askArbiter,
  acceptOffer as draftAcceptance,
  makeOffer as draftOffer,
  endOffer,
  sendStatement,
} from "./actions.ts";
import { addressRoutes } from "./address/buyer.ts";
import {
  ACCEPT_OFFER,
  ASK_ARBITER_AS_BUYER,
  CASE_CHANGE,
  DECLINE_SHOPS_OFFER,
  MAKE_OFFER,
  SEND_BUYER_STATEMENT,
  SEND_OPENING,
  WITHDRAW_BUYERS_OFFER,
} from "./buyerSchema.ts";
import type { Dispute } from "./dispute.ts";
import { checkProof, requireSameText, useProof } from "./proof/actions.ts";
import { countOfSession, proofRoutes, requireDispute, type SessionCall, sessionWrite } from "./proof/buyer.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import type { ChallengeBody } from "./proof/schema.ts";
import { draftAgreement, type ProofAct } from "./proof/texts.ts";
import { findDispute } from "./queries.ts";
import { disputeChanged, inBuyersWords, noDispute, wrongUntil } from "./refusals.ts";
import { buyerFileRoutes } from "./uploads/buyer.ts";

const DAY_MS = 86_400_000;
/** An offer of a buyer can be accepted for this long at most. */
const OFFER_MS_MAX = 14 * DAY_MS;
/** Writes of one session in a minute. */
const WRITES_A_MINUTE = 20;
const PATH = "/pay/p/:payment/case";

/** The routes of a buyer's dispute (§16). `book`: null if no mail is set up, and no address is taken. */
export function buyerDisputeRoutes(ctx: Context, book: AddressBook | null): BuyerRoute[] {
  const { database } = ctx;
  const count = countOfSession(WRITES_A_MINUTE);
  /** A write of a browser with a session of a payment that has a dispute. */
  const write = <const Declared extends BuyerDeclaration>(
    path: string,
    docs: Declared,
    act: (given: SessionCall<BodyOf<Declared>>, id: string) => Promise<Dispute>,
  ): BuyerRoute =>
    sessionWrite(ctx, `${PATH}/${path}`, docs, count, async (given) => {
      return ok(showObject(CASE_CHANGE.show(await act(given, requireDispute(given.payment)))));
    });
  /** A write that drafts an act of the dispute as it is under its lock. */
  const simple = <const Declared extends BuyerDeclaration>(
    path: string,
    docs: Declared,
    draft: (given: SessionCall<BodyOf<Declared>>) => Draft,
  ): BuyerRoute => write(path, docs, (given, id) => actOf(database, given.payment, id, draft(given)));
  return [
    ...addressRoutes(ctx, book),
    ...buyerFileRoutes(ctx),
    ...proofRoutes(ctx, (given, wanted) => draftAct(ctx, given, wanted)),
    simple("opening", SEND_OPENING, ({ payment, session, call }) => {
      const { reason, text, ...asked } = call.read();
      const requestedTotal = upToPaid(asked.requestedTotal, payment);
      const said = sendStatement("buyer", buyerOf(session.wallet), text);
      return (dispute, now) => ({
        ...said(dispute, now),
        happening: { kind: "opening", reason, requestedTotal },
      });
    }),
    simple("statements", SEND_BUYER_STATEMENT, ({ session, call }) =>
      sendStatement("buyer", buyerOf(session.wallet), call.read().text),
    ),
    write("offers", MAKE_OFFER, (given, id) => makeOffer(ctx, given, id)),
    write("offers/:offer/accept", ACCEPT_OFFER, (given, id) => acceptOffer(ctx, given, id)),
    simple("offers/:offer/withdraw", WITHDRAW_BUYERS_OFFER, ({ call }) =>
      endOffer("offer_withdrawn", "buyer", call.params.offer!),
    ),
    simple("offers/:offer/decline", DECLINE_SHOPS_OFFER, ({ call }) =>
      endOffer("offer_declined", "buyer", call.params.offer!),
    ),
    simple("ask-arbiter", ASK_ARBITER_AS_BUYER, () => askArbiter("buyer")),
  ];
}

const buyerOf = (wallet: string) => ({ author: wallet, authorKind: "wallet" }) as const;

type Draft = (dispute: Dispute, now: Date) => Act;

/** Acts for the buyer in one transaction. `also` runs in it, and undoes all of it by an error. */
async function actOf(
  database: Database,
  payment: ProvablePayment,
  id: string,
  draft: Draft,
  also?: (db: Db) => Promise<void>,
): Promise<Dispute> {
  const act = async (db: Db) => {
    const acted = await actIn(db, payment, id, draft);
    await also?.(db);
    return acted;
  };
  const acted = await database.transaction(act).catch((error: unknown) => {
    throw inBuyersWords(error);
  });
  if (acted === null) throw noDispute();
  return acted.dispute;
}

function upToPaid(total: string | null, { amount }: Pick<ProvablePayment, "amount">): string {
  if (total === null || BigInt(total) > BigInt(amount))
    throw new BuyerError("invalid_request", (texts) => texts.dispute.amount);
  return total;
}

/** Checks the terms of a buyer's offer, as a request has them. */
function checkOffer(
  { total, until }: { readonly total: string | null; readonly until: Date | null },
  payment: ProvablePayment,
) {
  const checked = upToPaid(total, payment);
  const ms = until === null ? Number.NaN : until.getTime() - payment.now.getTime();
  if (until === null || !(ms > 0 && ms <= OFFER_MS_MAX)) throw wrongUntil();
  return { total: checked, until };
}

const findMerchantOffer = ({ offers }: Dispute, id: unknown) => {
  const offer = offers.find((one) => one.id === id && one.side === "merchant" && one.status === "open");
  if (offer === undefined) throw disputeChanged("offer_not_open");
  return offer;
};

/** Drafts what a wallet is asked to sign for an act that binds. */
async function draftAct({ database }: Context, given: SessionCall, wanted: ChallengeBody): Promise<ProofAct> {
  const { payment } = given;
  const dispute = await readDispute(database, payment);
  if (wanted.act === "offer") return actOfOffer(given, checkOffer(wanted, payment), dispute);
  const act = actOfAcceptance(given, wanted.offer, dispute);
  if (dispute.agreement !== null) throw disputeChanged("agreement_failed");
  return act;
}

async function readDispute(database: Database, payment: ProvablePayment): Promise<Dispute> {
  const dispute = await findDispute(database, payment, requireDispute(payment));
  if (dispute === null) throw noDispute();
  return dispute;
}

const actOfOffer = ({ payment }: SessionCall, terms: ReturnType<typeof checkOffer>, dispute: Dispute): ProofAct => ({
  kind: "offer",
  agreement: draftAgreement(dispute, payment.decimals, { id: null, ...terms }),
});

const actOfAcceptance = ({ payment }: SessionCall, offer: unknown, dispute: Dispute): ProofAct => ({
  kind: "accept_offer",
  agreement: draftAgreement(dispute, payment.decimals, findMerchantOffer(dispute, offer)),
});

/** Makes an offer that the wallet signed. The text is written again from the dispute under its lock. */
async function makeOffer(ctx: Context, given: SessionCall<BodyOf<typeof MAKE_OFFER>>, id: string): Promise<Dispute> {
  const { payment, session, browserSecret, call } = given;
  const body = call.read();
  const terms = { ...checkOffer(body, payment), text: body.text || null };
  const proof = { act: actOfOffer(given, terms, await readDispute(ctx.database, payment)), browserSecret };
  const { challenge, evidence } = await checkProof(ctx, payment, body, proof);
  return actOf(
    ctx.database,
    payment,
    id,
    (dispute, now) => {
      requireSameText(ctx, payment, challenge, actOfOffer(given, terms, dispute));
      const signed = { signedText: challenge.text, signature: evidence };
      return draftOffer("buyer", buyerOf(session.wallet), terms, signed)(dispute, now);
    },
    (db) => useProof(db, challenge, payment),
  );
}

/** Accepts an offer of the shop by a signature over the agreement as it is now. */
async function acceptOffer(
  ctx: Context,
  given: SessionCall<BodyOf<typeof ACCEPT_OFFER>>,
  id: string,
): Promise<Dispute> {
  const { payment, session, browserSecret, call } = given;
  const act = (dispute: Dispute) => actOfAcceptance(given, call.params.offer, dispute);
  const proof = { act: act(await readDispute(ctx.database, payment)), browserSecret };
  const { challenge, evidence } = await checkProof(ctx, payment, call.read(), proof);
  return actOf(
    ctx.database,
    payment,
    id,
    (dispute) => {
      requireSameText(ctx, payment, challenge, act(dispute));
      const signed = { acceptedText: challenge.text, acceptedSignature: evidence };
      return draftAcceptance("buyer", call.params.offer!, session.wallet, signed)();
    },
    (db) => useProof(db, challenge, payment),
  );
}
