import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
} from "@solana/kit";

const LOOKUP_PROGRAM = address("AddressLookupTab1e1111111111111111111111111");

export interface NewLookupTable {
  /** Signs and pays. */
  readonly authority: Address;
  /** A slot before the running one, not more than 150 back. */
  readonly recentSlot: number;
  /** At most 25, as far as a transaction's size goes. */
  readonly addresses: readonly Address[];
}

/** The instructions that make an address look-up table and fill it. It serves transactions from the next slot on. */
export async function draftLookupTable({ authority, recentSlot, addresses }: NewLookupTable) {
  const slot = getU64Encoder().encode(BigInt(recentSlot));
  const seeds = [getAddressEncoder().encode(authority), slot];
  const [table, bump] = await getProgramDerivedAddress({ programAddress: LOOKUP_PROGRAM, seeds });
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: authority, role: AccountRole.READONLY_SIGNER },
    { address: authority, role: AccountRole.WRITABLE_SIGNER },
    { address: SYSTEM_PROGRAM_ID, role: AccountRole.READONLY },
  ];
  const count = getU64Encoder().encode(BigInt(addresses.length));
  const keys = addresses.flatMap((one) => [...getAddressEncoder().encode(one)]);
  const create = { programAddress: LOOKUP_PROGRAM, accounts, data: Uint8Array.from([0, 0, 0, 0, ...slot, bump]) };
  const extend = { programAddress: LOOKUP_PROGRAM, accounts, data: Uint8Array.from([2, 0, 0, 0, ...count, ...keys]) };
  const instructions: Instruction[] = [create, extend];
  return { table, instructions };
}
