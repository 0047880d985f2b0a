import { readTransaction } from "./message.ts";
import { COMPUTE_BUDGET, expect } from "./rules.ts";

/** An instruction as wallets of several signers take it. */
export interface PlainInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[];
  /** Base64. */
  readonly data: string;
}

/**
 * Throws `UnexpectedBytesError` unless the plain form has the instructions of a transaction that was checked, and no
 * further rights. It leaves out those that price the transaction: nothing here bounds another price.
 */
export function checkPlainForm(bytes: Uint8Array, plain: readonly PlainInstruction[]): void {
  const { instructions, signers, writable } = readTransaction(bytes);
  const unpriced = instructions.filter(({ program }) => program !== COMPUTE_BUDGET);
  expect(plain.length === unpriced.length, "its plain form is another");
  plain.forEach(({ programId, accounts, data }, at) => {
    const expected = unpriced[at]!;
    const isSame =
      programId === expected.program &&
      data === btoa(String.fromCharCode(...expected.data)) &&
      accounts.length === expected.accounts.length &&
      accounts.every(({ address }, index) => address === expected.accounts[index]);
    expect(isSame, "its plain form is another");
    const hasMore = accounts.some(
      (one) => (one.signer && !signers.includes(one.address)) || (one.writable && !writable.has(one.address)),
    );
    expect(!hasMore, "its plain form asks for more rights");
  });
}
