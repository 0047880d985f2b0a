import { toBase58 } from "./base58.ts";
import { readTransaction } from "./message.ts";
import { COMPUTE_BUDGET, checkNetworkFee, checkSigners, expect, NETWORK_LAMPORTS_MAX } from "./rules.ts";

/** The acts that bind, in the words of the texts. */
const ACTS = {
  offer: "Offer to end the dispute with these amounts. The shop can accept.",
  accept_offer: "Accept the shop's offer, and end the dispute with these amounts.",
};

/** What a text that a wallet signs must say, by the page. */
export interface ShownProof {
  readonly host: string;
  readonly genesis: string;
  readonly operator: string;
  readonly payment: string;
  readonly nonce: string;
  /** In RFC 3339. */
  readonly expiresAt: string;
  /** Null: the text opens a session, and binds nothing. */
  readonly agreement: {
    readonly act: keyof typeof ACTS;
    /** Null: the text makes the offer. */
    readonly offer: string | null;
    readonly amount: string;
    readonly decimals: number;
    readonly total: string;
    readonly refundTotal: string;
    readonly until: string;
  } | null;
}

/** Formats an amount as the texts have it: "12.5" for 12500000 with 6 decimals. */
function tokens(digits: string, decimals: number): string {
  const whole = digits.length > decimals ? digits.slice(0, digits.length - decimals) : "0";
  let fraction = decimals === 0 ? "" : digits.padStart(decimals, "0").slice(-decimals);
  while (fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

const seconds = (time: string): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Writes the text that a wallet may sign, without any of the server's. */
export function writeProof({ host, genesis, operator, payment, nonce, expiresAt, agreement }: ShownProof): string {
  const lines = ["Holdfast", `Host: ${host}`, `Genesis: ${genesis}`, `Operator: ${operator}`, `Payment: ${payment}`];
  if (agreement === null)
    lines.push("Act: Write in the dispute about this payment from this browser. This moves no money.");
  else lines.push(`Act: ${ACTS[agreement.act]}`);
  lines.push(`Nonce: ${nonce}`);
  if (agreement !== null) {
    const { offer, amount, decimals, total, refundTotal, until } = agreement;
    if (offer !== null) lines.push(`Offer: ${offer}`);
    lines.push(`You have in the end: ${tokens(total, decimals)}`);
    lines.push(`The shop has in the end: ${tokens(String(BigInt(amount) - BigInt(total)), decimals)}`);
    lines.push(`Total: ${total}`, `Refund total now: ${refundTotal}`, `Until: ${seconds(until)}`);
  }
  lines.push(`Sign before: ${seconds(expiresAt)}`);
  return lines.join("\n");
}

/** Throws `UnexpectedBytesError` unless a text of the server is, byte for byte, the one that the page writes. */
export const checkProof = (text: string, shown: ShownProof): void =>
  expect(text === writeProof(shown), "the text is another");

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/** Throws `UnexpectedBytesError` unless the transaction writes this text as a memo of the account, and does nothing else. */
export function checkMemo(
  bytes: Uint8Array,
  { account, text }: { readonly account: string; readonly text: string },
): void {
  const transaction = readTransaction(bytes);
  const { signers, instructions } = transaction;
  checkSigners(signers, account);
  const memos = instructions.filter(({ program }) => program === MEMO);
  expect(memos.length === 1, "it is not one memo");
  expect(
    instructions.every(({ program }) => program === MEMO || program === COMPUTE_BUDGET),
    "it does more than to write a memo",
  );
  const { accounts, data } = memos[0]!;
  expect(accounts.length === 1 && accounts[0] === account, "another wallet signs the memo");
  expect(toBase58(data) === toBase58(new TextEncoder().encode(text)), "the memo is another text");
  checkNetworkFee(transaction, NETWORK_LAMPORTS_MAX);
}
