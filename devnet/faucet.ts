import { createTokenAccountInstruction, findTokenAccountAddress } from "@holdfast/escrow-client";
import { type Address, type Instruction, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getMintToInstruction, getSyncNativeInstruction } from "@solana-program/token";
import { type Asset, WRAPPED_SOL } from "./assets.ts";
import type { LocalWallet } from "./wallets.ts";

/** The assets of the faucet: lamports of SOL, or units of a mint under its key. */
export type Currency = "SOL" | Pick<Asset, "address" | "tokenProgram">;

/** The instructions that hand `amount` (smallest units) to a wallet, making its token account where it is missing; the faucet pays and signs. */
export async function draftGift(
  faucet: LocalWallet,
  to: Address,
  currency: Currency,
  amount: bigint,
): Promise<Instruction[]> {
  const transfer = (destination: Address) =>
    getTransferSolInstruction({ source: faucet.signer, destination, amount: lamports(amount) });
  if (currency === "SOL") return [transfer(to)];
  const { address: mint, tokenProgram } = currency;
  const create = await createTokenAccountInstruction({ payer: faucet.address, owner: to, mint, tokenProgram });
  const token = await findTokenAccountAddress({ owner: to, mint, tokenProgram });
  if (mint === WRAPPED_SOL.address) return [create, transfer(token), getSyncNativeInstruction({ account: token })];
  return [
    create,
    getMintToInstruction({ mint, token, mintAuthority: faucet.signer, amount }, { programAddress: tokenProgram }),
  ];
}
