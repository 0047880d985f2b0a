import {
  closePaymentInstruction,
  createPaymentInstructions,
  decodePaymentAccount,
  findPaymentAddress,
  findTokenAccountAddress,
  openDisputeInstruction,
  type PaymentAccount,
  type Period,
  payOutInstructions,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  type Side,
} from "@holdfast/escrow-client";
import { type Address, type AddressesByLookupTableAddress, address, type Instruction } from "@solana/kit";
import { awaitSignature, callRpc, type SignatureStatus, sendWire } from "./client.ts";
import { type SignedTransaction, signTransaction } from "./signTransaction.ts";
import type { LocalWallet } from "./wallets.ts";

/** The node that a buyer pays through, and the program and operator of the service. */
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
  /** Chain time in unix seconds after which the program refuses the payment; default 0, for no limit. */
  readonly notAfter?: number;
  /** Instructions before and after the payment's own, as wallets inject them. */
  readonly before?: readonly Instruction[];
  readonly after?: readonly Instruction[];
  /** Look-up tables to use, with what they hold. */
  readonly lookupTables?: AddressesByLookupTableAddress;
  /** 64 hex digits; default: it names no terms text. */
  readonly termsHash?: string;
  /** The transaction has this version; default 0. */
  readonly version?: 0 | 1;
  /** Default: the chain's latest. */
  readonly blockhash?: string;
  /** The commitment to wait for; default `confirmed`. "none" returns as soon as it is sent. */
  readonly until?: SignatureStatus["confirmationStatus"] | "none";
}

/** The outcome of a transaction. */
export interface Done {
  readonly signature: string;
  readonly payment: Address;
  readonly sender: Address;
  /** The slot it landed in; null if the call did not wait. */
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

/** Reads a payment account at `confirmed`; null if there is none. */
export async function readPayment(rpcUrl: string, payment: string): Promise<PaymentAccount | null> {
  const account = await readAccount(rpcUrl, payment);
  const decoded = account && decodePaymentAccount(Buffer.from(account.data[0], "base64"));
  return decoded?.kind === "payment" ? decoded : null;
}

/** Reads the arbiter of payments made from now on, from the operator's account at `confirmed`. */
async function readArbiter(rpcUrl: string, operator: string): Promise<Address> {
  const account = await readAccount(rpcUrl, operator);
  const decoded = account && decodePaymentAccount(Buffer.from(account.data[0], "base64"));
  if (decoded?.kind !== "operator") throw new Error(`there is no operator account at ${operator}`);
  return decoded.arbiter;
}

export async function latestBlockhash(rpcUrl: string): Promise<string> {
  const answer = await callRpc<{ value: { blockhash: string } }>(rpcUrl, "getLatestBlockhash", [
    { commitment: "confirmed" },
  ]);
  return answer.value.blockhash;
}

/**
 * Funds the wallet up to this much of the asset, with SOL for fees and rent; only a local chain has such a faucet. Returns
 * the signature of the last gift; null: it has enough.
 */
export async function fundBuyer(rpcUrl: string, owner: Address, asset: string, amount: bigint): Promise<string | null> {
  const tokenProgram = await findTokenProgram(rpcUrl, asset);
  const account = await findTokenAccountAddress({ owner, mint: address(asset), tokenProgram });
  const image = await readAccount(rpcUrl, account);
  const held = image ? Buffer.from(image.data[0], "base64").readBigUInt64LE(64) : 0n;
  const { value: lamports } = await callRpc<{ value: number }>(rpcUrl, "getBalance", [
    owner,
    { commitment: "confirmed" },
  ]);
  let signature: string | null = null;
  const give = async (currency: string, units: bigint) => {
    const gift = { address: owner, asset: currency, amount: String(units) };
    ({ signature } = await callRpc<{ signature: string }>(rpcUrl, "devnet_faucet", [gift]));
  };
  if (lamports < 1_000_000_000) await give("SOL", 10_000_000_000n);
  if (held < amount) await give(asset, amount - held);
  return signature;
}

/** Drafts the signed transaction that pays an intent. It creates the recipient's token account if that is missing. */
export async function draftPayment(
  market: Market,
  buyer: LocalWallet,
  terms: IntentTerms,
  { notAfter = 0, before = [], after = [], lookupTables = {}, version = 0, ...given }: PayOptions = {},
): Promise<SignedTransaction & { readonly payment: Address }> {
  const [tokenProgram, arbiter, blockhash] = await Promise.all([
    findTokenProgram(market.rpcUrl, terms.asset),
    readArbiter(market.rpcUrl, market.operator),
    given.blockhash ?? latestBlockhash(market.rpcUrl),
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
    arbiter,
    termsHash: given.termsHash ?? null,
    createRecipientAccount: true,
  });
  const payment = await findPaymentAddress({ programId, operator, sender: buyer.address, paymentId });
  const all = [...before, ...instructions, ...after];
  const signed = signTransaction({ instructions: all, wallets: [buyer], blockhash, lookupTables, version });
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

/** The actions on an existing payment, and the wallet that must sign each (if none is named, only the payer signs). */
export type PaymentAction =
  | "dispute"
  | "release"
  | "refund"
  | "resolve_release"
  | "resolve_refund"
  | "resolve_split"
  | "settle"
  | "refund_unresolved"
  | "close";

export interface ActOptions extends PayOptions {
  /** The sender's total in the end, in the asset's smallest unit, for `refund` (default: all) and `resolve_split`. */
  readonly total?: bigint;
  /** Sends a ruling by itself and its parts after it, so that nothing can stop the ruling. Default: all in one transaction. */
  readonly rulingAlone?: boolean;
  /** Sends no parts: others send them. */
  readonly decideOnly?: boolean;
}

type KnownPayment = PaymentAccount & { readonly address: Address };

/**
 * Acts on a payment; `wallet` is the sender, the recipient, the payment's arbiter or, to settle, anybody. It pays the fee
 * and any token account that is missing. Parts that become due leave in the same transaction.
 */
export async function actOnPayment(
  market: Market,
  wallet: LocalWallet,
  action: PaymentAction,
  payment: Address,
  { before = [], after = [], version = 0, until, total, rulingAlone = false, decideOnly = false }: ActOptions = {},
): Promise<Done> {
  const account = await readPayment(market.rpcUrl, payment);
  if (!account) throw new Error(`there is no payment at ${payment}`);
  const known = { ...account, address: payment };
  const decision = await draftDecision(market.programId, action, known, total);
  const sides = decideOnly ? [] : dueAfter(action, known, total);
  const payouts = await draftPayouts(market.programId, wallet.address, known, sides);
  const send = async (instructions: readonly Instruction[], skipPreflight = false) => {
    const blockhash = await latestBlockhash(market.rpcUrl);
    const { wire, signature } = signTransaction({ instructions, wallets: [wallet], blockhash, version });
    await sendWire(market.rpcUrl, wire, skipPreflight);
    return finish(market, { signature, payment, sender: account.sender }, until);
  };
  if (!rulingAlone || !action.startsWith("resolve")) return send([...before, ...decision, ...payouts, ...after]);
  const ruled = await send([...before, ...decision, ...after]);
  // A preflight at `confirmed` may not know the ruling yet. The service's keeper may pay the parts out first.
  if (payouts.length > 0)
    await send(payouts, true).catch((error: unknown) => {
      if (!/already_paid_out|nothing_due/.test(String(error))) throw error;
    });
  return ruled;
}

/** Returns the sender's total in the end by a decision; null for an action that decides nothing. */
function totalOf(action: PaymentAction, { amount, refundTotal }: KnownPayment, total?: bigint): bigint | null {
  switch (action) {
    case "refund":
      return total ?? amount;
    case "resolve_refund":
      return amount;
    case "resolve_split":
      if (total === undefined) throw new Error("resolve_split needs a total");
      return total;
    case "release":
    case "resolve_release":
      // The recipient's earlier refunds stay bound.
      return refundTotal;
    default:
      return null;
  }
}

async function draftDecision(
  programId: Address,
  action: PaymentAction,
  payment: KnownPayment,
  given?: bigint,
): Promise<readonly Instruction[]> {
  if (action === "dispute") return [openDisputeInstruction({ programId, payment })];
  if (action === "close") return [await closePaymentInstruction({ programId, payment })];
  const total = totalOf(action, payment, given);
  if (total === null) return [];
  if (action === "release") return [releaseInstruction({ programId, payment, total })];
  if (action === "refund") return [refundInstruction({ programId, payment, total })];
  return [resolveInstruction({ programId, payment, total })];
}

/** The sides to which something is due once the action is done. */
function dueAfter(action: PaymentAction, payment: KnownPayment, given?: bigint): readonly Side[] {
  if (action === "dispute" || action === "close") return [];
  // The program checks whether it is time for these.
  if (action === "settle") return ["recipient"];
  if (action === "refund_unresolved") return ["sender"];
  const { amount, refundTotal, amountRefunded } = payment;
  let total = totalOf(action, payment, given)!;
  if (total < refundTotal) total = refundTotal;
  const decides = action !== "refund" || payment.outcome !== null;
  return [
    ...(total > amountRefunded ? (["sender"] as const) : []),
    ...(decides && total < amount ? (["recipient"] as const) : []),
  ];
}

async function draftPayouts(
  programId: Address,
  payer: Address,
  payment: KnownPayment,
  sides: readonly Side[],
): Promise<readonly Instruction[]> {
  const drafts = sides.map((side) => payOutInstructions({ programId, payment, side, accountPayer: payer }));
  return (await Promise.all(drafts)).flat();
}
