import {
  decodePaymentAccount,
  encodePaymentAccount,
  findPaymentAddressAndBump,
  type PaymentAccount,
  type TombstoneAccount,
} from "@holdfast/escrow-client";

/** Everything that a payment's account says besides its operator. Numbers are digits, times ISO 8601 in whole seconds. */
export interface PaymentFigures {
  readonly paymentId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly amount: string;
  readonly asset: string;
  readonly decimals: number;
  readonly tokenProgram: string;
  readonly protectionPeriod: PaymentAccount["period"];
  readonly arbiter: string;
  readonly rentPayer: string;
  readonly termsHash: string | null;
  readonly createdAt: string;
  readonly protectionDeadline: string;
  readonly status: PaymentAccount["status"];
  readonly outcome: PaymentAccount["outcome"];
  readonly refundTotal: string;
  readonly amountRefunded: string;
  readonly amountReleased: string;
  readonly disputedAt: string | null;
  readonly settledAt: string | null;
  readonly refundedAt: string | null;
}

/** The figures that a tombstone keeps. */
export type EndFigures = Pick<
  PaymentFigures,
  "paymentId" | "status" | "outcome" | "amountRefunded" | "amountReleased" | "disputedAt" | "settledAt" | "refundedAt"
>;

export interface Market {
  readonly programId: string;
  readonly operator: string;
}

type Key = PaymentAccount["sender"];

/** The address of the payment that these figures and this operator lead to, with the bump that its account holds. */
const derive = ({ programId, operator }: Market, { sender, paymentId }: Pick<PaymentFigures, "sender" | "paymentId">) =>
  findPaymentAddressAndBump({
    programId: programId as Key,
    operator: operator as Key,
    sender: sender as Key,
    paymentId: BigInt(paymentId),
  });

/** {@link derive}; null if a figure has no valid form, such as an address that is not base58 of 32 bytes. */
export async function findDerived(market: Market, figures: PaymentFigures): Promise<readonly [string, number] | null> {
  try {
    return await derive(market, figures);
  } catch {
    return null;
  }
}

const secondsOf = (time: string): bigint => BigInt(Date.parse(time)) / 1_000n;
const optionalSeconds = (time: string | null): bigint | null => (time === null ? null : secondsOf(time));

/** The account's bytes as the program stores them: figures and deployment decide every one of them. */
export async function encodeAccount(market: Market, figures: PaymentFigures): Promise<string> {
  const [, bump] = await derive(market, figures);
  return base64Of(
    encodePaymentAccount({
      kind: "payment",
      bump,
      status: figures.status,
      period: figures.protectionPeriod,
      decimals: figures.decimals,
      outcome: figures.outcome,
      tokenProgram: figures.tokenProgram as Key,
      paymentId: BigInt(figures.paymentId),
      amount: BigInt(figures.amount),
      refundTotal: BigInt(figures.refundTotal),
      amountRefunded: BigInt(figures.amountRefunded),
      amountReleased: BigInt(figures.amountReleased),
      createdAt: secondsOf(figures.createdAt),
      deadline: secondsOf(figures.protectionDeadline),
      disputedAt: optionalSeconds(figures.disputedAt),
      settledAt: optionalSeconds(figures.settledAt),
      refundedAt: optionalSeconds(figures.refundedAt),
      sender: figures.sender as Key,
      recipient: figures.recipient as Key,
      mint: figures.asset as Key,
      operator: market.operator as Key,
      arbiter: figures.arbiter as Key,
      rentPayer: figures.rentPayer as Key,
      termsHash: figures.termsHash,
    }),
  );
}

/** The bytes of a closed payment's tombstone. */
export function encodeTombstone(figures: EndFigures, bump: number): string {
  if (figures.outcome === null) throw new TypeError("A closed payment has an outcome.");
  return base64Of(
    encodePaymentAccount({
      kind: "tombstone",
      bump,
      status: figures.status,
      outcome: figures.outcome,
      paymentId: BigInt(figures.paymentId),
      amountReleased: BigInt(figures.amountReleased),
      amountRefunded: BigInt(figures.amountRefunded),
      disputedAt: optionalSeconds(figures.disputedAt),
      settledAt: optionalSeconds(figures.settledAt),
      refundedAt: optionalSeconds(figures.refundedAt),
    }),
  );
}

const isoTime = (seconds: bigint): string => new Date(Number(seconds) * 1_000).toISOString();
const optionalTime = (seconds: bigint | null): string | null => (seconds === null ? null : isoTime(seconds));

export const figuresOf = (account: PaymentAccount): PaymentFigures => ({
  ...endOf(account),
  sender: account.sender,
  recipient: account.recipient,
  amount: String(account.amount),
  asset: account.mint,
  decimals: account.decimals,
  tokenProgram: account.tokenProgram,
  protectionPeriod: account.period,
  arbiter: account.arbiter,
  rentPayer: account.rentPayer,
  termsHash: account.termsHash,
  createdAt: isoTime(account.createdAt),
  protectionDeadline: isoTime(account.deadline),
  refundTotal: String(account.refundTotal),
});

export const endOf = (account: PaymentAccount | TombstoneAccount): EndFigures => ({
  paymentId: String(account.paymentId),
  status: account.status,
  outcome: account.outcome,
  amountRefunded: String(account.amountRefunded),
  amountReleased: String(account.amountReleased),
  disputedAt: optionalTime(account.disputedAt),
  settledAt: optionalTime(account.settledAt),
  refundedAt: optionalTime(account.refundedAt),
});

/** Decodes an account in base64; null if it is none of the program's. */
export function decodeAccount(data: string): ReturnType<typeof decodePaymentAccount> {
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    // Another spelling of the same bytes would be another receipt.
    return base64Of(bytes) === data ? decodePaymentAccount(bytes) : null;
  } catch {
    // atob refuses what is not base64.
    return null;
  }
}

const base64Of = (bytes: ArrayLike<number>): string => btoa(String.fromCharCode(...Array.from(bytes)));

/** The figures that change while a payment runs. */
export const PROGRESS = [
  "status",
  "outcome",
  "refundTotal",
  "amountRefunded",
  "amountReleased",
  "disputedAt",
  "settledAt",
  "refundedAt",
] as const;
type Progress = Pick<PaymentFigures, (typeof PROGRESS)[number]>;

/** Those of these figures that cannot have become the later ones: parts that left stay away, and decisions bind. */
export function contradictions(now: Progress, later: Progress): (keyof Progress)[] {
  const same = (name: keyof Progress) => now[name] === later[name];
  const grows = (name: "refundTotal" | "amountRefunded") => BigInt(now[name]) <= BigInt(later[name]);
  const isPaidOut = now.status === "released" || now.status === "refunded";
  const holds: Readonly<Record<keyof Progress, boolean>> = {
    status: same("status") || !(isPaidOut || later.status === "protected"),
    outcome: same("outcome") || now.outcome === null || (later.outcome === "refunded_by_recipient" && !isPaidOut),
    refundTotal: same("refundTotal") || (grows("refundTotal") && now.amountReleased === "0"),
    amountRefunded: grows("amountRefunded") && (same("amountRefunded") || !isPaidOut),
    amountReleased: same("amountReleased") || now.amountReleased === "0",
    disputedAt: same("disputedAt") || (now.disputedAt === null && now.outcome === null),
    settledAt: same("settledAt") || now.settledAt === null,
    refundedAt: same("refundedAt") || !same("amountRefunded"),
  };
  return PROGRESS.filter((name) => !holds[name]);
}
