// Compares the bytes that a wallet is about to sign with the values on the page. It shares no code with the server that
// built them, and it refuses every unknown element: a payment needs few instructions, and no other may move tokens or SOL.
import { toBase58 } from "./base58.ts";
import { type ReadInstruction, readTransaction, UnexpectedBytesError } from "./message.ts";
import {
  ASSOCIATED_TOKEN,
  COMPUTE_BUDGET,
  checkNetworkFee,
  checkSigners,
  expect,
  NATIVE_MINTS,
  NETWORK_LAMPORTS_MAX,
  readUint,
  SYSTEM,
  TOKEN_PROGRAMS,
} from "./rules.ts";

export {
  type ActionName,
  type CheckedAction,
  checkAction,
  isActionName,
  type ShownAction,
  signerOf,
} from "./action.ts";
export { type BuiltTransaction, checkBuilt } from "./checkBuilt.ts";
export { checkPlainForm, type PlainInstruction } from "./plainForm.ts";
export { checkMemo, checkProof, type ShownProof } from "./proof.ts";
export { checkRuling } from "./ruling.ts";
export { NETWORK_LAMPORTS_MAX, toBase58, UnexpectedBytesError };

/** The values on the page; addresses in base58. */
export interface ShownPayment {
  /** The account that the wallet signs with. */
  readonly account: string;
  readonly programId: string;
  readonly operator: string;
  readonly recipient: string;
  readonly mint: string;
  /** Null: the page does not know the mint's program; then either token program is allowed. */
  readonly tokenProgram: string | null;
  /** Digits. */
  readonly amount: string;
  readonly period: number;
  /** Digits. */
  readonly paymentId: string;
  readonly arbiter: string;
  /** In seconds; the program may not accept the payment later. */
  readonly expiresAt: number;
  /** Hex of the terms text that the page got. */
  readonly termsHash: string;
  /** Wallets of the site, one of which may pay fee and rents instead of the account; default none. */
  readonly sponsors?: readonly string[];
  /** The network's share that the page shows; never more than {@link NETWORK_LAMPORTS_MAX}. */
  readonly networkLamports: bigint;
}

export interface CheckedPayment {
  /** The last second at which the program accepts the payment. */
  readonly notAfter: number;
  readonly networkLamports: bigint;
  /** True if one of the sponsors pays fee and rents, and the account nothing. */
  readonly isSponsored: boolean;
  /** True if it makes the recipient's token account, at the cost of the wallet that pays the rents. */
  readonly makesTokenAccount: boolean;
  /** Its record and its vault have deposits. */
  readonly makesPayment: true;
}

const CREATE_PAYMENT = 3;

/** Throws {@link UnexpectedBytesError} unless the bytes make exactly the payment shown, and nothing else. */
export function checkTransaction(bytes: Uint8Array, shown: ShownPayment): CheckedPayment {
  const transaction = readTransaction(bytes);
  const { signers, instructions } = transaction;
  const isSponsored = checkSigners(signers, shown.account, shown.sponsors);
  // The fee payer pays the rents, too.
  const payers = [signers[0]!];
  const payments = instructions.filter(({ program }) => program === shown.programId);
  expect(payments.length === 1, "it does not make exactly one payment");
  const { notAfter, tokenProgram, source } = checkPayment(payments[0]!, shown, payers);
  const owners = checkTokenAccounts(instructions, shown, { tokenProgram, source, payers });
  let wrapped = 0n;
  for (const instruction of instructions) {
    const { program, accounts, data } = instruction;
    if ([shown.programId, ASSOCIATED_TOKEN, COMPUTE_BUDGET].includes(program)) continue;
    if (program === SYSTEM) {
      // SOL is wrapped in the payment's source account, and leaves it at once.
      expect(NATIVE_MINTS.includes(shown.mint) && data.length === 12 && readUint(data, 0, 4) === 2n, "it moves SOL");
      expect(accounts[0] === shown.account && accounts[1] === source, "it moves SOL elsewhere");
      wrapped += readUint(data, 4, 8);
    } else {
      expect(program === tokenProgram && data.length === 1, "it does more than to pay");
      const isSync = data[0] === 17 && accounts.length === 1;
      const isClose = data[0] === 9 && accounts.length === 3 && NATIVE_MINTS.includes(shown.mint);
      expect(isSync || isClose, "it does more than to pay");
      expect(
        accounts[0] === source && accounts.slice(1).every((one) => one === shown.account),
        "it touches another account",
      );
    }
  }
  expect(wrapped <= BigInt(shown.amount), "it moves more SOL than the amount");
  const networkLamports = checkNetworkFee(transaction, shown.networkLamports);
  return { notAfter, networkLamports, isSponsored, makesTokenAccount: owners.has(shown.recipient), makesPayment: true };
}

function checkPayment({ accounts, data }: ReadInstruction, shown: ShownPayment, payers: readonly string[]) {
  expect(data.length === 90 && data[0] === CREATE_PAYMENT, "it does not make a payment");
  expect(readUint(data, 1, 8) === BigInt(shown.paymentId), "it is for another order");
  expect(readUint(data, 9, 8) === BigInt(shown.amount), "the amount is another");
  expect(data[17] === shown.period, "the protection period is another");
  const notAfter = readUint(data, 18, 8);
  expect(notAfter > 0n && notAfter <= BigInt(shown.expiresAt), "it could be taken after its time");
  expect(toBase58(data.subarray(26, 58)) === shown.arbiter, "the arbiter is another");
  expect(toHex(data.subarray(58, 90)) === shown.termsHash, "the terms are others");
  const [operator, , sender, payer, recipient, mint, source, , tokenProgram] = accounts;
  expect(operator === shown.operator, "it is for another site");
  expect(sender === shown.account, "the sender is another");
  expect(payers.includes(payer!), "somebody else pays the deposit");
  expect(recipient === shown.recipient, "the recipient is another");
  expect(mint === shown.mint, "the token is another");
  expect(
    TOKEN_PROGRAMS.includes(tokenProgram!) && tokenProgram === (shown.tokenProgram ?? tokenProgram),
    "the token’s program is another",
  );
  expect(accounts[9] === ASSOCIATED_TOKEN && accounts[10] === SYSTEM, "its accounts are out of order");
  expect(
    !accounts.slice(11).some((one) => one === shown.account || payers.includes(one)),
    "it hands your account to another program",
  );
  return { notAfter: Number(notAfter), tokenProgram: tokenProgram!, source: source! };
}

/** Checks the owners of token accounts that the transaction creates: the recipient, and the sender for wrapped SOL. */
function checkTokenAccounts(
  instructions: readonly ReadInstruction[],
  shown: ShownPayment,
  { tokenProgram, source, payers }: { tokenProgram: string; source: string; payers: readonly string[] },
): ReadonlySet<string> {
  const owners = new Set<string>();
  for (const { program, accounts, data } of instructions) {
    if (program !== ASSOCIATED_TOKEN) continue;
    const [payer, account, owner, mint, , tokens] = accounts;
    expect(data.length === 1 && data[0] === 1, "it does more to a token account than to make it");
    expect(
      payers.includes(payer!) && mint === shown.mint && tokens === tokenProgram,
      "it makes an account of another token",
    );
    const isKnown = owner === shown.recipient || (owner === shown.account && account === source);
    expect(isKnown && !owners.has(owner!), "it makes a token account for somebody else");
    owners.add(owner!);
  }
  return owners;
}

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
