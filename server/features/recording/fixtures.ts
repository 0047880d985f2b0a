import type { ChainPayment } from "../../chain/port.ts";
import { anIntent, atHour } from "../intents/fixtures.ts";
import type { Intent } from "../intents/intent.ts";
import { aPayment } from "../payments/fixtures.ts";
import { type Decision, decide } from "./decide/decision.ts";
import type { IntentState, Observed, ObservedPayment } from "./decide/state.ts";

export const CHECKOUT_URL = "https://pay.example";
const PAYMENT = aPayment();

/** An intent without payments. */
export const anIntentState = (intent: Partial<Intent> = {}, given: Partial<IntentState> = {}): IntentState => ({
  intent: anIntent(intent),
  generation: 1,
  mismatchCount: 0,
  mismatchSenders: new Set(),
  lastOccurredAt: atHour(0),
  announced: null,
  payments: [],
  revertedGenerations: new Map(),
  receiptKeyOf: (address) => `key-of-${address}`,
  keptTerms: new Set(),
  disputes: new Map(),
  linkId: null,
  withoutSeat: new Set(),
  ...given,
});

/** A payment on the intent's terms, observed at slot 100 and `confirmed`. */
export const anObservedPayment = (
  payment: Partial<ChainPayment> = {},
  given: Partial<Omit<ObservedPayment, "payment">> = {},
): Observed<ChainPayment> => ({
  payment: {
    address: PAYMENT.id,
    operator: "operator",
    sender: PAYMENT.sender,
    paymentId: anIntent().paymentId,
    tokenProgram: "token",
    decimals: 6,
    recipient: PAYMENT.recipient,
    amount: PAYMENT.amount,
    asset: PAYMENT.asset,
    protectionPeriod: PAYMENT.protectionPeriod,
    status: PAYMENT.status,
    createdAt: PAYMENT.createdAt,
    protectionDeadline: PAYMENT.protectionDeadline,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    outcome: null,
    refundTotal: "0",
    amountRefunded: "0",
    amountReleased: "0",
    arbiter: PAYMENT.arbiter,
    rentPayer: PAYMENT.sender,
    termsHash: null,
    ...payment,
  },
  slot: 100,
  finalized: false,
  signature: PAYMENT.signature,
  createdSlot: 100,
  ...given,
});

/** Another sender's payment for the same intent. */
export const aSecondPayment = (payment: Partial<ChainPayment> = {}): ObservedPayment =>
  anObservedPayment({ address: "payment-2", sender: "sender-2", ...payment }, { signature: "signature-2" });

/** Decides on the observed payments in turn, two hours after the intent was created, and returns the last decision. */
export function decideInTurn(state: IntentState, ...observed: readonly ObservedPayment[]): Decision {
  const decisions: Decision[] = [];
  for (const one of observed) decisions.push(decide(decisions.at(-1)?.state ?? state, one, atHour(2), CHECKOUT_URL));
  return decisions.at(-1)!;
}

export const typesOf = ({ pendingEvents }: Pick<Decision, "pendingEvents">): string[] =>
  pendingEvents.map(({ type }) => type);
