import { type Address, getAddressEncoder } from "@solana/kit";
import { findOperatorAddress } from "./addresses.ts";
import { SYSTEM_PROGRAM_ID } from "./constants.ts";
import { dataOf, type ProgramInstruction, readonly, signer, writable, writableSigner } from "./instruction.ts";

const addressBytes = getAddressEncoder();

/** Makes the authority's operator account, with its first arbiter. */
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

/** Names a new arbiter, who takes office on accepting; null withdraws the proposal. */
export async function proposeArbiterInstruction(input: {
  programId: Address;
  authority: Address;
  arbiter: Address | null;
}): Promise<ProgramInstruction> {
  const operator = await findOperatorAddress(input);
  return {
    programAddress: input.programId,
    accounts: [writable(operator), signer(input.authority)],
    data: dataOf("propose_arbiter", addressBytes.encode(input.arbiter ?? SYSTEM_PROGRAM_ID)),
  };
}

export function acceptArbiterInstruction(input: {
  programId: Address;
  operator: Address;
  /** The proposed key. */
  arbiter: Address;
}): ProgramInstruction {
  return {
    programAddress: input.programId,
    accounts: [writable(input.operator), signer(input.arbiter)],
    data: dataOf("accept_arbiter"),
  };
}
