import type { ChainPayment, DuePart } from "./port.ts";

type Side = Exclude<DuePart["side"], "record">;

/** Time after the opening of a dispute from which anyone may have it refunded. */
export const DISPUTE_LAPSE_MS = 90 * 86_400_000;
/** Time after the leaving of the last part from which the record can be closed. */
const RETENTION_MS = 90 * 86_400_000;

/** The members of a payment that its acts depend on. */
export type PaymentProgress = Pick<
  ChainPayment,
  | "status"
  | "outcome"
  | "protectionDeadline"
  | "disputedAt"
  | "settledAt"
  | "refundedAt"
  | "amount"
  | "refundTotal"
  | "amountRefunded"
  | "amountReleased"
>;

/** An act on a payment. Its instructions are in `solana/acts.ts`. */
interface Act {
  /** The side that signs it. Null: anyone may send it. */
  readonly signer: Side | "arbiter" | null;
  /** True if it says who gets the money: it is refused once that is decided. */
  readonly decides: boolean;
  /** True if it names the total that the sender has in the end. */
  readonly namesTotal: boolean;
  /** The sides whose parts leave with it. `record`: the record, after the rest of a vault. */
  readonly pays: readonly DuePart["side"][];
  /** Returns the time from which the program refuses it. Absent: no time ends it. */
  readonly until?: (payment: PaymentProgress) => Date | null;
  /** Returns the reason why the state of a payment that was not paid out does not allow it; null if it does. */
  readonly obstacle: (state: ActState) => Obstacle | null;
  /** The same for a payment that was paid out. Absent: nothing is left to do. */
  readonly obstacleAfter?: (payment: PaymentProgress, now: Date) => Obstacle | null;
}

/** A payment as an act finds it; amounts in smallest units. */
interface ActState {
  readonly payment: PaymentProgress;
  readonly amount: bigint;
  /** The total of the sender that is bound now. */
  readonly bound: bigint;
  readonly refunded: bigint;
  readonly released: bigint;
  /** The total that the act names. */
  readonly total: bigint;
  readonly isDisputed: boolean;
  /** True if a dispute was open for so long that a payout to the sender refunds everything. */
  readonly isLapsed: boolean;
  readonly now: Date;
}

/** The time from which anyone may have an open dispute refunded; null if there is none. */
export const resolveByOf = ({
  status,
  outcome,
  disputedAt,
}: Pick<PaymentProgress, "status" | "outcome" | "disputedAt">): Date | null =>
  status === "disputed" && outcome === null && disputedAt !== null
    ? new Date(disputedAt.getTime() + DISPUTE_LAPSE_MS)
    : null;

const PAYOUT = { signer: null, namesTotal: false } as const;

/**
 * Every act on a payment, by its name in `nextActions` and in their order (§4.6.1). The chain alone decides about the deadline
 * of a dispute: its clock may be behind, and a buyer must not lose the last seconds.
 */
const ACTS = {
  dispute: {
    signer: "sender",
    decides: true,
    namesTotal: false,
    pays: [],
    until: ({ protectionDeadline }) => protectionDeadline,
    obstacle: ({ isDisputed }) => (isDisputed ? "already_disputed" : null),
  },
  release: {
    signer: "sender",
    decides: true,
    namesTotal: true,
    pays: ["recipient"],
    obstacle: ({ total, bound }) => (total > bound ? "less_bound" : total < bound ? "invalid_total" : null),
  },
  refund: {
    signer: "recipient",
    decides: false,
    namesTotal: true,
    pays: ["sender"],
    obstacle: ({ total, bound, amount, released }) => {
      if (released > 0n) return "already_paid_out";
      return total > bound && total <= amount ? null : "invalid_total";
    },
  },
  // The arbiter's ruling of a dispute. It goes alone: no obstacle of a part can stop it, and the keeper sends the parts after it.
  resolve: {
    signer: "arbiter",
    decides: true,
    namesTotal: true,
    pays: [],
    until: resolveByOf,
    obstacle: ({ isDisputed, total, bound, amount }) => {
      if (!isDisputed) return "not_disputed";
      // The program binds what was bound before, where that is more: a decision says what the buyer has in the end.
      if (total < bound) return "less_bound";
      return total > amount ? "invalid_total" : null;
    },
  },
  settle: {
    ...PAYOUT,
    decides: true,
    pays: ["recipient"],
    obstacle: ({ isDisputed, payment, now }) => {
      if (isDisputed) return "already_disputed";
      return now >= payment.protectionDeadline ? null : "protection_running";
    },
  },
  refund_unresolved: {
    ...PAYOUT,
    decides: true,
    pays: ["sender"],
    obstacle: ({ isDisputed, isLapsed }) => {
      if (!isDisputed) return "not_disputed";
      return isLapsed ? null : "arbitration_running";
    },
  },
  pay_out_sender: {
    ...PAYOUT,
    decides: false,
    pays: ["sender"],
    until: resolveByOf,
    obstacle: ({ isLapsed, bound, refunded }) => {
      // From the lapse on, the same instruction refunds everything.
      if (isLapsed) return "arbitration_over";
      return bound > refunded ? null : "nothing_due";
    },
  },
  pay_out_recipient: {
    ...PAYOUT,
    decides: false,
    pays: ["recipient"],
    obstacle: ({ payment: { outcome }, amount, bound, released }) =>
      outcome !== null && amount - bound > released ? null : "nothing_due",
  },
  // The record is closed, and the rent goes to its payer.
  close: {
    ...PAYOUT,
    decides: false,
    pays: ["record"],
    obstacle: () => "not_paid_out",
    obstacleAfter: (payment, now) => {
      const from = closableAt(payment);
      return from !== null && now >= from ? null : "retention_running";
    },
  },
} as const satisfies Readonly<Record<string, Act>>;
export type PaymentAct = keyof typeof ACTS;
export const PAYMENT_ACTS = Object.keys(ACTS) as readonly PaymentAct[];
export const actNamed = (name: PaymentAct): Act => ACTS[name];

/** Those of people other than the arbiter. */
export const PAYMENT_ACTIONS = PAYMENT_ACTS.filter((act) => act !== "resolve");
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

/** The acts whose fee a sponsor pays: the buyer's decisions. Everything else is done without the buyer. */
export const SPONSORED_ACTIONS = ["dispute", "release"] as const satisfies readonly PaymentAction[];
export type SponsoredAction = (typeof SPONSORED_ACTIONS)[number];

/** An act on a payment that a wallet is about to sign. */
export interface ActionCommand {
  /** The payment's address. */
  readonly payment: string;
  readonly action: PaymentAct;
  /** Signs the act, and pays the network's fee unless a sponsor does. */
  readonly account: string;
  /**
   * The total that the sender has in the end, in smallest units; only of `release`, `refund` and `resolve`. Null: a release
   * leaves the sender with the total that is bound now.
   */
  readonly total: bigint | null;
  /** A text that its signer writes beside it: of a ruling, the hash of the record of the decision (§17). Default: none. */
  readonly memo?: string;
  /** A wallet of the deployment that pays the network's fee, and nothing else. Absent: `account` pays it. */
  readonly sponsor?: string;
  /** The environment's time: the lapse of a dispute, the deadline and the retention are compared with it. */
  readonly now: Date;
  /** Refuses what a node shows of the payment from before this slot. */
  readonly minSlot: number;
  /** Builds it also for an account that cannot pay the fee, without a trial run: another wallet may pay. */
  readonly mayLackSol?: boolean;
}

/** An instruction in the form that a multisignature's tools take. */
export interface PlainInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[];
  /** Base64. */
  readonly data: string;
}

/** A memo for an account to sign. */
export interface MemoCommand {
  readonly account: string;
  readonly text: string;
}

/** A transaction with one memo: version 0, unsigned, in base64. */
export type BuiltMemo = Pick<BuiltAction, "transaction" | "instructions">;

export interface BuiltAction {
  readonly kind: "built";
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The payment as the chain showed it at the build. */
  readonly payment: ChainPayment;
  /** The total that the sender has in the end; null for actions that name none. */
  readonly total: string | null;
  readonly fee: {
    /** The network's fee, priority included. */
    readonly network: bigint;
    /** The rent of the account's own token account, where the transaction makes it. */
    readonly tokenAccount: bigint;
  };
  readonly lastValidBlockHeight: bigint;
  /** The rents that the transaction gives back, and to whom; null if it gives back none. */
  readonly returns: { readonly lamports: bigint; readonly to: string } | null;
  /** The instructions without those of the compute budget. */
  readonly instructions: readonly PlainInstruction[];
}

/**
 * Reasons why the state of a payment does not allow an action, by the names of the program's own refusals
 * (program/SPECIFICATION.md §7).
 */
export const OBSTACLES = [
  "payment_closed",
  "already_paid_out",
  "already_decided",
  "already_disputed",
  "not_disputed",
  "protection_over",
  "protection_running",
  "arbitration_over",
  "arbitration_running",
  "nothing_due",
  "invalid_total",
  "less_bound",
  "not_paid_out",
  "retention_running",
  "vault_open",
  "vault_short",
  "vault_frozen",
  "rent_risen",
  "rent_payer_short",
  "destination_missing",
  "destination_frozen",
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** The obstacle that a program's refusal in words names; null if it is another failure. */
export const obstacleIn = (reason: string): Obstacle | null =>
  OBSTACLES.find((name) => reason.startsWith(`${name}:`)) ?? null;

/** True once both parts have left. */
export const isPaidOut = ({ status }: Pick<PaymentProgress, "status">): boolean =>
  status === "released" || status === "refunded";

/** The time from which the record of a payment can be closed; null before the last part has left. */
export function closableAt(payment: Pick<PaymentProgress, "status" | "settledAt" | "refundedAt">): Date | null {
  const left = Math.max(Number(payment.settledAt ?? 0), Number(payment.refundedAt ?? 0));
  return isPaidOut(payment) && left > 0 ? new Date(left + RETENTION_MS) : null;
}

/** Returns true if a dispute was open for so long that a payout to the sender refunds everything. */
export function isLapsed(payment: PaymentProgress, now: Date): boolean {
  const lapsesAt = resolveByOf(payment);
  return lapsesAt !== null && now >= lapsesAt;
}

/** Returns the reason why the payment's state does not allow an act; null if it does. */
export function findObstacle(payment: PaymentProgress, action: PaymentAct, total: bigint, now: Date): Obstacle | null {
  const { outcome } = payment;
  const { decides, obstacle, obstacleAfter = () => "already_paid_out" } = actNamed(action);
  if (isPaidOut(payment)) return obstacleAfter(payment, now);
  if (decides && outcome !== null) return "already_decided";
  return obstacle({
    payment,
    total,
    now,
    isDisputed: payment.status === "disputed",
    isLapsed: isLapsed(payment, now),
    amount: BigInt(payment.amount),
    bound: BigInt(payment.refundTotal),
    refunded: BigInt(payment.amountRefunded),
    released: BigInt(payment.amountReleased),
  });
}

/** Returns true if an act that names the least total that it may is possible, by a clock that is right. */
export function isPossible(payment: PaymentProgress, action: PaymentAct, now: Date): boolean {
  const until = actNamed(action).until?.(payment) ?? null;
  const least = BigInt(payment.refundTotal) + (action === "refund" ? 1n : 0n);
  return findObstacle(payment, action, least, now) === null && (until === null || now < until);
}

/** The reason why a plan was not built: the lamports that are missing, or why the trial run failed, in words. */
export type TrialRefusal =
  | { readonly kind: "sol_missing"; readonly missing: bigint }
  /** Only if a sponsor was asked for. */
  | { readonly kind: "sponsor_short"; readonly missing: bigint }
  | { readonly kind: "would_fail"; readonly reason: string };

/** The reason why no payment was built. */
export type PaymentRefusal =
  | { readonly kind: "already_paid" | "is_recipient" | "not_a_wallet" }
  | { readonly kind: "token_missing"; readonly missing: bigint }
  /** Only if a sponsor was asked for: it does not pay for this payment. */
  | { readonly kind: "not_sponsored"; readonly reason: string }
  | TrialRefusal;

/** The reason why no act on a payment was built. */
export type ActionRefusal =
  /** No payment of this operator is at the address now. */
  | { readonly kind: "not_found" }
  /** Another wallet has to sign it. */
  | { readonly kind: "other_wallet"; readonly needed: string }
  | { readonly kind: "not_possible"; readonly reason: Obstacle }
  | TrialRefusal;

/** An act of a signed transaction on a payment: `pay_out` is that of either side, for whatever act. */
export interface SignedAction {
  readonly kind: PaymentAct | "pay_out";
  readonly payment: string;
  /** Digits; null for acts that name no total. */
  readonly total: string | null;
}

/** A memo of a signed transaction. */
export interface SignedMemo {
  readonly kind: "memo";
  readonly text: string;
}

/** Everything that a transaction with one signer does, beside prices and the guards of its wallet. */
export interface SoleActs {
  readonly signer: string;
  readonly acts: readonly (SignedAction | SignedMemo)[];
}

/** The effect that a signed transaction must have: an act on the payment, of the kind if one is named. */
export interface WantedAction {
  readonly payment: string;
  readonly kind?: SignedAction["kind"];
  /** The transaction may then do nothing else. */
  readonly alone?: { readonly signer: string; readonly total: string; readonly memo: string };
}

/** A transaction as a wallet signed it, as far as its acts go. */
interface SignedActs {
  readonly actions: readonly SignedAction[];
  readonly sole: SoleActs | null;
}

/**
 * Finds the act that a signed transaction must do. A decision comes before its payout; of several refunds the last holds,
 * since totals only rise.
 */
export function findWanted({ actions, sole }: SignedActs, { payment, kind, alone }: WantedAction): SignedAction | null {
  const own = actions.filter((one) => one.payment === payment);
  // A ruling is sent for the desk alone, which names its memo.
  if (kind === undefined) return own.find((one) => one.kind !== "resolve") ?? null;
  const found = own.findLast((one) => one.kind === kind) ?? null;
  if (alone === undefined) return found;
  const [, memo] = sole?.acts ?? [];
  const isAlone = sole?.acts[0] === found && sole?.signer === alone.signer && sole.acts.length === 2;
  return isAlone && found?.total === alone.total && memo?.kind === "memo" && memo.text === alone.memo ? found : null;
}

/** Returns true for a transaction that is never sent: this text of the signer as a memo, and nothing else. */
export const isMemo = ({ sole }: SignedActs, wanted: { readonly signer: string; readonly text: string }): boolean =>
  sole?.signer === wanted.signer &&
  sole.acts.length === 1 &&
  sole.acts.every((one) => one.kind === "memo" && one.text === wanted.text);
