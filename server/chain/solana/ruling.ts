import { instructionKind, OPERATOR_ACCOUNT_INDEX, PAYMENT_ACCOUNT_INDEX } from "@holdfast/escrow-client";
import type { LandedRuling, RulingMemo } from "../port.ts";
import { MEMO, MEMO_PROGRAMS, type RanInstruction, readData, readText, readTotal } from "./memo.ts";

/** The index of the arbiter in `resolve`. */
const ARBITER_INDEX = 2;

/** Finds the rulings of a transaction that succeeded, each with its memo. */
export function findLandedRulings(
  ran: readonly RanInstruction[],
  { programId, operator }: { readonly programId: string; readonly operator: string },
): readonly LandedRuling[] {
  return ran.flatMap(({ program, accounts, data }) => {
    const bytes = program === programId && accounts[OPERATOR_ACCOUNT_INDEX] === operator ? readData(data) : null;
    const total = bytes !== null && instructionKind(bytes) === "resolve" ? readTotal(bytes) : null;
    const [payment, arbiter] = [accounts[PAYMENT_ACCOUNT_INDEX], accounts[ARBITER_INDEX]];
    if (total === null || payment === undefined || arbiter === undefined) return [];
    return [{ payment, arbiter, total, memo: findMemoOf(ran, arbiter) }];
  });
}

/** The program of memos checks that each account that a memo names has signed, at any depth; its first version does not. */
function findMemoOf(ran: readonly RanInstruction[], arbiter: string): RulingMemo {
  const memos = ran.filter(({ program }) => MEMO_PROGRAMS.has(program));
  const own = memos.filter(({ program, accounts }) => program === MEMO && accounts.includes(arbiter));
  const [memo] = own;
  if (memo === undefined) return { kind: memos.length === 0 ? "none" : "other_signer", text: null };
  if (own.length > 1) return { kind: "several", text: null };
  const bytes = readData(memo.data);
  return { kind: "one", text: bytes && readText(bytes) };
}
