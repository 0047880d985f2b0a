import { createHash } from "node:crypto";
import {
  decodePaymentAccount,
  findOperatorAddress,
  findProgramDataAddress,
  OPERATOR_ACCOUNT_SIZE,
  PROGRAM_DATA_HEAD_SIZE,
  SYSTEM_PROGRAM_ID,
  UPGRADEABLE_LOADER_ID,
} from "@holdfast/escrow-client";
import { type Address, getAddressDecoder } from "@solana/kit";
import type { Deployment, OperatorAtAddress, ProgramAtAddress } from "../deployment.ts";
import { fetchRawAccounts, type RawAccount } from "./account.ts";
import { malformed } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";

/** Loaders under which a program never changes: the program is the account itself. */
const FINAL_LOADERS = ["BPFLoader2111111111111111111111111111111111", "BPFLoader1111111111111111111111111111111111"];

const PROGRAM_DATA_KIND = 3;
/** One byte more than an operator account has, so that a longer account is not taken for one. */
const READ_BYTES = OPERATOR_ACCOUNT_SIZE + 1;

interface Addresses {
  readonly programId: string;
  readonly operator: string;
}

export async function fetchDeploymentFrom(
  session: NodeSession,
  { programId, operator }: Addresses,
): Promise<{ slot: number; value: Deployment }> {
  const ofIt = await findOperatorAddress({ programId: programId as Address, authority: operator as Address });
  const asked = [programId, await findProgramDataAddress(programId as Address), operator, ofIt];
  const dataSlice = { offset: 0, length: READ_BYTES };
  const { slot, value } = await fetchRawAccounts(session, asked, dataSlice);
  session.acceptSlot(slot);
  // A node that is behind would show outdated keys.
  session.acceptAbsence(slot);
  const [program, programData, operatorAccount, operatorOfIt] = value;
  const deployment = {
    program: parseProgram(program ?? null, programData ?? null),
    operator: parseOperator(
      operatorAccount ?? null,
      isOperator(operatorOfIt ?? null, programId) ? ofIt : null,
      programId,
    ),
  };
  return { slot, value: deployment };
}

/** SHA-256 of the deployed file without the zeros that fill it up, as 64 hex digits. */
export async function fetchProgramHashFrom(
  session: NodeSession,
  programId: string,
): Promise<{ slot: number; value: string }> {
  const asked = [programId, await findProgramDataAddress(programId as Address)];
  const { slot, value } = await fetchRawAccounts(session, asked);
  session.acceptSlot(slot);
  // A node that is behind would show outdated keys.
  session.acceptAbsence(slot);
  const [program, programData] = value;
  const file =
    program?.owner === UPGRADEABLE_LOADER_ID ? programData?.data.subarray(PROGRAM_DATA_HEAD_SIZE) : program?.data;
  if (file === undefined) throw malformed("no program");
  let end = file.length;
  while (end > 0 && file[end - 1] === 0) end--;
  return { slot, value: createHash("sha256").update(file.subarray(0, end)).digest("hex") };
}

function parseProgram(program: RawAccount | null, programData: RawAccount | null): ProgramAtAddress {
  if (program === null) return { kind: "nothing" };
  if (program.owner === SYSTEM_PROGRAM_ID) return { kind: "wallet" };
  if (!program.executable) return { kind: "account" };
  if (FINAL_LOADERS.includes(program.owner)) return { kind: "program", upgradeAuthority: null, deployedSlot: 0 };
  if (program.owner !== UPGRADEABLE_LOADER_ID) return { kind: "program_of_unknown_loader" };
  if (programData === null || programData.owner !== UPGRADEABLE_LOADER_ID) return { kind: "closed_program" };
  const { data } = programData;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < PROGRAM_DATA_HEAD_SIZE || view.getUint32(0, true) !== PROGRAM_DATA_KIND)
    return { kind: "closed_program" };
  const hasAuthority = data[12] === 1;
  return {
    kind: "program",
    upgradeAuthority: hasAuthority ? getAddressDecoder().decode(data, 13) : null,
    deployedSlot: Number(view.getBigUint64(4, true)),
  };
}

function parseOperator(account: RawAccount | null, operatorOfIt: string | null, programId: string): OperatorAtAddress {
  if (account === null) return { kind: "nothing", operatorOfIt };
  if (account.executable) return { kind: "program", operatorOfIt };
  if (account.owner === SYSTEM_PROGRAM_ID) return { kind: "wallet", operatorOfIt };
  if (account.owner !== programId) return { kind: "account", operatorOfIt };
  const decoded = decodePaymentAccount(account.data);
  if (decoded?.kind !== "operator") return { kind: "payment", operatorOfIt };
  const { kind, authority, arbiter, pendingAuthority, pendingArbiter } = decoded;
  return { kind, authority, arbiter, pendingAuthority, pendingArbiter };
}

const isOperator = (account: RawAccount | null, programId: string): boolean =>
  account?.owner === programId && decodePaymentAccount(account.data)?.kind === "operator";
