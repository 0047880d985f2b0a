import { type ReadTransaction, UnexpectedBytesError } from "./message.ts";

export const SYSTEM = "11111111111111111111111111111111";
export const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
export const ASSOCIATED_TOKEN = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
export const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
export const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", TOKEN_2022];
export const NATIVE_MINTS = [
  "So11111111111111111111111111111111111111112",
  "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP",
];
const SIGNATURE_LAMPORTS = 5_000n;
const UNITS_MAX = 1_400_000n;
/** A transaction whose signatures and priority cost more is refused, whatever the page shows: 0.01 SOL. */
export const NETWORK_LAMPORTS_MAX = 10_000_000n;

export function expect(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new UnexpectedBytesError(reason);
}

/**
 * Checks that nobody signs but the account, and before it at most one of the sponsors as the fee payer. Returns true if one
 * does.
 */
export function checkSigners(signers: readonly string[], account: string, sponsors: readonly string[] = []): boolean {
  const [feePayer] = signers;
  expect(signers.includes(account), "your account does not sign it");
  const isSponsored = feePayer !== account;
  expect(!isSponsored || sponsors.includes(feePayer!), "somebody else signs it too");
  expect(signers.length === (isSponsored ? 2 : 1), "somebody else signs it too");
  return isSponsored;
}

/** Reads a little-endian number. Signed numbers are never negative here, so they read the same. */
export function readUint(data: Uint8Array, at: number, length: number): bigint {
  let value = 0n;
  for (let index = length - 1; index >= 0; index--) value = value * 256n + BigInt(data[at + index]!);
  return value;
}

/** Returns the lamports that the network takes: for the signatures, and for the priority that is asked for. */
export function checkNetworkFee({ signers, instructions, priorityLamports }: ReadTransaction, shown: bigint): bigint {
  const price = { units: 200_000n * BigInt(instructions.length), microLamports: 0n };
  for (const { program, data } of instructions) if (program === COMPUTE_BUDGET) readBudget(data, price);
  const units = price.units < UNITS_MAX ? price.units : UNITS_MAX;
  const priority = priorityLamports ?? (units * price.microLamports + 999_999n) / 1_000_000n;
  const networkLamports = SIGNATURE_LAMPORTS * BigInt(signers.length) + priority;
  expect(networkLamports <= shown, "the network takes more than shown");
  expect(networkLamports <= NETWORK_LAMPORTS_MAX, "the network takes far too much");
  return networkLamports;
}

function readBudget(data: Uint8Array, price: { units: bigint; microLamports: bigint }): void {
  if (data[0] === 2 && data.length === 5) price.units = readUint(data, 1, 4);
  else if (data[0] === 3 && data.length === 9) price.microLamports = readUint(data, 1, 8);
  else expect(data[0] === 4 && data.length === 5, "it asks the network for something unknown");
}
