import { PART_AMOUNT } from "../../domain/money.ts";
import type { JsonText } from "../../domain/show.ts";
import type { BuyerRoute } from "../../edge/buyer/door.ts";
import { BuyerError } from "../../edge/buyer/error.ts";
import { ok } from "../../edge/http/route.ts";
import type { Database, Db } from "../../store/database.ts";
import {
  type Act,
  actIn,
  askArbiter,
  acceptOffer as draftAcceptance,
  makeOffer as draftOffer,
  endOffer,
  sendStatement,
} from "./actions.ts";
import { type AddressDeps, addressRoutes } from "./address/buyer.ts";
import { DISPUTE_REASONS, type Dispute } from "./dispute.ts";
import { checkProof, type ProofDeps, requireSameText, useProof } from "./proof/actions.ts";
import {
  countOfSession,
  givenProof,
  memberOf,
  proofRoutes,
  requireDispute,
  type SessionCall,
  sessionWrite,
} from "./proof/buyer.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import { draftAgreement, type ProofAct } from "./proof/texts.ts";
import { findDispute } from "./queries.ts";
import { disputeChanged, inBuyersWords, noDispute, wrongUntil } from "./refusals.ts";
import { parseOfferText, parseStatementText } from "./statement.ts";
import { buyerFileRoutes } from "./uploads/buyer.ts";

const DAY_MS = 86_400_000;
/** An offer of a buyer can be accepted for this long at most. */
const OFFER_MS_MAX = 14 * DAY_MS;
/** Writes of one session in a minute. */
const WRITES_A_MINUTE = 20;
const PATH = "/pay/p/:payment/case";

/** The routes of a buyer's dispute (§16). */
export function buyerDisputeRoutes(deps: AddressDeps): BuyerRoute[] {
  const { database } = deps;
  const count = countOfSession(WRITES_A_MINUTE);
  /** A write of a browser with a session of a payment that has a dispute. */
  const write = (path: string, act: (given: SessionCall, id: string) => Promise<Dispute>): BuyerRoute =>
    sessionWrite(deps, `${PATH}/${path}`, count, async (given) => {
      const { version, status } = await act(given, requireDispute(given.payment));
      return ok(JSON.stringify({ object: "case_change", version, status }) as JsonText);
    });
  /** A write that drafts an act of the dispute as it is under its lock. */
  const simple = (path: string, draft: (given: SessionCall) => Draft): BuyerRoute =>
    write(path, (given, id) => actOf(database, given.payment, id, draft(given)));
  return [
    ...addressRoutes(deps),
    ...buyerFileRoutes(deps),
    ...proofRoutes({ ...deps, draftAct: (given) => draftAct(deps, given) }),
    simple("opening", ({ payment, session, call }) => {
      const requestedTotal = parseTotal(memberOf(call, "requestedTotal"), payment);
      const [reason, text] = [parseReason(memberOf(call, "reason")), parseText(memberOf(call, "text"))];
      const said = sendStatement("buyer", buyerOf(session.wallet), text);
      return (dispute, now) => ({
        ...said(dispute, now),
        happening: { kind: "opening", reason, requestedTotal },
      });
    }),
    simple("statements", ({ session, call }) =>
      sendStatement("buyer", buyerOf(session.wallet), parseText(memberOf(call, "text"))),
    ),
    write("offers", (given, id) => makeOffer(deps, given, id)),
    write("offers/:offer/accept", (given, id) => acceptOffer(deps, given, id)),
    simple("offers/:offer/withdraw", ({ call }) => endOffer("offer_withdrawn", "buyer", call.params.offer!)),
    simple("offers/:offer/decline", ({ call }) => endOffer("offer_declined", "buyer", call.params.offer!)),
    simple("ask-arbiter", () => askArbiter("buyer")),
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

function parseReason(text: unknown) {
  const reason = DISPUTE_REASONS.find((one) => one === text);
  if (reason === undefined || reason === "not_given")
    throw new BuyerError("invalid_request", (texts) => texts.dispute.reason);
  return reason;
}

function parseText(given: unknown): string {
  const text = typeof given === "string" ? parseStatementText(given) : null;
  if (text === null) throw new BuyerError("invalid_request", (texts) => texts.dispute.text);
  return text;
}

function parseTotal(text: unknown, { amount }: Pick<ProvablePayment, "amount">): string {
  if (typeof text !== "string" || !PART_AMOUNT.test(text) || BigInt(text) > BigInt(amount))
    throw new BuyerError("invalid_request", (texts) => texts.dispute.amount);
  return text;
}

function parseSentence(given: unknown): string | null {
  if (given === undefined || given === null || given === "") return null;
  const text = typeof given === "string" ? parseOfferText(given) : null;
  if (text === null) throw new BuyerError("invalid_request", (texts) => texts.dispute.sentence);
  return text;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
function parseUntil(text: unknown, now: Date): Date {
  const until = typeof text === "string" && TIME.test(text) ? new Date(text) : null;
  const ms = until === null ? Number.NaN : until.getTime() - now.getTime();
  if (until === null || !(ms > 0 && ms <= OFFER_MS_MAX)) throw wrongUntil();
  return until;
}

/** The terms of a buyer's offer, as a request has them. */
const parseOffer = ({ call, payment }: SessionCall) => ({
  total: parseTotal(memberOf(call, "total"), payment),
  until: parseUntil(memberOf(call, "until"), payment.now),
});

const findMerchantOffer = ({ offers }: Dispute, id: unknown) => {
  const offer = offers.find((one) => one.id === id && one.side === "merchant" && one.status === "open");
  if (offer === undefined) throw disputeChanged("offer_not_open");
  return offer;
};

/** Drafts what a wallet is asked to sign for an act that binds. */
async function draftAct({ database }: ProofDeps, given: SessionCall): Promise<ProofAct> {
  const { payment, call } = given;
  const dispute = await readDispute(database, payment);
  switch (memberOf(call, "act")) {
    case "offer":
      return actOfOffer(given, parseOffer(given), dispute);
    case "accept_offer": {
      const act = actOfAcceptance(given, memberOf(call, "offer"), dispute);
      if (dispute.agreement !== null) throw disputeChanged("agreement_failed");
      return act;
    }
    default:
      throw new BuyerError("invalid_request", (texts) => texts.noAction);
  }
}

async function readDispute(database: Database, payment: ProvablePayment): Promise<Dispute> {
  const dispute = await findDispute(database, payment, requireDispute(payment));
  if (dispute === null) throw noDispute();
  return dispute;
}

const actOfOffer = ({ payment }: SessionCall, terms: ReturnType<typeof parseOffer>, dispute: Dispute): ProofAct => ({
  kind: "offer",
  agreement: draftAgreement(dispute, payment.decimals, { id: null, ...terms }),
});

const actOfAcceptance = ({ payment }: SessionCall, offer: unknown, dispute: Dispute): ProofAct => ({
  kind: "accept_offer",
  agreement: draftAgreement(dispute, payment.decimals, findMerchantOffer(dispute, offer)),
});

/** Makes an offer that the wallet signed. The text is written again from the dispute under its lock. */
async function makeOffer(deps: ProofDeps, given: SessionCall, id: string): Promise<Dispute> {
  const { payment, session, browserSecret, call } = given;
  const terms = { ...parseOffer(given), text: parseSentence(memberOf(call, "text")) };
  const proof = { act: actOfOffer(given, terms, await readDispute(deps.database, payment)), browserSecret };
  const { challenge, evidence } = await checkProof(deps, payment, givenProof(call), proof);
  return actOf(
    deps.database,
    payment,
    id,
    (dispute, now) => {
      requireSameText(deps, payment, challenge, actOfOffer(given, terms, dispute));
      const signed = { signedText: challenge.text, signature: evidence };
      return draftOffer("buyer", buyerOf(session.wallet), terms, signed)(dispute, now);
    },
    (db) => useProof(db, challenge, payment),
  );
}

/** Accepts an offer of the shop by a signature over the agreement as it is now. */
async function acceptOffer(deps: ProofDeps, given: SessionCall, id: string): Promise<Dispute> {
  const { payment, session, browserSecret, call } = given;
  const act = (dispute: Dispute) => actOfAcceptance(given, call.params.offer, dispute);
  const proof = { act: act(await readDispute(deps.database, payment)), browserSecret };
  const { challenge, evidence } = await checkProof(deps, payment, givenProof(call), proof);
  return actOf(
    deps.database,
    payment,
    id,
    (dispute) => {
      requireSameText(deps, payment, challenge, act(dispute));
      const signed = { acceptedText: challenge.text, acceptedSignature: evidence };
      return draftAcceptance("buyer", call.params.offer!, session.wallet, signed)();
    },
    (db) => useProof(db, challenge, payment),
  );
}
