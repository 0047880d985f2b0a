import { findProgramError, type ProgramErrorName, SYSTEM_PROGRAM_ID, TOKEN_PROGRAM_IDS } from "@holdfast/escrow-client";
import { isAddress } from "@solana/kit";

/**
 * Why a simulation stopped: at one of the instructions, or before any of them (the fee payer, the blockhash). `overtaken`:
 * at an instruction that has nothing to do any more, since somebody else was first.
 */
export type Stop =
  | { readonly kind: "instruction" | "overtaken"; readonly index: number; readonly reason: string }
  | { readonly kind: "fee_payer" | "transaction"; readonly reason: string };

/** The errors of the token programs that an escrow's payout can meet; the others are shown by their number. */
const TOKEN_ERRORS: Readonly<Record<number, string>> = {
  1: "insufficient funds",
  3: "the account is of another mint",
  4: "the account has another owner",
  13: "the account is in the wrong state",
  17: "the account is frozen",
};

const INSUFFICIENT_LAMPORTS = 1;

/** The payout is done, or the payment took another way than the caller knew. */
const OVERTAKEN: readonly ProgramErrorName[] = [
  "already_paid_out",
  "nothing_due",
  "already_disputed",
  "payment_closed",
];

/** Parses `err` and `logs` of a simulation. The reason holds only our own words and names that are plain identifiers. */
export function parseStop(error: unknown, logs: unknown, programId: string): Stop {
  const [index, detail] = instructionError(error);
  if (index === null) {
    const name = nameOf(error);
    return { kind: /Funds|AccountNotFound/.test(name) ? "fee_payer" : "transaction", reason: name };
  }
  const code = customCode(detail);
  if (code === null) return { kind: "instruction", index, reason: nameOf(detail) };

  const program = failedProgram(logs) ?? programId;
  // Only the fee payer ever pays lamports here, so the payment itself is not at fault.
  if (program === SYSTEM_PROGRAM_ID && code === INSUFFICIENT_LAMPORTS) {
    return { kind: "fee_payer", reason: "it has too little SOL for a token account" };
  }
  const ours = program === programId ? findProgramError(code) : null;
  const kind = ours !== null && OVERTAKEN.includes(ours.name) ? "overtaken" : "instruction";
  return { kind, index, reason: explain(program, code, programId) };
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

/** The first program to report a failure is the innermost: the one whose code it is. */
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
