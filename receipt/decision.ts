import {
  canonicalJson,
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  PAYMENT_ACCOUNT_INDEX,
  sha256Of,
} from "@holdfast/escrow-client";
import type { NodeInstruction } from "./nodes.ts";
import { compare, type Difference, FORM, isObject, type Receipt, type ReceiptDecision, show } from "./receipt.ts";

/** The decision of a receipt in which nothing differs. */
export interface CheckedDecision {
  readonly memo: ReceiptDecision["memo"];
  /** The record in the file has the hash; `absent`: the file has no record to compare; null: the memo names none. */
  readonly record: "agrees" | "absent" | null;
  /** The nodes that have the ruling's transaction, and show this memo and total. */
  readonly nodes: number;
}

export const describeDecision = ({ decision }: Receipt, nodes: number): CheckedDecision | null =>
  decision && {
    memo: decision.memo,
    record: decision.memo !== "record" ? null : decision.record === null ? "absent" : "agrees",
    nodes,
  };

/** The program of memos, which checks that each account that a memo names has signed; and its first version, which does not. */
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const MEMO_PROGRAMS: readonly string[] = [MEMO, "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"];
const ARBITER_INDEX = 2;
const HASH = /^[0-9a-f]{64}$/;
const RULED: readonly (string | null)[] = ["resolved", "refunded_by_recipient"];

/** Compares the decision with the payment, and the record with its hash. */
export async function checkDecision({ decision, payment, chain, transactions }: Receipt): Promise<Difference[]> {
  if (decision === null) return [];
  const differences: Difference[] = [];
  const { memo, total, sha256, transaction, record } = decision;
  const differ = (field: string, receipt: unknown, found: string, where: string) =>
    void differences.push({ field: `decision.${field}`, receipt: show(receipt), found, where });
  if (!RULED.includes(payment.outcome)) differ("memo", memo, "no ruling", "the payment's outcome");
  if (BigInt(total) > BigInt(payment.refundTotal)) differ("total", total, payment.refundTotal, "payment.refundTotal");
  if (!transactions.some(({ kind, signature }) => kind === "decided" && signature === transaction))
    differ("transaction", transaction, "nothing", "transactions");
  if (memo === "record" ? sha256 === null : memo !== "unknown" && sha256 !== null)
    differ("sha256", sha256, `the memo "${memo}"`, FORM);
  if (record === null) return differences;
  if (memo !== "record") differ("record", record, "no record of this service", FORM);
  differences.push(...compare(sha256, await sha256Of(record), "SHA-256 of the record", "decision.sha256"));
  const said = parseRecord(record);
  if (said === null) differ("record", record, "canonical JSON", FORM);
  else {
    const named = { genesis: said.genesis, operator: said.operator, payment: said.payment, total: said.total };
    const own = { genesis: chain.genesisHash, operator: chain.operator, payment: payment.address, total };
    const arbiter =
      payment.arbiter === null ? [] : compare(payment.arbiter, said.arbiter, "the record", "payment.arbiter");
    differences.push(...compare(own, named, "the record", "decision"), ...arbiter);
  }
  return differences;
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && canonicalJson(value as never) === text ? value : null;
  } catch {
    // It is not JSON, or has no canonical form.
    return null;
  }
}

/** Compares the decision with the ruling of its transaction, as a node shows it. */
export function compareRuling(
  { decision, payment, chain }: Receipt,
  instructions: readonly NodeInstruction[],
  where: string,
): Difference[] {
  const ruling = instructions.find(
    ({ program, accounts, data }) =>
      program === chain.programId &&
      accounts[OPERATOR_ACCOUNT_INDEX] === chain.operator &&
      accounts[PAYMENT_ACCOUNT_INDEX] === payment.address &&
      data.length === 9 &&
      instructionKind(data) === "resolve",
  );
  if (decision === null) return [];
  if (ruling === undefined)
    return [{ field: "decision", receipt: "a ruling", found: "a transaction without it", where }];
  const { memo, total, sha256 } = decision;
  const found = memoOf(instructions, ruling.accounts[ARBITER_INDEX] ?? "");
  const isText = found.kind === "one" && (memo === "record" || memo === "unknown");
  const onChain = {
    memo: isText ? memo : found.kind === "one" ? "unknown" : found.kind,
    total: new DataView(ruling.data.buffer, ruling.data.byteOffset).getBigUint64(1, true).toString(),
    sha256: found.text !== null && HASH.test(found.text) ? found.text : null,
  };
  return compare({ memo, total, sha256 }, onChain, where, "decision");
}

type Found = { readonly kind: "one" | "none" | "other_signer" | "several"; readonly text: string | null };

function memoOf(instructions: readonly NodeInstruction[], arbiter: string): Found {
  const memos = instructions.filter(({ program }) => MEMO_PROGRAMS.includes(program));
  const own = memos.filter(({ program, accounts }) => program === MEMO && accounts.includes(arbiter));
  const [memo] = own;
  if (memo === undefined) return { kind: memos.length === 0 ? "none" : "other_signer", text: null };
  return own.length > 1 ? { kind: "several", text: null } : { kind: "one", text: new TextDecoder().decode(memo.data) };
}
