import type { ProgramInstruction } from "@holdfast/escrow-client";
import { isSignerRole, isWritableRole } from "@solana/kit";
import type { PlainInstruction } from "../acts.ts";

/** An instruction in the form that a multisignature's tools take. */
export const showPlain = ({ programAddress, accounts, data }: ProgramInstruction): PlainInstruction => ({
  programId: programAddress,
  accounts: accounts.map(({ address, role }) => ({
    address,
    signer: isSignerRole(role),
    writable: isWritableRole(role),
  })),
  data: Buffer.from(data).toString("base64"),
});
