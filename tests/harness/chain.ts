import assert from "node:assert/strict";
import {
  type ActOptions,
  actOnPayment,
  type Done,
  draftPayment,
  fundBuyer,
  latestBlockhash,
  type PaymentAction,
  type PayOptions,
  payIntent,
} from "@holdfast/devnet/buyer.ts";
import {
  awaitSignature,
  callRpc,
  describeTransactionError,
  type SignatureStatus,
  sendWire,
} from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  acceptInstruction,
  createPaymentInstructions,
  findPaymentAddress,
  findTokenAccountAddress,
  findVaultAddress,
  type Period,
  proposeInstruction,
  resolveInstruction,
  SYSTEM_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  TOKEN_PROGRAM_IDS,
} from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import { CHAIN_OF_RUN } from "./chainOfRun.ts";
import { exchange } from "./http.ts";
import type { Wire } from "./merchant.ts";
import type { RunningService } from "./service.ts";
import { eventually } from "./wait.ts";

/** The terms of an intent that a test may change. */
interface Changed {
  readonly paymentId?: string;
  readonly recipient?: string;
  readonly amount?: string;
  readonly asset?: string;
  readonly protectionPeriod?: Period;
}

/** A buyer with a key of its own and enough SOL and tokens to pay. */
export async function newBuyer(service: RunningService, asset: string = service.asset): Promise<LocalWallet> {
  const buyer = newWallet();
  await fundBuyer(service.rpcUrl, buyer.address, asset, 1_000_000_000n);
  return buyer;
}

/** The same, once nodes show the funds at `confirmed`, as the checkout reads them. */
export async function newPayer(service: RunningService, asset: string = service.asset): Promise<LocalWallet> {
  const buyer = await newBuyer(service, asset);
  const accounts = await Promise.all(
    TOKEN_PROGRAM_IDS.map((tokenProgram) =>
      findTokenAccountAddress({ owner: buyer.address, mint: asset as Address, tokenProgram }),
    ),
  );
  const form = { encoding: "base64", commitment: "confirmed" };
  await eventually("the buyer's funds are confirmed", async () => {
    const { value } = await rpc<{ value: (object | null)[] }>(service, "getMultipleAccounts", accounts, form);
    return value.some((account) => account !== null);
  });
  return buyer;
}

/** Pays an intent by a real transaction, and waits until it is confirmed. */
export async function pay(
  service: RunningService,
  intent: Wire,
  { buyer = service.wallets["buyer-1"], options = {}, ...changed }: PayTerms = {},
): Promise<Done> {
  return payIntent(service, buyer, { ...intent, ...changed }, options);
}

interface PayTerms extends Changed {
  readonly buyer?: LocalWallet;
  readonly options?: PayOptions;
}

/** Pays several intents, or one several times as different buyers, in one transaction. */
export async function payTogether(
  service: RunningService,
  payments: readonly { readonly intent: Wire; readonly buyer: LocalWallet }[],
): Promise<{ readonly signature: string; readonly payments: readonly Address[] }> {
  const { programId, operator, rpcUrl } = service;
  const drafts = await Promise.all(
    payments.map(async ({ intent, buyer }) => {
      const paymentId = BigInt(intent.paymentId);
      const terms = { programId, operator, sender: buyer.address, paymentId };
      const instructions = await createPaymentInstructions({
        ...terms,
        recipient: intent.recipient,
        mint: intent.asset,
        tokenProgram: TOKEN_PROGRAM_ID,
        amount: BigInt(intent.amount),
        period: intent.protectionPeriod,
        arbiter: service.wallets.arbiter.address,
      });
      return { instructions, payment: await findPaymentAddress(terms) };
    }),
  );
  const [first, ...others] = [...new Set(payments.map(({ buyer }) => buyer))];
  const { wire, signature } = signTransaction({
    instructions: drafts.flatMap(({ instructions }) => instructions),
    wallets: [first!, ...others],
    blockhash: await latestBlockhash(rpcUrl),
  });
  await sendWire(rpcUrl, wire);
  await awaitSignature(rpcUrl, signature, "confirmed");
  return { signature, payments: drafts.map(({ payment }) => payment) };
}

/** From now on the operator's payments name this arbiter: proposed by the authority, accepted by the new key. */
export async function replaceArbiter(service: RunningService, arbiter: LocalWallet): Promise<void> {
  const { programId, operator, rpcUrl, wallets } = service;
  const { wire, signature } = signTransaction({
    instructions: [
      proposeInstruction({
        programId,
        operator,
        authority: wallets.authority.address,
        role: "arbiter",
        key: arbiter.address,
      }),
      acceptInstruction({ programId, operator, role: "arbiter", key: arbiter.address }),
    ],
    wallets: [arbiter, wallets.authority],
    blockhash: await latestBlockhash(rpcUrl),
  });
  await sendWire(rpcUrl, wire);
  await awaitSignature(rpcUrl, signature, "confirmed");
}

const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address;
const memoInstruction = (address: Address, text: string) => ({
  programAddress: MEMO_PROGRAM,
  accounts: [{ address, role: AccountRole.READONLY_SIGNER }],
  data: new TextEncoder().encode(text),
});

/**
 * A ruling by a wallet that calls itself the payment's arbiter, sent by itself; with memos, each with the wallet that signs
 * it.
 */
export async function ruleAs(
  service: RunningService,
  arbiter: LocalWallet,
  payment: Wire,
  total: bigint,
  memos: readonly (readonly [signer: LocalWallet, text: string])[] = [],
  version: 0 | 1 = 0,
): Promise<void> {
  const { programId, operator, rpcUrl } = service;
  const ref = {
    address: payment.id,
    operator,
    sender: payment.sender,
    recipient: payment.recipient,
    mint: payment.asset,
    tokenProgram: TOKEN_PROGRAM_ID,
    arbiter: arbiter.address,
    rentPayer: payment.sender,
  };
  const { wire } = signTransaction({
    instructions: [
      resolveInstruction({ programId, payment: ref, total }),
      ...memos.map(([{ address }, text]) => memoInstruction(address, text)),
    ],
    wallets: [arbiter, ...new Set(memos.map(([signer]) => signer).filter((signer) => signer !== arbiter))],
    blockhash: await latestBlockhash(rpcUrl),
    version,
  });
  await sendWire(rpcUrl, wire);
}

/** More slots than a blockhash lives. */
export const PAST_BLOCKHASHES = 320;

interface PlainInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[];
  readonly data: string;
}

export const readPlain = ({ programId, accounts, data }: PlainInstruction) => ({
  programAddress: programId as Address,
  accounts: accounts.map(({ address, signer, writable }) => ({
    address: address as Address,
    role: (signer ? 2 : 0) + (writable ? 1 : 0),
  })),
  data: Buffer.from(data, "base64"),
});

/** Lands instructions in the plain form as the tools of a multisignature do: in a transaction of their own, with a new blockhash. */
export async function sendPlain(
  { rpcUrl }: RunningService,
  wallet: LocalWallet,
  instructions: readonly PlainInstruction[],
): Promise<void> {
  const { wire } = signTransaction({
    instructions: instructions.map(readPlain),
    wallets: [wallet],
    blockhash: await latestBlockhash(rpcUrl),
  });
  await sendWire(rpcUrl, wire);
}

/** Returns the balance of a payment's vault; 0 if it is closed. */
export async function vaultBalance(service: RunningService, { id, asset }: Wire): Promise<bigint> {
  const vault = await findVaultAddress({ payment: id, mint: asset, tokenProgram: TOKEN_PROGRAM_ID });
  const { value } = await rpc<{ value: { data: [string, "base64"] } | null }>(service, "getAccountInfo", vault, {
    encoding: "base64",
    commitment: "confirmed",
  });
  return value === null ? 0n : Buffer.from(value.data[0], "base64").readBigUInt64LE(64);
}

/** A payment that the program refuses: it lands, and fails. */
export async function payInVain(service: RunningService, intent: Wire): Promise<{ signature: string; slot: number }> {
  const { wire, signature } = await draftPayment(service, service.wallets["buyer-1"], intent, { notAfter: 1 });
  await sendWire(service.rpcUrl, wire, true);
  return eventually("it failed and is confirmed", async () => {
    const { value } = await rpc<{ value: (SignatureStatus | null)[] }>(service, "getSignatureStatuses", [signature]);
    if (!value[0] || value[0].confirmationStatus === "processed") return null;
    assert.match(describeTransactionError(value[0].err), /offer_expired/);
    return { signature, slot: value[0].slot };
  });
}

/** Disputes, releases, refunds, resolves or settles a payment, and waits until that is confirmed. */
export const act = (
  service: RunningService,
  wallet: LocalWallet,
  action: PaymentAction,
  payment: string,
  options: ActOptions = {},
): Promise<Done> => actOnPayment(service, wallet, action, payment as Address, options);

/** A control of the local run (POST), which must succeed. */
export async function control(service: RunningService, path: string, body: unknown): Promise<Wire> {
  const answer = await exchange("POST", `${service.controlUrl}${path}`, {
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Moves the clock of chain and service together. */
export const advance = (service: RunningService, seconds: number) => control(service, "/advance", { seconds });
export const pauseSweep = (service: RunningService, paused: boolean) => control(service, "/sweep", { paused });

const FINAL_SLOTS_MAX = 32;

/** The service learns of nothing that the work does on chain until the work has ended: no sweep, and no new final slot. */
export async function whilePaused<Result>(service: RunningService, work: () => Promise<Result>): Promise<Result> {
  // Under Alpenglow nothing is read before it is final, so there is no finality to wait for.
  const freezeFinality = async (on: boolean) => {
    if (CHAIN_OF_RUN.consensus === "tower") await rpc(service, "devnet_freeze_finality", { on });
  };
  await pauseSweep(service, true);
  await freezeFinality(true);
  try {
    return await work();
  } finally {
    // All that the work did becomes final at once, so that no read of final accounts comes upon a part of it.
    await rpc(service, "devnet_tick", { slots: FINAL_SLOTS_MAX });
    await freezeFinality(false);
    await pauseSweep(service, false);
  }
}

export const rpc = <Result>(
  service: Pick<RunningService, "rpcUrl">,
  method: string,
  ...params: unknown[]
): Promise<Result> => callRpc<Result>(service.rpcUrl, method, params);

const [MEMO_TRANSFER, REALLOCATE, MEMO_TRANSFER_EXTENSION] = [8, 29, 30];

/** Has a wallet's account of a Token-2022 token ask for a memo with each transfer to it, or no more. */
export async function requireMemos(
  service: RunningService,
  wallet: LocalWallet,
  asset: string,
  isRequired: boolean,
): Promise<void> {
  const { rpcUrl } = service;
  const tokenProgram = TOKEN_2022_PROGRAM_ID;
  const address = await findTokenAccountAddress({ owner: wallet.address, mint: asset as Address, tokenProgram });
  const account = { address, role: AccountRole.WRITABLE };
  const owner = { address: wallet.address, role: AccountRole.WRITABLE_SIGNER };
  const system = { address: SYSTEM_PROGRAM_ID, role: AccountRole.READONLY };
  const { wire, signature } = signTransaction({
    instructions: [
      ...(isRequired
        ? [
            {
              programAddress: tokenProgram,
              accounts: [account, owner, system, owner],
              data: new Uint8Array([REALLOCATE, MEMO_TRANSFER, 0]),
            },
          ]
        : []),
      {
        programAddress: tokenProgram,
        accounts: [account, owner],
        data: new Uint8Array([MEMO_TRANSFER_EXTENSION, isRequired ? 0 : 1]),
      },
    ],
    wallets: [wallet],
    blockhash: await latestBlockhash(rpcUrl),
  });
  await sendWire(rpcUrl, wire);
  await awaitSignature(rpcUrl, signature, "confirmed");
}
