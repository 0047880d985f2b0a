import { PART_AMOUNT } from "../../domain/money.ts";
import type { JsonText } from "../../domain/show.ts";
import { type BuyerRoute, buyerRoute, tooMany } from "../../edge/buyer/door.ts";
import { BuyerError } from "../../edge/buyer/error.ts";
import { MinuteLimit } from "../../edge/buyer/limits.ts";
import { ok, type Reply } from "../../edge/http/route.ts";
import { findDispute } from "./actQueries.ts";
import {
  type ActAnswer,
  type Actor,
  actOnDispute,
  askArbiter,
  draftOffer,
  endOffer,
  giveOpening,
  writeStatement,
} from "./acts.ts";
import type { AgreementDeps } from "./agreement/actions.ts";
import { agreementRoutes } from "./agreement/buyer.ts";
import { DISPUTE_REASONS, type Dispute, OFFER_TEXT_CHARACTERS_MAX } from "./dispute.ts";
import { checkProof, type ProofDeps, placeOf, useProof } from "./proof/actions.ts";
import {
  type CaseCall,
  givenProof,
  memberOf,
  proofRoutes,
  requireCase,
  requireSession,
  tenantOf,
} from "./proof/buyer.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import { type OfferedAgreement, type ProofAct, proofText } from "./proof/texts.ts";
import { disputeChanged, doneOrThrow } from "./refusals.ts";
import { isStatementText } from "./statement.ts";

const DAY_MS = 86_400_000;
/** An offer of a buyer can be accepted for this long at most. */
const OFFER_MS_MAX = 14 * DAY_MS;
/** Writes of one network for one payment in a minute. */
const WRITES_A_MINUTE = 20;
const PATH = "/pay/p/:payment/case";

/** The routes of a buyer's case (§16). */
export function caseRoutes(deps: ProofDeps & AgreementDeps): BuyerRoute[] {
  const { database } = deps;
  const limit = new MinuteLimit(WRITES_A_MINUTE);
  /** A write of a browser with a session of a payment that has a case. */
  const write = (path: string, act: (given: CaseCall, id: string) => Promise<ActAnswer>): BuyerRoute =>
    buyerRoute("POST", `${PATH}/${path}`, { from: "case" }, async (call): Promise<Reply> => {
      const waitSeconds = limit.use(`${call.network} ${call.params.payment}`, performance.now());
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      const given = await requireSession(deps, call);
      const { version, status } = doneOrThrow(await act(given, requireCase(given.payment)));
      return ok(JSON.stringify({ object: "case_change", version, status }) as JsonText);
    });
  return [
    ...agreementRoutes(deps),
    ...proofRoutes({ ...deps, draftAct: (given) => draftAct(deps, given) }),
    write("opening", ({ payment, session, call }, id) => {
      const requestedTotal = parseTotal(memberOf(call, "requestedTotal"), payment);
      const opening = {
        reason: parseReason(memberOf(call, "reason")),
        requestedTotal,
        text: parseWords(memberOf(call, "text")),
      };
      return giveOpening(database, tenantOf(payment), id, buyerOf(session.wallet).by, opening);
    }),
    write("statements", ({ payment, session, call }, id) =>
      writeStatement(database, tenantOf(payment), id, buyerOf(session.wallet), parseWords(memberOf(call, "text"))),
    ),
    write("offers", (given, id) => makeOffer(deps, given, id)),
    write("offers/:offer/accept", (given, id) => acceptOffer(deps, given, id)),
    write("offers/:offer/withdraw", ({ payment, call }, id) =>
      endOffer(database, tenantOf(payment), id, "buyer", "offer_withdrawn", call.params.offer!),
    ),
    write("offers/:offer/decline", ({ payment, call }, id) =>
      endOffer(database, tenantOf(payment), id, "buyer", "offer_declined", call.params.offer!),
    ),
    write("ask-arbiter", ({ payment }, id) => askArbiter(database, tenantOf(payment), id, "buyer")),
  ];
}

const buyerOf = (wallet: string): Actor => ({ side: "buyer", by: { author: wallet, authorKind: "wallet" } });

function parseReason(text: unknown) {
  const reason = DISPUTE_REASONS.find((one) => one === text);
  if (reason === undefined || reason === "not_given") throw new BuyerError("invalid_request", "Choose a reason.");
  return reason;
}

function parseWords(text: unknown): string {
  if (typeof text !== "string" || !isStatementText(text))
    throw new BuyerError("invalid_request", "Write up to 5,000 characters of plain text.");
  return text;
}

function parseTotal(text: unknown, { amount }: Pick<ProvablePayment, "amount">): string {
  if (typeof text !== "string" || !PART_AMOUNT.test(text) || BigInt(text) > BigInt(amount))
    throw new BuyerError("invalid_request", "Enter an amount up to what you paid.");
  return text;
}

function parseSentence(text: unknown): string | null {
  if (text === undefined || text === null || text === "") return null;
  if (typeof text !== "string" || [...text].length > OFFER_TEXT_CHARACTERS_MAX || !isStatementText(text))
    throw new BuyerError("invalid_request", "Write up to 500 characters of plain text.");
  return text;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
function parseUntil(text: unknown, now: Date): Date {
  const until = typeof text === "string" && TIME.test(text) ? new Date(text) : null;
  const ms = until === null ? Number.NaN : until.getTime() - now.getTime();
  if (until === null || !(ms > 0 && ms <= OFFER_MS_MAX))
    throw new BuyerError("invalid_request", "An offer ends within the next 14 days.");
  return until;
}

/** The terms of a buyer's offer, as a request has them. */
const parseOffer = ({ call, payment }: CaseCall) => ({
  total: parseTotal(memberOf(call, "total"), payment),
  until: parseUntil(memberOf(call, "until"), payment.now),
});

/** The agreement that a signature is for, by the dispute as it is now. */
const agreementOf = (
  { amount, refundTotal }: Pick<Dispute, "amount" | "refundTotal">,
  decimals: number,
  offer: { readonly id: string | null; readonly total: string; readonly until: Date },
): OfferedAgreement => ({
  ...{ offer: offer.id, amount, decimals, total: offer.total, refundTotal },
  offerUntil: offer.until,
});

const findMerchantOffer = ({ offers }: Dispute, id: unknown) => {
  const offer = offers.find((one) => one.id === id && one.side === "merchant" && one.status === "open");
  if (offer === undefined) throw disputeChanged("offer_not_open");
  return offer;
};

/** Drafts what a wallet is asked to sign for an act that binds. */
async function draftAct({ database }: ProofDeps, given: CaseCall): Promise<ProofAct> {
  const { payment, call } = given;
  const dispute = await findDispute(database, tenantOf(payment), requireCase(payment));
  if (dispute === null) throw new BuyerError("not_found", "There is no case for this payment.");
  switch (memberOf(call, "act")) {
    case "offer":
      return { kind: "offer", agreement: agreementOf(dispute, payment.decimals, { id: null, ...parseOffer(given) }) };
    case "accept_offer": {
      const offer = findMerchantOffer(dispute, memberOf(call, "offer"));
      return { kind: "accept_offer", agreement: agreementOf(dispute, payment.decimals, offer) };
    }
    default:
      throw new BuyerError("invalid_request", "There is no such act to sign.");
  }
}

/** Makes an offer that the wallet signed. The text is written again from the dispute under its lock. */
async function makeOffer(deps: ProofDeps, given: CaseCall, id: string): Promise<ActAnswer> {
  const { payment, session, browserSecret, call } = given;
  const terms = { ...parseOffer(given), text: parseSentence(memberOf(call, "text")) };
  const { challenge, evidence } = await checkProof(deps, payment, givenProof(call), { act: "offer", browserSecret });
  return actOnDispute(
    deps.database,
    tenantOf(payment),
    id,
    (dispute, now) => {
      const agreement = agreementOf(dispute, payment.decimals, { id: null, ...terms });
      requireSameText(deps, payment, challenge, { kind: "offer", agreement });
      const offer = { ...terms, signedText: challenge.text, signature: evidence };
      return draftOffer(dispute, buyerOf(session.wallet), offer, now);
    },
    (db) => useProof(db, challenge, payment),
  );
}

/** Accepts an offer of the shop by a signature over the agreement as it is now. */
async function acceptOffer(deps: ProofDeps, given: CaseCall, id: string): Promise<ActAnswer> {
  const { payment, session, browserSecret, call } = given;
  const proof = { act: "accept_offer", browserSecret } as const;
  const { challenge, evidence } = await checkProof(deps, payment, givenProof(call), proof);
  return actOnDispute(
    deps.database,
    tenantOf(payment),
    id,
    (dispute) => {
      const offer = findMerchantOffer(dispute, call.params.offer);
      const agreement = agreementOf(dispute, payment.decimals, offer);
      requireSameText(deps, payment, challenge, { kind: "accept_offer", agreement });
      const marks = {
        id: offer.id,
        acceptedBy: session.wallet,
        acceptedText: challenge.text,
        acceptedSignature: evidence,
      };
      return { happening: { kind: "offer_accepted", side: "buyer", offer: offer.id }, adds: () => ({ marks }) };
    },
    (db) => useProof(db, challenge, payment),
  );
}

/** What was signed is what holds now: a refund may have been bound meanwhile, or the offer is another. */
function requireSameText(
  deps: ProofDeps,
  payment: ProvablePayment,
  challenge: { readonly text: string; readonly nonce: string; readonly expiresAt: Date },
  act: ProofAct,
): void {
  if (proofText(placeOf(deps, payment), act, challenge) !== challenge.text)
    throw new BuyerError("proof_refused", "What you signed does not hold any more. Reload the page and check it.");
}
