import { expect } from "./rules.ts";

/** The service's answer with a transaction to sign. Amounts in digits. */
export interface BuiltTransaction {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly fee: {
    readonly networkLamports: string;
    /** Of a payment alone, as its vault. */
    readonly recordLamports?: string;
    readonly vaultLamports?: string;
    readonly tokenAccountLamports: string;
    readonly totalLamports: string;
  };
  /** True if the site pays the cost. */
  readonly sponsored: boolean;
  /** True if it needs a seat of a payment link, which only what is handed in holds. */
  readonly seated?: boolean;
}

interface Checked {
  readonly networkLamports: bigint;
  readonly isSponsored?: boolean;
  /** True if it makes a token account, at the cost of the wallet that pays the rents. */
  readonly makesTokenAccount?: boolean;
  /** True if it makes a payment, whose record and vault have deposits. */
  readonly makesPayment?: boolean;
}

/** Solana has never asked more than 6,960 lamports for a byte of an account, and adds 128 bytes to the record's 312. */
const RECORD_LAMPORTS_MAX = 3_062_400n;
/** The same for a token account, which has 165 bytes and those of its extensions: 512 at most. */
const TOKEN_ACCOUNT_LAMPORTS_MAX = 4_454_400n;

/**
 * Throws `UnexpectedBytesError` unless the rules of the act take the bytes, and the answer's cost is that of the bytes. The page shows the sum; the bytes reveal only the network's part, and the accounts that are made.
 */
export function checkBuilt(
  { transaction, fee, sponsored }: BuiltTransaction,
  check: (bytes: Uint8Array, networkLamports: bigint) => Checked,
): void {
  const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
  const network = BigInt(fee.networkLamports);
  const { isSponsored = false, makesTokenAccount = false, makesPayment = false } = check(bytes, network);
  expect(sponsored === isSponsored, "somebody else pays its cost");
  const tokenAccount = BigInt(fee.tokenAccountLamports);
  const isWithin = (cost: bigint, max: bigint) => cost > 0n && cost <= max;
  // A sponsor pays for no such account.
  const isNamed = makesTokenAccount
    ? !sponsored && isWithin(tokenAccount, TOKEN_ACCOUNT_LAMPORTS_MAX)
    : tokenAccount === 0n;
  expect(isNamed, "its cost is not that of the token account that it makes");
  let total = network + tokenAccount;
  for (const [deposit, max] of [
    [fee.recordLamports, RECORD_LAMPORTS_MAX],
    [fee.vaultLamports, TOKEN_ACCOUNT_LAMPORTS_MAX],
  ] as const) {
    expect((deposit !== undefined) === makesPayment, "its deposits are not those of what it makes");
    if (deposit === undefined) continue;
    expect(isWithin(BigInt(deposit), max), "its deposit is beyond all reason");
    total += BigInt(deposit);
  }
  expect(sponsored || total === BigInt(fee.totalLamports), "its cost does not add up");
}
