import { findProgramError, type ProgramErrorName, TOKEN_PROGRAM_IDS } from "@holdfast/escrow-client";
import { isAddress } from "@solana/kit";

/**
 * The reason why a simulation failed. `instruction`: at one of the instructions. `overtaken`: at an instruction that
 * another transaction has already done. `fee_payer`: it cannot pay. `blockhash`: the node does not know it. `processed`: the
 * node has this very transaction already. `transaction`: any other fault of the transaction as a whole, which an account of any of its payments can cause.
 */
export type Stop =
  | { readonly kind: "instruction"; readonly index: number; readonly reason: string }
  | { readonly kind: "overtaken"; readonly index: number; readonly name: ProgramErrorName; readonly reason: string }
  | { readonly kind: "fee_payer" | "blockhash" | "processed" | "transaction"; readonly reason: string };

/** The token program errors that an escrow's payout can meet; others are shown by their number. */
const TOKEN_ERRORS: Readonly<Record<number, string>> = {
  1: "insufficient funds",
  3: "the account is of another mint",
  4: "the account has another owner",
  13: "the account is in the wrong state",
  17: "the account is frozen",
  36: "the account asks for a memo with each transfer",
};

/** The payout is done, or the payment's state is not the one the caller knew. */
const OVERTAKEN: readonly ProgramErrorName[] = [
  "already_paid_out",
  "nothing_due",
  "already_disputed",
  "payment_closed",
];

/** Parses `err` and `logs` of a simulation. The reason holds only our own words and names that are plain identifiers. */
export function parseStop(error: unknown, logs: unknown, programId: string): Stop {
  const [index, detail] = instructionError(error);
  if (index === null) return { kind: kindOf(error), reason: nameOf(error) };
  const code = customCode(detail);
  if (code === null) return { kind: "instruction", index, reason: nameOf(detail) };

  const program = failedProgram(logs) ?? programId;
  const ours = program === programId ? findProgramError(code) : null;
  const reason = explain(program, code, programId);
  return ours !== null && OVERTAKEN.includes(ours.name)
    ? { kind: "overtaken", index, name: ours.name, reason }
    : { kind: "instruction", index, reason };
}

/** Only these are the fee payer's fault. It is account 0: another account left without its rent may belong to a payment. */
function kindOf(error: unknown): "fee_payer" | "blockhash" | "processed" | "transaction" {
  if (error === "BlockhashNotFound") return "blockhash";
  if (error === "AlreadyProcessed") return "processed";
  if (error === "InsufficientFundsForFee" || error === "AccountNotFound") return "fee_payer";
  const rent =
    typeof error === "object" && error !== null && "InsufficientFundsForRent" in error
      ? error.InsufficientFundsForRent
      : null;
  const isItsRent = typeof rent === "object" && rent !== null && "account_index" in rent && rent.account_index === 0;
  return isItsRent ? "fee_payer" : "transaction";
}

function explain(program: string, code: number, programId: string): string {
  const ours = findProgramError(code);
  if (program === programId && ours !== null) return `${ours.name}: ${ours.message}`;
  if (TOKEN_PROGRAM_IDS.some((token) => token === program)) {
    return `token program error ${code}${TOKEN_ERRORS[code] === undefined ? "" : `: ${TOKEN_ERRORS[code]}`}`;
  }
  return `error ${code} of program ${program}`;
}

/** `{ InstructionError: [index, detail] }` */
function instructionError(error: unknown): [number, unknown] | [null, null] {
  const pair =
    typeof error === "object" && error !== null && "InstructionError" in error ? error.InstructionError : null;
  return Array.isArray(pair) && Number.isSafeInteger(pair[0]) ? [pair[0], pair[1]] : [null, null];
}

/** `{ Custom: code }` */
function customCode(detail: unknown): number | null {
  const code = typeof detail === "object" && detail !== null && "Custom" in detail ? detail.Custom : null;
  return typeof code === "number" ? code : null;
}

/** The first program to report a failure is the innermost: the error code is its own. */
function failedProgram(logs: unknown): string | null {
  for (const line of Array.isArray(logs) ? logs : []) {
    const program = /^Program (\w{32,44}) failed: /.exec(String(line))?.[1];
    if (program !== undefined) return isAddress(program) ? program : null;
  }
  return null;
}

/** `"BlockhashNotFound"` or `{ InsufficientFundsForRent: { … } }` */
function nameOf(error: unknown): string {
  const name = typeof error === "object" && error !== null ? Object.keys(error)[0] : error;
  return typeof name === "string" && /^\w{1,60}$/.test(name) ? name : "an unknown error";
}
