import { instructionKind, namesPayment, OPERATOR_ACCOUNT_INDEX, PAYMENT_ACCOUNT_INDEX } from "@holdfast/escrow-client";
import { getBase58Encoder } from "@solana/kit";
import type { ChainTransaction } from "../port.ts";
import { malformed } from "./fault.ts";
import { readArray, readBlockTime, readFailed, readObject, readText, readWhole, wrong } from "./shapes.ts";

const base58 = getBase58Encoder();
/** No instruction of the program has more than 33 bytes of data (45 characters). */
const dataLengthMax = 64;

interface Ours {
  readonly programId: string;
  readonly operator: string;
}

/** Reads the result of `getTransaction`, null included: what the transaction did to the operator's payments. */
export function readTransaction(result: unknown, signature: string, ours: Ours): ChainTransaction | null {
  if (result === null) return null;
  const answer = readObject(result, "transaction");
  const meta = readObject(answer.meta, "meta");
  const transaction = readObject(answer.transaction, "transaction.transaction");
  if (readArray(transaction.signatures, "signatures")[0] !== signature) throw malformed("another transaction");

  const failed = readFailed(meta, "meta");
  const found = failed ? [] : findPaymentInstructions(readObject(transaction.message, "message"), meta, ours);
  return {
    signature,
    slot: readWhole(answer.slot, "transaction.slot"),
    failed,
    blockTime: readBlockTime(answer.blockTime, "transaction.blockTime"),
    created: unique(found.filter(({ kind }) => kind === "create_payment").map(({ payment }) => payment)),
    touched: unique(found.map(({ payment }) => payment)),
  };
}

function findPaymentInstructions(message: Readonly<Record<string, unknown>>, meta: object, ours: Ours) {
  const keys = readKeys(message, meta);
  return readInstructions(message, meta).flatMap((instruction) => {
    const at = readObject(instruction, "instruction");
    if (keyAt(keys, at.programIdIndex) !== ours.programId) return [];

    const data = readText(at.data, "instruction.data");
    const kind = data.length > dataLengthMax ? null : instructionKind(readBase58(data));
    if (kind === null || !namesPayment(kind)) return [];

    const accounts = readArray(at.accounts, "instruction.accounts");
    if (accounts.length <= PAYMENT_ACCOUNT_INDEX) throw wrong("instruction.accounts");
    if (keyAt(keys, accounts[OPERATOR_ACCOUNT_INDEX]) !== ours.operator) return [];
    return [{ kind, payment: keyAt(keys, accounts[PAYMENT_ACCOUNT_INDEX]) }];
  });
}

/** The order in which instructions count accounts: the message's own, then those from look-up tables, writable before read-only. */
function readKeys(message: Readonly<Record<string, unknown>>, meta: object): readonly unknown[] {
  const own = readArray(message.accountKeys, "accountKeys");
  const { loadedAddresses } = meta as Readonly<Record<string, unknown>>;
  if (loadedAddresses === undefined || loadedAddresses === null) return own;
  const loaded = readObject(loadedAddresses, "loadedAddresses");
  return [...own, ...readArray(loaded.writable, "loaded.writable"), ...readArray(loaded.readonly, "loaded.readonly")];
}

function keyAt(keys: readonly unknown[], index: unknown): string {
  return readText(keys[readWhole(index, "account index")], "account key");
}

/** In the order they ran, as far as the answer tells: each of the message's instructions, then those it called. */
function readInstructions(message: Readonly<Record<string, unknown>>, meta: object): readonly unknown[] {
  // A node that records no inner instructions would hide payments made through other programs: its answer is refused.
  const groups = readArray((meta as Readonly<Record<string, unknown>>).innerInstructions, "innerInstructions");
  const inner = new Map<number, readonly unknown[]>();
  for (const group of groups) {
    const { index, instructions } = readObject(group, "innerInstructions");
    const at = readWhole(index, "innerInstructions.index");
    inner.set(at, [...(inner.get(at) ?? []), ...readArray(instructions, "innerInstructions.instructions")]);
  }
  const top = readArray(message.instructions, "instructions");
  if ([...inner.keys()].some((index) => index >= top.length)) throw wrong("innerInstructions.index");
  return top.flatMap((instruction, index) => [instruction, ...(inner.get(index) ?? [])]);
}

function readBase58(text: string) {
  try {
    return base58.encode(text);
  } catch {
    throw wrong("instruction.data");
  }
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
