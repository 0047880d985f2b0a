import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressEncoder,
  getI64Encoder,
  getU64Encoder,
  type Instruction,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { findOperatorAddress, findPaymentAddress, findTokenAccountAddress, findVaultAddress } from "./addresses.ts";
import { ASSOCIATED_TOKEN_PROGRAM_ID, PERIODS, type Period, SYSTEM_PROGRAM_ID } from "./constants.ts";

/** The index is the instruction's first byte. */
export const INSTRUCTION_KINDS = [
  "create_operator",
  "propose_arbiter",
  "accept_arbiter",
  "create_payment",
  "open_dispute",
  "resolve",
  "release",
  "refund",
  "settle",
  "refund_unresolved",
  "close_payment",
] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** Where every payment instruction (`create_payment` and later) names the operator and the payment. */
export const OPERATOR_ACCOUNT_INDEX = 0;
export const PAYMENT_ACCOUNT_INDEX = 1;

/** Which instruction of the program this data asks for; null when none. */
export function instructionKind(data: ReadonlyUint8Array): InstructionKind | null {
  return data.length === 0 ? null : (INSTRUCTION_KINDS[data[0]!] ?? null);
}

/** Whether an instruction names the operator at account 0 and a payment at account 1. */
export function namesPayment(kind: InstructionKind): boolean {
  return INSTRUCTION_KINDS.indexOf(kind) >= INSTRUCTION_KINDS.indexOf("create_payment");
}

/** A complete instruction: kit's `Instruction` with its three fields present. */
export interface ProgramInstruction extends Instruction {
  readonly accounts: readonly AccountMeta[];
  readonly data: ReadonlyUint8Array;
}

const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });
const signer = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY_SIGNER });
const writableSigner = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE_SIGNER });

const addressBytes = getAddressEncoder();
const u64Bytes = getU64Encoder();
const i64Bytes = getI64Encoder();

function dataOf(kind: InstructionKind, ...parts: readonly ReadonlyUint8Array[]): Uint8Array {
  return Uint8Array.from([INSTRUCTION_KINDS.indexOf(kind), ...parts.flatMap((part) => [...part])]);
}

/** Makes the authority's operator account, with its first arbiter. */
export async function createOperatorInstruction(input: {
  programId: Address;
  authority: Address;
  arbiter: Address;
  /** Pays the rent; default the authority. */
  payer?: Address;
}): Promise<ProgramInstruction> {
  const operator = await findOperatorAddress(input);
  return {
    programAddress: input.programId,
    accounts: [
      writable(operator),
      signer(input.authority),
      writableSigner(input.payer ?? input.authority),
      readonly(SYSTEM_PROGRAM_ID),
    ],
    data: dataOf("create_operator", addressBytes.encode(input.arbiter)),
  };
}

/** Names a new arbiter, who takes office on accepting; null withdraws the proposal. */
export async function proposeArbiterInstruction(input: {
  programId: Address;
  authority: Address;
  arbiter: Address | null;
}): Promise<ProgramInstruction> {
  const operator = await findOperatorAddress(input);
  return {
    programAddress: input.programId,
    accounts: [writable(operator), signer(input.authority)],
    data: dataOf("propose_arbiter", addressBytes.encode(input.arbiter ?? SYSTEM_PROGRAM_ID)),
  };
}

export function acceptArbiterInstruction(input: {
  programId: Address;
  operator: Address;
  /** The proposed key. */
  arbiter: Address;
}): ProgramInstruction {
  return {
    programAddress: input.programId,
    accounts: [writable(input.operator), signer(input.arbiter)],
    data: dataOf("accept_arbiter"),
  };
}

export interface NewPayment {
  readonly programId: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** u64. */
  readonly paymentId: bigint;
  /** u64, in the token's smallest unit. */
  readonly amount: bigint;
  readonly period: Period;
  /** The last second (chain time) at which the payment may be made; default none. */
  readonly notAfter?: bigint;
  /** Pays for the payment account and the vault; default the sender. */
  readonly payer?: Address;
  /** Where the funds come from; default the sender's associated token account. */
  readonly source?: Address;
}

/** Moves the amount from the sender into a new payment's vault. */
export async function createPaymentInstruction(input: NewPayment): Promise<ProgramInstruction> {
  const payment = await findPaymentAddress(input);
  const vault = await findVaultAddress({ ...input, payment });
  const source = input.source ?? (await findTokenAccountAddress({ ...input, owner: input.sender }));
  return {
    programAddress: input.programId,
    accounts: [
      readonly(input.operator),
      writable(payment),
      signer(input.sender),
      writableSigner(input.payer ?? input.sender),
      readonly(input.recipient),
      readonly(input.mint),
      writable(source),
      writable(vault),
      readonly(input.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SYSTEM_PROGRAM_ID),
    ],
    data: dataOf(
      "create_payment",
      u64Bytes.encode(input.paymentId),
      u64Bytes.encode(input.amount),
      Uint8Array.of(PERIODS.indexOf(input.period)),
      i64Bytes.encode(input.notAfter ?? 0n),
    ),
  };
}

/**
 * The payment's instruction, and before it, if asked for, the one that makes the recipient's token account where it is missing.
 * Made now and paid by the buyer, it costs the recipient nothing and leaves the vault's rent to the sender.
 */
export async function createPaymentInstructions(
  input: NewPayment & { readonly createRecipientAccount?: boolean },
): Promise<ProgramInstruction[]> {
  const create = await createPaymentInstruction(input);
  if (!input.createRecipientAccount) return [create];
  const payer = input.payer ?? input.sender;
  return [await createTokenAccountInstruction({ ...input, payer, owner: input.recipient }), create];
}

/** The associated token program's idempotent create: does nothing where the account is already there. */
export async function createTokenAccountInstruction(input: {
  payer: Address;
  owner: Address;
  mint: Address;
  tokenProgram: Address;
}): Promise<ProgramInstruction> {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM_ID,
    accounts: [
      writableSigner(input.payer),
      writable(await findTokenAccountAddress(input)),
      readonly(input.owner),
      readonly(input.mint),
      readonly(SYSTEM_PROGRAM_ID),
      readonly(input.tokenProgram),
    ],
    data: Uint8Array.of(1),
  };
}

/** What the builders need to know of a payment that exists: its address and the fields of its decoded account. */
export interface PaymentRef {
  readonly address: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The sender disputes, before the deadline. */
export function openDisputeInstruction(input: {
  programId: Address;
  payment: Pick<PaymentRef, "address" | "operator" | "sender">;
}): ProgramInstruction {
  const { payment } = input;
  return {
    programAddress: input.programId,
    accounts: [readonly(payment.operator), writable(payment.address), signer(payment.sender)],
    data: dataOf("open_dispute"),
  };
}

/** The sender takes back the record's rent, from 90 days after the payout; a tombstone stays. */
export function closePaymentInstruction(input: {
  programId: Address;
  payment: Pick<PaymentRef, "address" | "operator" | "sender">;
}): ProgramInstruction {
  const { payment } = input;
  return {
    programAddress: input.programId,
    accounts: [readonly(payment.operator), writable(payment.address), writableSigner(payment.sender)],
    data: dataOf("close_payment"),
  };
}

export interface Payout {
  readonly programId: Address;
  readonly payment: PaymentRef;
  /** Pays for the beneficiary's token account where it is missing, and then gets the vault's rent; signs. */
  readonly payer: Address;
  /**
   * Any other token account the beneficiary owns, for when theirs is frozen or otherwise unusable.
   * The beneficiary must then sign too. Default: their associated token account.
   */
  readonly destination?: Address;
}

/** Gives a disputed payment's funds to one side; the operator's current arbiter signs. */
export function resolveInstruction(
  input: Payout & { readonly arbiter: Address; readonly to: "recipient" | "sender" },
): Promise<ProgramInstruction> {
  return payoutInstruction(input, input.to, input.arbiter, "resolve", Uint8Array.of(input.to === "sender" ? 1 : 0));
}

/** The sender lets the recipient have the funds, at any time. */
export function releaseInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "recipient", input.payment.sender, "release");
}

/** The recipient gives the funds back, at any time. */
export function refundInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "sender", input.payment.recipient, "refund");
}

/** Anyone sends an undisputed payment's funds to the recipient, from the deadline on. */
export function settleInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "recipient", null, "settle");
}

/** Anyone sends a disputed payment's funds back, from 90 days after the dispute. */
export function refundUnresolvedInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "sender", null, "refund_unresolved");
}

async function payoutInstruction(
  input: Payout,
  to: "recipient" | "sender",
  actor: Address | null,
  kind: InstructionKind,
  ...data: Uint8Array[]
): Promise<ProgramInstruction> {
  const { payment } = input;
  const beneficiary = payment[to];
  const destination = input.destination ?? (await findTokenAccountAddress({ ...payment, owner: beneficiary }));
  return {
    programAddress: input.programId,
    accounts: [
      readonly(payment.operator),
      writable(payment.address),
      writableSigner(input.payer),
      writable(payment.sender),
      input.destination === undefined ? readonly(beneficiary) : signer(beneficiary),
      writable(destination),
      writable(await findVaultAddress({ ...payment, payment: payment.address })),
      readonly(payment.mint),
      readonly(payment.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SYSTEM_PROGRAM_ID),
      ...(actor === null ? [] : [signer(actor)]),
    ],
    data: dataOf(kind, ...data),
  };
}
