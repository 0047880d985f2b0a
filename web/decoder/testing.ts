// Transactions for the tests of the decoder, with the accounts and instructions that a tampered one would have.
import { TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { toBase58 } from "./base58.ts";

export const anAddress = (seed: number): Address =>
  address(toBase58(Uint8Array.from({ length: 32 }, (_, at) => seed + at)));
export const [PROGRAM, OPERATOR, BUYER, SHOP, MINT, ARBITER, THIEF, SPONSOR] = [1, 2, 3, 4, 5, 6, 7, 8].map((one) =>
  anAddress(one * 20),
) as [Address, Address, Address, Address, Address, Address, Address, Address];
export const SOL = address("So11111111111111111111111111111111111111112");
const SYSTEM = address("11111111111111111111111111111111");
const UNITS = 100_000;

export interface Draft {
  readonly instructions: readonly Instruction[];
  readonly feePayer?: Address;
  readonly microLamports?: bigint;
}

export function wire({ instructions, feePayer = BUYER, microLamports = 10_000n }: Draft): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(SHOP), lastValidBlockHeight: 1n }, paid),
    (timed) => setTransactionMessageComputeUnitLimit(UNITS, timed),
    (limited) => setTransactionMessageComputeUnitPrice(microLamports, limited),
    (priced) => appendTransactionMessageInstructions(instructions, priced),
  );
  return Buffer.from(getBase64EncodedWireTransaction(compileTransaction(message)), "base64");
}

export function transfer(from: Address, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ];
  return { programAddress: SYSTEM, accounts, data };
}
export const tokens = (data: readonly number[], ...accounts: readonly Address[]): Instruction => ({
  programAddress: TOKEN_PROGRAM_ID,
  accounts: accounts.map((one) => ({ address: one, role: AccountRole.WRITABLE })),
  data: Uint8Array.from(data),
});
