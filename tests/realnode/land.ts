import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { type Currency, draftGift } from "@holdfast/devnet/faucet.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { AccountRole, type Address, getAddressEncoder, type Instruction } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";

const MINT_BYTES = 82;
const INITIALIZE_MINT_2 = 20;
const DECIMALS = 6;

/** Signs and sends a transaction, and waits until it is confirmed; returns its signature. */
export async function land(
  rpcUrl: string,
  instructions: readonly Instruction[],
  ...wallets: [LocalWallet, ...LocalWallet[]]
): Promise<string> {
  const { wire, signature } = signTransaction({ instructions, wallets, blockhash: await latestBlockhash(rpcUrl) });
  await sendWire(rpcUrl, wire);
  await awaitSignature(rpcUrl, signature, "confirmed");
  return signature;
}

export const rentOf = async (rpcUrl: string, bytes: number): Promise<bigint> =>
  BigInt(await callRpc<number>(rpcUrl, "getMinimumBalanceForRentExemption", [bytes]));

/** Makes a token of the faucet's at the address of `mint`, without extensions. */
export async function makeMint(rpcUrl: string, faucet: LocalWallet, mint: LocalWallet, tokenProgram: Address) {
  const create = getCreateAccountInstruction({
    payer: faucet.signer,
    newAccount: mint.signer,
    lamports: await rentOf(rpcUrl, MINT_BYTES),
    space: MINT_BYTES,
    programAddress: tokenProgram,
  });
  const initialize: Instruction = {
    programAddress: tokenProgram,
    accounts: [{ address: mint.address, role: AccountRole.WRITABLE }],
    data: Uint8Array.from([INITIALIZE_MINT_2, DECIMALS, ...getAddressEncoder().encode(faucet.address), 0]),
  };
  await land(rpcUrl, [create, initialize], faucet, mint);
  return { address: mint.address, tokenProgram };
}

/** Hands SOL or tokens to a wallet. */
export const give = async (rpcUrl: string, faucet: LocalWallet, to: Address, currency: Currency, amount: bigint) =>
  land(rpcUrl, await draftGift(faucet, to, currency, amount), faucet);
