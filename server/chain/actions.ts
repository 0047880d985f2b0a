import type { ChainPayment } from "./port.ts";

/**
 * Everything that a person other than the arbiter does to a payment, by the names of `nextActions` (§4.6.1). `close`: the
 * record is closed, and its rent goes to its payer.
 */
export const PAYMENT_ACTIONS = [
  "dispute",
  "release",
  "refund",
  "settle",
  "refund_unresolved",
  "pay_out_sender",
  "pay_out_recipient",
  "close",
] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

/** An action that a wallet is about to sign. */
export interface ActionCommand {
  /** The payment's address. */
  readonly payment: string;
  readonly action: PaymentAction;
  /** Signs the action, and pays the network's fee unless a sponsor does. */
  readonly account: string;
  /**
   * The total that the sender has in the end, in smallest units; only of `release` and `refund`. Null: a release leaves the
   * sender with the total that is bound now.
   */
  readonly total: bigint | null;
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
const OBSTACLES = [
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

/** The reason why nothing was built. */
export type ActionRefusal =
  /** No payment of this operator is at the address now. */
  | { readonly kind: "not_found" }
  /** Another wallet has to sign it. */
  | { readonly kind: "other_wallet"; readonly needed: string }
  | { readonly kind: "not_possible"; readonly reason: Obstacle }
  /** The account cannot pay the fee, or, only if one was asked for, the sponsor. */
  | { readonly kind: "sol_missing" | "sponsor_short"; readonly missing: bigint }
  /** The trial run failed for another reason, in words. */
  | { readonly kind: "would_fail"; readonly reason: string };

/** An action of a signed transaction: `pay_out` is that of either side. */
export interface SignedAction {
  readonly kind: "dispute" | "release" | "refund" | "resolve" | "pay_out" | "close";
  readonly payment: string;
  /** Digits; null for actions that name no total. */
  readonly total: string | null;
}

/** The obstacle that a program's refusal in words names; null if it is another failure. */
export const obstacleIn = (reason: string): Obstacle | null =>
  OBSTACLES.find((name) => reason.startsWith(`${name}:`)) ?? null;
