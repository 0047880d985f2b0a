import { type Address, getAddressEncoder } from "@solana/kit";
import { findOperatorAddress } from "./addresses.ts";
import { SYSTEM_PROGRAM_ID } from "./constants.ts";
import { dataOf, type ProgramInstruction, readonly, signer, writable, writableSigner } from "./instruction.ts";

const addressBytes = getAddressEncoder();
/** Zeros stand for "none", and withdraw a proposal. */
const NO_KEY = SYSTEM_PROGRAM_ID;

/** Creates the authority's operator account, with its first arbiter. */
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

/** The index is the number the program takes. */
export const ROLES = ["authority", "arbiter"] as const;
export type Role = (typeof ROLES)[number];

/** Names a new authority or arbiter, who takes office on accepting; null withdraws the proposal. */
export function proposeInstruction(input: {
  programId: Address;
  /** The operator's address: it does not follow from the authority once that was replaced. */
  operator: Address;
  authority: Address;
  role: Role;
  key: Address | null;
}): ProgramInstruction {
  return {
    programAddress: input.programId,
    accounts: [writable(input.operator), signer(input.authority)],
    data: dataOf("propose", Uint8Array.of(ROLES.indexOf(input.role)), addressBytes.encode(input.key ?? NO_KEY)),
  };
}

/** The proposed key takes office. A new authority clears both proposals; a new arbiter has the payments made from then on. */
export function acceptInstruction(input: {
  programId: Address;
  operator: Address;
  role: Role;
  /** The proposed key. */
  key: Address;
}): ProgramInstruction {
  return {
    programAddress: input.programId,
    accounts: [writable(input.operator), signer(input.key)],
    data: dataOf("accept", Uint8Array.of(ROLES.indexOf(input.role))),
  };
}
