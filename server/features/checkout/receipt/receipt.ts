import { closableAt } from "../../../chain/acts.ts";
import type { CostEstimate } from "../../../chain/builder.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import type { UsualOutcomes } from "../../disputes/dispute.ts";
import type { PaymentFacts } from "../../disputes/parts/fragments.ts";
import type { ReceiptDecision } from "../../disputes/ruling.ts";
import type { Fulfillment } from "../../fulfillments/fulfillment.ts";
import { type NextAction, nextActions, type PaymentState, stateOfPayment } from "../../payments/payment.ts";
import type { PaymentView, ShownPayment } from "../../payments/paymentView.ts";

/** True of a payment of an order: it has a key, and a page of its dispute. */
export const isBound = ({ match }: Pick<PaymentView, "match">): boolean => match === "primary" || match === "duplicate";

export type ReceiptState = PaymentState | "vanished";

/** The facts that the state follows from. */
type Decisive = Pick<PaymentView, "payment" | "match" | "isFinalized" | "now">;

export const stateOf = ({ payment, match, now }: Decisive): ReceiptState =>
  match === "vanished" ? match : stateOfPayment(payment, now);

/** The wallet that paid the deposits of a payment's record and vault; null if nobody knows. */
export const rentPayerOf = ({ rentPayer, sender }: ShownPayment): string | null => rentPayer ?? sender;

const canClose = ({ payment, match, now }: Decisive): boolean => {
  const from = closableAt(payment);
  return from !== null && now >= from && !payment.recordClosed && match !== "vanished";
};

/** True if the deposit of the record is due to the buyer, who paid it. */
export const isDepositDue = (facts: Decisive): boolean =>
  canClose(facts) && rentPayerOf(facts.payment) === facts.payment.sender;

/** The actions that are possible now by what is recorded: those of §4.6.1, and `close`, which ends the record. */
export function actionsOf(facts: Decisive): (NextAction["action"] | "close")[] {
  const ofFunds = nextActionsOf({ ...facts, hold: null }).map(({ action }) => action);
  return canClose(facts) && facts.payment.protectionDeadline !== null ? [...ofFunds, "close"] : ofFunds;
}

/** Those of §4.6.1 alone. */
export function nextActionsOf({
  payment,
  match,
  now,
  hold,
}: Decisive & Pick<PaymentView, "hold">): readonly NextAction[] {
  const { protectionDeadline } = payment;
  return match === "vanished" || protectionDeadline === null
    ? []
    : nextActions({ ...payment, protectionDeadline }, now, hold);
}

const ENDED: ReadonlySet<ReceiptState> = new Set(["settled", "partly_refunded", "refunded"]);
/** True if nothing is left to wait for, and no fork can bring it back. */
export const isFinal = (facts: Decisive): boolean =>
  ENDED.has(stateOf(facts)) && facts.isFinalized && !isDepositDue(facts);

/** The amounts of a payment that left, the refund that is due, and what keeps a part: they change within a state. */
export const partsOf = ({ payment, hold }: Pick<PaymentView, "payment" | "hold">): string => {
  const { amountReleased, amountRefunded, refundTotal } = payment;
  return [amountReleased, amountRefunded, refundTotal, ...(hold === null ? [] : [hold.side, hold.reason])].join("/");
};

/** Each check of the chain is later than those before it. It says nothing of other payments. */
export const versionOf = ({ payment }: Decisive): number => payment.checkedAt.getTime();

/** The state as JSON for the page's script. It holds nothing that needs the key. */
export const showState = (facts: PaymentView) => ({
  object: "receipt_state",
  payment: facts.payment.id,
  state: stateOf(facts),
  final: isFinal(facts),
  version: versionOf(facts),
  at: facts.at.getTime(),
  parts: partsOf(facts),
});

/** The state as its stream has it. */
export function showLive(facts: PaymentView) {
  const { payment, match } = facts;
  const mark = [stateOf(facts), match, isFinal(facts), partsOf(facts), payment.outcome, actionsOf(facts)].join();
  return { text: JSON.stringify(showState(facts)), isFinal: isFinal(facts), mark };
}

/** The terms text that a payment names by its hash, compared with the payment. */
export interface NamedTerms {
  /** `none`: the payment names no text; `unknown`: its text is not kept here; `differs`: the text names other terms. */
  readonly verdict: "none" | "unknown" | "matches" | "differs";
  /** The business that the text names, if the text is of this very order and recipient; else null. */
  readonly business: { readonly name: string; readonly domain: string | null } | null;
}

/** The part of a receipt that needs its key. */
export interface PrivatePart extends PaymentFacts {
  readonly intentId: string;
  readonly merchantReference: string;
  readonly overLimit: boolean;
  readonly description: string | null;
  /** JSON texts, as the intent has them. */
  readonly price: string | null;
  readonly quote: string | null;
  readonly business: Pick<BusinessProfile, "name" | "domain" | "color" | "logo">;
  readonly supportContact: string | null;
  readonly returnUrl: string | null;
  /** True if the way back leads to the business's proven domain. */
  readonly isReturnOwn: boolean;
  /** What the shop says of the delivery, oldest first (§4.19). */
  readonly fulfillments: readonly Fulfillment[];
}

/** A part that went back to the buyer. */
export interface Refund {
  readonly amount: string;
  readonly at: Date | null;
}

/** The arbiter's ruling of the payment's dispute. */
export interface ShownDecision extends Omit<ReceiptDecision, "record" | "ruledAtMs" | "erasedAtMs"> {
  readonly ruledAt: Date;
  /** The time at which its record was erased with the reasons; null if it was not. */
  readonly erasedAt: Date | null;
  /** The text of its record, for holders of the key; null without the key, and without a record. */
  readonly record: {
    /** The reasons are null if it carries out an agreement of both sides. */
    readonly reasons: string | null;
  } | null;
}

/** The agreement of both sides. It has failed, or was carried out, or can be until its end. */
export interface ShownAgreement {
  /** The amount that the buyer has in the end. */
  readonly total: string;
  readonly agreedAt: Date;
  readonly until: Date;
  readonly failedAt: Date | null;
  readonly executedAt: Date | null;
}

/** Everything that a receipt's page shows. Without the key it holds nothing that the chain and the terms text do not show. */
export interface ReceiptView
  extends Pick<PaymentView, "payment" | "match" | "lateReason" | "isFinalized" | "hold" | "now" | "at"> {
  readonly terms: NamedTerms;
  /** The receipt's key, if the reader has it. */
  readonly key: string | null;
  readonly mine: PrivatePart | null;
  /** The languages that its order asks for: no secret of it. */
  readonly order: { readonly locale: string | null; readonly business: string | null } | null;
  readonly decimals: number | null;
  readonly tokenProgram: string | null;
  readonly arbiterLabel: { readonly name: string | null; readonly domain: string | null };
  /** The rents of this moment; null while they are unknown. */
  readonly cost: CostEstimate | null;
  readonly programId: string;
  readonly operator: string;
  readonly genesisHash: string;
  readonly sponsors: readonly string[];
  readonly usualOutcomes: UsualOutcomes;
  /** The decision is null without a ruling, and until its transaction was read. */
  readonly decision: ShownDecision | null;
  /** What went back, part by part, oldest first. */
  readonly refunds: readonly Refund[];
  /** For holders of the key; null without an agreement, and without the key. */
  readonly agreement: ShownAgreement | null;
  /** The time until which both sides of its dispute talk, unless they end that sooner; null before one. */
  readonly talkUntil: Date | null;
  /** True if emails about its order go to the buyer; null for readers without the key. */
  readonly emailsGo: boolean | null;
}
