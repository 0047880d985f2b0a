import { instructionKind, namesPayment, OPERATOR_ACCOUNT_INDEX, PAYMENT_ACCOUNT_INDEX } from "@holdfast/escrow-client";
import { getBase58Encoder } from "@solana/kit";
import type { ChainTransaction } from "../port.ts";
import { findLandedMemo, MEMO_PROGRAMS, type RanInstruction } from "./memo.ts";
import { malformed } from "./nodeError.ts";
import { findLandedRulings } from "./ruling.ts";
import { parseArray, parseBlockTime, parseFailed, parseInteger, parseObject, parseText, wrong } from "./shapes.ts";

const base58 = getBase58Encoder();
/** No instruction of the program has more than the 90 bytes of data of create_payment (123 characters). */
const DATA_LENGTH_MAX = 128;

interface Ours {
  readonly programId: string;
  readonly operator: string;
}

/** Parses the result of `getTransaction`, null included, into its effect on the operator's payments. */
export function parseTransaction(result: unknown, signature: string, ours: Ours): ChainTransaction | null {
  if (result === null) return null;
  const answer = parseObject(result, "transaction");
  const meta = parseObject(answer.meta, "meta");
  const transaction = parseObject(answer.transaction, "transaction.transaction");
  if (parseArray(transaction.signatures, "signatures")[0] !== signature) throw malformed("another transaction");

  const failed = parseFailed(meta, "meta");
  const message = parseObject(transaction.message, "message");
  const found = failed ? [] : findPaymentInstructions(message, meta, ours);
  const memo = failed ? null : findMemo(message, meta, ours);
  const rulings = found.some(({ kind }) => kind === "resolve") ? findLandedRulings(parseRan(message, meta), ours) : [];
  return {
    signature,
    slot: parseInteger(answer.slot, "transaction.slot"),
    failed,
    blockTime: parseBlockTime(answer.blockTime, "transaction.blockTime"),
    created: unique(found.filter(({ kind }) => kind === "create_payment").map(({ payment }) => payment)),
    touched: unique(found.map(({ payment }) => payment)),
    ...(memo === null ? {} : { memo }),
    ...(rulings.length === 0 ? {} : { rulings }),
  };
}

function findMemo(message: Readonly<Record<string, unknown>>, meta: object, ours: Ours) {
  const keys = parseKeys(message, meta);
  // Few transactions have a memo, and none of the others needs more than this look.
  if (!keys.some((key) => MEMO_PROGRAMS.has(String(key)))) return null;
  const { numRequiredSignatures } = parseObject(message.header, "message.header");
  const signers = keys.slice(0, parseInteger(numRequiredSignatures, "message.header")).map(String);
  return findLandedMemo(parseRan(message, meta), new Set(signers), ours);
}

function parseRan(message: Readonly<Record<string, unknown>>, meta: object): RanInstruction[] {
  const keys = parseKeys(message, meta);
  const own = new Set(parseArray(message.instructions, "instructions"));
  return parseInstructions(message, meta).map((instruction) => {
    const { programIdIndex, accounts, data } = parseObject(instruction, "instruction");
    return {
      program: keyAt(keys, programIdIndex),
      accounts: parseArray(accounts, "instruction.accounts").map((index) => keyAt(keys, index)),
      data: parseText(data, "instruction.data"),
      isInner: !own.has(instruction),
    };
  });
}

function findPaymentInstructions(message: Readonly<Record<string, unknown>>, meta: object, ours: Ours) {
  const keys = parseKeys(message, meta);
  return parseInstructions(message, meta).flatMap((instruction) => {
    const at = parseObject(instruction, "instruction");
    if (keyAt(keys, at.programIdIndex) !== ours.programId) return [];

    const data = parseText(at.data, "instruction.data");
    const kind = data.length > DATA_LENGTH_MAX ? null : instructionKind(parseBase58(data));
    if (kind === null || !namesPayment(kind)) return [];

    const accounts = parseArray(at.accounts, "instruction.accounts");
    if (accounts.length <= PAYMENT_ACCOUNT_INDEX) throw wrong("instruction.accounts");
    if (keyAt(keys, accounts[OPERATOR_ACCOUNT_INDEX]) !== ours.operator) return [];
    return [{ kind, payment: keyAt(keys, accounts[PAYMENT_ACCOUNT_INDEX]) }];
  });
}

/** Instructions count accounts in this order: the message's own, then those from look-up tables, writable before read-only. */
function parseKeys(message: Readonly<Record<string, unknown>>, meta: object): readonly unknown[] {
  const own = parseArray(message.accountKeys, "accountKeys");
  const { loadedAddresses } = meta as Readonly<Record<string, unknown>>;
  if (loadedAddresses === undefined || loadedAddresses === null) return own;
  const loaded = parseObject(loadedAddresses, "loadedAddresses");
  return [...own, ...parseArray(loaded.writable, "loaded.writable"), ...parseArray(loaded.readonly, "loaded.readonly")];
}

function keyAt(keys: readonly unknown[], index: unknown): string {
  return parseText(keys[parseInteger(index, "account index")], "account key");
}

/**
 * Returns the instructions in the order they ran, as far as the answer shows it: each of the message's, then those it
 * called.
 */
function parseInstructions(message: Readonly<Record<string, unknown>>, meta: object): readonly unknown[] {
  // A node that records no inner instructions would hide payments made through other programs: its answer is refused.
  const groups = parseArray((meta as Readonly<Record<string, unknown>>).innerInstructions, "innerInstructions");
  const inner = new Map<number, readonly unknown[]>();
  for (const group of groups) {
    const { index, instructions } = parseObject(group, "innerInstructions");
    const at = parseInteger(index, "innerInstructions.index");
    inner.set(at, [...(inner.get(at) ?? []), ...parseArray(instructions, "innerInstructions.instructions")]);
  }
  const top = parseArray(message.instructions, "instructions");
  if ([...inner.keys()].some((index) => index >= top.length)) throw wrong("innerInstructions.index");
  return top.flatMap((instruction, index) => [instruction, ...(inner.get(index) ?? [])]);
}

function parseBase58(text: string) {
  try {
    return base58.encode(text);
  } catch {
    throw wrong("instruction.data");
  }
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
