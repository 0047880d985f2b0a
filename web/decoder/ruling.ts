import { toBase58 } from "./base58.ts";
import { readTransaction } from "./message.ts";
import { COMPUTE_BUDGET, checkNetworkFee, checkSigners, expect, NETWORK_LAMPORTS_MAX, readUint } from "./rules.ts";

/** A decision on the page; addresses in base58. */
export interface ShownRuling {
  /** The payment's arbiter, whose wallet signs. */
  readonly arbiter: string;
  readonly programId: string;
  readonly operator: string;
  readonly payment: string;
  /** Digits: the amount that the buyer has in the end. */
  readonly total: string;
  /** SHA-256 of the record in hex digits, as the page has computed it. */
  readonly memo: string;
  /** The network's share that the page shows; default and most: {@link NETWORK_LAMPORTS_MAX}. */
  readonly networkLamports?: bigint;
}

const RESOLVE = 5;
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/** Throws `UnexpectedBytesError` unless the bytes are exactly this ruling with its memo, which the arbiter alone signs. */
export function checkRuling(bytes: Uint8Array, shown: ShownRuling): { readonly networkLamports: bigint } {
  const transaction = readTransaction(bytes);
  const { signers, instructions } = transaction;
  checkSigners(signers, shown.arbiter);
  const acting = instructions.filter(({ program }) => program !== COMPUTE_BUDGET);
  const [ruling, memo] = acting;
  expect(
    ruling?.program === shown.programId && memo?.program === MEMO && acting.length === 2,
    "it is not one decision",
  );
  const { accounts, data } = ruling;
  expect(data[0] === RESOLVE && data.length === 9, "it is another action");
  expect(readUint(data, 1, 8) === BigInt(shown.total), "the total is another");
  expect(accounts[0] === shown.operator, "it is for another site");
  expect(accounts[1] === shown.payment, "it is for another payment");
  expect(accounts.length === 3 && accounts[2] === shown.arbiter, "it needs another wallet");
  expect(memo.accounts.length === 1 && memo.accounts[0] === shown.arbiter, "another wallet signs the memo");
  expect(toBase58(memo.data) === toBase58(new TextEncoder().encode(shown.memo)), "the memo is another text");
  return { networkLamports: checkNetworkFee(transaction, shown.networkLamports ?? NETWORK_LAMPORTS_MAX) };
}
