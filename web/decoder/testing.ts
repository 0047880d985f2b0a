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
  setTransactionMessagePriorityFeeLamports,
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
  readonly version?: 0 | 1;
}

const lifetime = { blockhash: blockhash(SHOP), lastValidBlockHeight: 1n };

export function wire(draft: Draft): Uint8Array {
  const transaction = draft.version === 1 ? compileVersion1(draft) : compileVersion0(draft);
  return Buffer.from(getBase64EncodedWireTransaction(transaction), "base64");
}

const compileVersion0 = ({ instructions, feePayer = BUYER, microLamports = 10_000n }: Draft) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => setTransactionMessageComputeUnitLimit(UNITS, timed),
    (limited) => setTransactionMessageComputeUnitPrice(microLamports, limited),
    (priced) => compileTransaction(appendTransactionMessageInstructions(instructions, priced)),
  );

/** Offers as much for its priority. */
const compileVersion1 = ({ instructions, feePayer = BUYER, microLamports = 10_000n }: Draft) =>
  pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => setTransactionMessageComputeUnitLimit(UNITS, timed),
    (limited) =>
      setTransactionMessagePriorityFeeLamports((BigInt(UNITS) * microLamports + 999_999n) / 1_000_000n, limited),
    (priced) => compileTransaction(appendTransactionMessageInstructions(instructions, priced)),
  );

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
