import {
  createPaymentInstructions,
  decodePaymentAccount,
  findPaymentAddress,
  findTokenAccountAddress,
  openDisputeInstruction,
  type PaymentAccount,
  type Period,
  refundInstruction,
  refundUnresolvedInstruction,
  releaseInstruction,
  resolveInstruction,
  settleInstruction,
} from "@holdfast/escrow-client";
import { type Address, type AddressesByLookupTableAddress, address, type Instruction } from "@solana/kit";
import { awaitSignature, callRpc, type SignatureStatus, sendWire } from "./client.ts";
import { type SignedTransaction, signTransaction } from "./sending.ts";
import type { LocalWallet } from "./wallets.ts";

/** Where a buyer pays: a node, and the program and operator of the service. */
export interface Market {
  readonly rpcUrl: string;
  readonly programId: Address;
  readonly operator: Address;
}

/** The terms an intent asks for, as the API shows them. */
export interface IntentTerms {
  readonly paymentId: string;
  readonly recipient: string;
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  readonly asset: string;
  readonly protectionPeriod: Period;
}

export interface PayOptions {
  /** Chain time in unix seconds after which the program refuses the payment; 0, the default: never. */
  readonly notAfter?: number;
  /** Instructions before and after the payment's own, as wallets inject them. */
  readonly before?: readonly Instruction[];
  readonly after?: readonly Instruction[];
  /** Look-up tables to use, with what they hold. */
  readonly lookupTables?: AddressesByLookupTableAddress;
  /** How far to wait; default `confirmed`. "none" returns as soon as it is sent. */
  readonly until?: SignatureStatus["confirmationStatus"] | "none";
}

/** The outcome of a transaction. */
export interface Done {
  readonly signature: string;
  readonly payment: Address;
  readonly sender: Address;
  /** Null when it was not waited for. */
  readonly slot: number | null;
  readonly status: SignatureStatus["confirmationStatus"] | "sent";
}

interface AccountAnswer {
  readonly value: { readonly owner: string; readonly data: readonly [string, "base64"] } | null;
}

const readAccount = async (rpcUrl: string, account: string) =>
  (await callRpc<AccountAnswer>(rpcUrl, "getAccountInfo", [account, { encoding: "base64", commitment: "confirmed" }]))
    .value;

/** The token program that owns a mint. */
async function findTokenProgram(rpcUrl: string, mint: string): Promise<Address> {
  const account = await readAccount(rpcUrl, mint);
  if (!account) throw new Error(`there is no mint at ${mint}`);
  return address(account.owner);
}

/** A payment account as it stands at `confirmed`; null when there is none. */
export async function readPayment(rpcUrl: string, payment: string): Promise<PaymentAccount | null> {
  const account = await readAccount(rpcUrl, payment);
  const decoded = account && decodePaymentAccount(Buffer.from(account.data[0], "base64"));
  return decoded?.kind === "payment" ? decoded : null;
}

export async function latestBlockhash(rpcUrl: string): Promise<string> {
  const answer = await callRpc<{ value: { blockhash: string } }>(rpcUrl, "getLatestBlockhash", [
    { commitment: "confirmed" },
  ]);
  return answer.value.blockhash;
}

/** Sees to it that the wallet holds at least this much of the asset, and SOL for fees and rent; only a local chain has such a faucet. */
export async function fundBuyer(rpcUrl: string, owner: Address, asset: string, amount: bigint): Promise<void> {
  const tokenProgram = await findTokenProgram(rpcUrl, asset);
  const account = await findTokenAccountAddress({ owner, mint: address(asset), tokenProgram });
  const image = await readAccount(rpcUrl, account);
  const held = image ? Buffer.from(image.data[0], "base64").readBigUInt64LE(64) : 0n;
  const { value: lamports } = await callRpc<{ value: number }>(rpcUrl, "getBalance", [
    owner,
    { commitment: "confirmed" },
  ]);
  const give = (currency: string, units: bigint) =>
    callRpc(rpcUrl, "devnet_faucet", [{ address: owner, asset: currency, amount: String(units) }]);
  if (lamports < 1_000_000_000) await give("SOL", 10_000_000_000n);
  if (held < amount) await give(asset, amount - held);
}

/** The signed transaction that pays an intent: the recipient's token account is made in it where it is missing. */
export async function draftPayment(
  market: Market,
  buyer: LocalWallet,
  terms: IntentTerms,
  { notAfter = 0, before = [], after = [], lookupTables = {} }: PayOptions = {},
): Promise<SignedTransaction & { readonly payment: Address }> {
  const [tokenProgram, blockhash] = await Promise.all([
    findTokenProgram(market.rpcUrl, terms.asset),
    latestBlockhash(market.rpcUrl),
  ]);
  const { programId, operator } = market;
  const paymentId = BigInt(terms.paymentId);
  const instructions = await createPaymentInstructions({
    programId,
    operator,
    sender: buyer.address,
    recipient: address(terms.recipient),
    mint: address(terms.asset),
    tokenProgram,
    paymentId,
    amount: BigInt(terms.amount),
    period: terms.protectionPeriod,
    notAfter: BigInt(notAfter),
    createRecipientAccount: true,
  });
  const payment = await findPaymentAddress({ programId, operator, sender: buyer.address, paymentId });
  const all = [...before, ...instructions, ...after];
  const signed = signTransaction({ instructions: all, wallets: [buyer], blockhash, lookupTables });
  return { ...signed, payment };
}

/** Pays an intent as this wallet. */
export async function payIntent(
  market: Market,
  buyer: LocalWallet,
  terms: IntentTerms,
  options: PayOptions = {},
): Promise<Done> {
  const { wire, signature, payment } = await draftPayment(market, buyer, terms, options);
  await sendWire(market.rpcUrl, wire);
  return finish(market, { signature, payment, sender: buyer.address }, options.until);
}

async function finish(
  market: Market,
  sent: Pick<Done, "signature" | "payment" | "sender">,
  until: PayOptions["until"] = "confirmed",
): Promise<Done> {
  if (until === "none") return { ...sent, slot: null, status: "sent" };
  const { slot, confirmationStatus } = await awaitSignature(market.rpcUrl, sent.signature, until);
  return { ...sent, slot, status: confirmationStatus };
}

/** The actions on an existing payment, and which wallet must sign each (none: the payer alone). */
export type PaymentAction =
  | "dispute"
  | "release"
  | "refund"
  | "resolve_release"
  | "resolve_refund"
  | "settle"
  | "refund_unresolved";

/** Acts on a payment; `wallet` is the sender, the recipient, the arbiter or, to settle, anybody, and pays the fee. */
export async function actOnPayment(
  market: Market,
  wallet: LocalWallet,
  action: PaymentAction,
  payment: Address,
  { before = [], after = [], until }: PayOptions = {},
): Promise<Done> {
  const account = await readPayment(market.rpcUrl, payment);
  if (!account) throw new Error(`there is no payment at ${payment}`);
  const instruction = await draftAction(market.programId, wallet.address, action, { ...account, address: payment });
  const blockhash = await latestBlockhash(market.rpcUrl);
  const { wire, signature } = signTransaction({
    instructions: [...before, instruction, ...after],
    wallets: [wallet],
    blockhash,
  });
  await sendWire(market.rpcUrl, wire);
  return finish(market, { signature, payment, sender: account.sender }, until);
}

async function draftAction(
  programId: Address,
  payer: Address,
  action: PaymentAction,
  payment: PaymentAccount & { readonly address: Address },
): Promise<Instruction> {
  const payout = { programId, payment, payer };
  switch (action) {
    case "dispute":
      return openDisputeInstruction({ programId, payment });
    case "release":
      return releaseInstruction(payout);
    case "refund":
      return refundInstruction(payout);
    case "settle":
      return settleInstruction(payout);
    case "refund_unresolved":
      return refundUnresolvedInstruction(payout);
    default:
      return resolveInstruction({
        ...payout,
        arbiter: payer,
        to: action === "resolve_release" ? "recipient" : "sender",
      });
  }
}
