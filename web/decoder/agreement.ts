import { readTransaction } from "./message.ts";
import { COMPUTE_BUDGET, checkNetworkFee, expect, readUint, SYSTEM, TOKEN_2022, TOKEN_PROGRAMS } from "./rules.ts";

/** An agreement of both sides, and the payment, on the page; addresses in base58, amounts in digits. */
export interface ShownAgreement {
  /** The account that the wallet signs with: the sender or the recipient. */
  readonly account: string;
  readonly programId: string;
  readonly operator: string;
  readonly payment: string;
  readonly sender: string;
  readonly recipient: string;
  readonly mint: string;
  readonly tokenProgram: string | null;
  readonly rentPayer: string | null;
  readonly amount: string;
  /** The total that the sender has in the end. */
  readonly total: string;
  /** The part of it that is bound already. */
  readonly refundTotal: string;
}

const [RELEASE, REFUND, PAY_OUT] = [6, 7, 8];
/** By the number that a payout has for its side. */
const SIDES = ["recipient", "sender"] as const;
/** Assertions by which the other side's wallet may guard the transaction: they only read. */
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const ASSERTIONS = [2, 15] as const;
const HARVEST = [26, 4] as const;

/**
 * Throws `UnexpectedBytesError` unless the bytes are exactly the agreement shown: the refund of its total, the release of
 * the rest, and at most the payouts that these make due. Only the two sides sign. Returns the network's fee, which the
 * first signer pays.
 */
export function checkAgreement(
  bytes: Uint8Array,
  shown: ShownAgreement,
): { readonly networkLamports: bigint; readonly feePayer: string } {
  const transaction = readTransaction(bytes);
  const { signers, instructions } = transaction;
  const sides = [shown.sender, shown.recipient];
  expect(sides.includes(shown.account), "it needs another wallet");
  expect(signers.length === 2 && sides.every((side) => signers.includes(side)), "somebody else signs it too");
  const [total, bound, amount] = [shown.total, shown.refundTotal, shown.amount].map(BigInt) as [bigint, bigint, bigint];
  expect(total > bound && total < amount, "one side decides alone");
  const expected = [REFUND, RELEASE];
  const own = instructions.filter(({ program }) => program === shown.programId);
  const decisions = own.filter(({ data }) => data[0] !== PAY_OUT);
  expect(
    decisions.length === expected.length && decisions.every(({ data }, at) => data[0] === expected[at]),
    "it is another agreement",
  );
  for (const { accounts, data } of decisions) {
    expect(data.length === 9 && readUint(data, 1, 8) === total, "the total is another");
    checkPayment(accounts, shown);
    const by = data[0] === REFUND ? shown.recipient : shown.sender;
    expect(accounts.length === 3 && accounts[2] === by, "it needs another wallet");
  }
  const payouts = own.filter(({ data }) => data[0] === PAY_OUT);
  const paid = payouts.map(({ accounts, data }) => checkPayout(accounts, data, shown));
  expect(new Set(paid).size === paid.length, "it pays a side twice");
  const vaults = payouts.map(({ accounts }) => accounts[5]!);
  for (const { program, accounts, data } of instructions) {
    if (program === shown.programId || program === COMPUTE_BUDGET) continue;
    if (program === TOKEN_2022) {
      const isHarvest = data.length === 2 && data[0] === HARVEST[0] && data[1] === HARVEST[1];
      expect(isHarvest && accounts.length === 2 && accounts[0] === shown.mint, "it does more than this agreement");
      expect(vaults.includes(accounts[1]!), "it touches another account");
      continue;
    }
    const isGuard = program === LIGHTHOUSE && data[0]! >= ASSERTIONS[0] && data[0]! <= ASSERTIONS[1];
    expect(isGuard, "it does more than this agreement");
  }
  const networkLamports = checkNetworkFee(transaction, 10_000_000n);
  return { networkLamports, feePayer: signers[0]! };
}

function checkPayment(accounts: readonly string[], { operator, payment }: ShownAgreement): void {
  expect(accounts[0] === operator, "it is for another site");
  expect(accounts[1] === payment, "it is for another payment");
}

/** Checks a payout to the side that it names; the program takes no destination that this side does not own. */
function checkPayout(accounts: readonly string[], data: Uint8Array, shown: ShownAgreement): (typeof SIDES)[number] {
  const side = SIDES[data[1]!];
  expect(side !== undefined && data.length === 2, "it does more than this agreement");
  expect(accounts.length === 8, "its accounts are out of order");
  checkPayment(accounts, shown);
  const [, , rentPayer, beneficiary, destination, vault, mint, tokenProgram] = accounts;
  expect(rentPayer === (shown.rentPayer ?? rentPayer), "the deposit goes to somebody else");
  expect(beneficiary === shown[side], "it pays somebody else");
  expect(mint === shown.mint, "the token is another");
  expect(
    TOKEN_PROGRAMS.includes(tokenProgram!) && tokenProgram === (shown.tokenProgram ?? tokenProgram),
    "the token’s program is another",
  );
  const named = [shown.sender, shown.recipient, shown.programId, mint, tokenProgram, SYSTEM];
  expect(
    destination !== vault && !named.includes(destination!) && !named.includes(vault!),
    "its accounts are out of order",
  );
  return side;
}
