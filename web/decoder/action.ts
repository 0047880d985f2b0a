import { type ReadInstruction, readTransaction } from "./message.ts";
import {
  ASSOCIATED_TOKEN,
  COMPUTE_BUDGET,
  checkNetworkFee,
  checkSigners,
  expect,
  NATIVE_MINTS,
  readUint,
  SYSTEM,
  TOKEN_2022,
  TOKEN_PROGRAMS,
} from "./rules.ts";

const SIDES = ["recipient", "sender"] as const;
type Side = (typeof SIDES)[number];

interface Action {
  /** The instruction of the program that it is. */
  readonly kind: number;
  /** The side that must sign it; null: anybody may. */
  readonly by: Side | null;
  /** The sides that it may pay. */
  readonly pays: readonly Side[];
}

/** The actions on a payment that a page offers. A record is closed after the rest of a vault was sent to either side. */
const ACTIONS = {
  dispute: { kind: 4, by: "sender", pays: [] },
  release: { kind: 6, by: "sender", pays: ["recipient"] },
  refund: { kind: 7, by: "recipient", pays: ["sender"] },
  settle: { kind: 8, by: null, pays: ["recipient"] },
  pay_out_recipient: { kind: 8, by: null, pays: ["recipient"] },
  pay_out_sender: { kind: 8, by: null, pays: ["sender"] },
  refund_unresolved: { kind: 8, by: null, pays: ["sender"] },
  close: { kind: 9, by: null, pays: SIDES },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof ACTIONS;
export const isActionName = (name: string | undefined): name is ActionName =>
  name !== undefined && Object.hasOwn(ACTIONS, name);

const actionOf = (name: ActionName): Action => ACTIONS[name];
/** The side whose wallet must sign an action; null: anybody's may. */
export const signerOf = (name: ActionName): Side | null => actionOf(name).by;

const PAY_OUT = 8;
const CLOSE = 9;
/** The associated token program's create that does nothing if the account exists. */
const CREATE_IDEMPOTENT = 1;
/** Token-2022: moves withheld fees out of an account, to the mint. */
const HARVEST = [26, 4] as const;
const SYNC_NATIVE = 17;

/** The action and the payment on the page; addresses in base58. */
export interface ShownAction {
  /** The account that the wallet signs with. */
  readonly account: string;
  readonly programId: string;
  readonly operator: string;
  /** The payment's address. */
  readonly payment: string;
  readonly action: ActionName;
  /** Digits: the buyer's total in the end, of `release` and `refund`; null for all others. */
  readonly total: string | null;
  readonly sender: string;
  readonly recipient: string;
  readonly mint: string;
  /** Null: the page does not know the mint's program; then either token program is allowed. */
  readonly tokenProgram: string | null;
  /** Null: the page does not know it; the program itself takes no other. */
  readonly rentPayer: string | null;
  /** Wallets of the site, one of which may pay the network's fee instead of the account; default none. */
  readonly sponsors?: readonly string[];
  /** The network's share that the page shows; never more than 0.01 SOL. */
  readonly networkLamports: bigint;
}

export interface CheckedAction {
  readonly networkLamports: bigint;
  /** True if one of the sponsors pays the network's fee, and the account nothing. */
  readonly isSponsored: boolean;
  /** True if it makes the account's own token account, at its cost, to be paid into. */
  readonly makesTokenAccount: boolean;
}

/**
 * Throws `UnexpectedBytesError` unless the bytes are exactly the action shown on the payment shown, with at most the payout
 * that the action makes due.
 *
 * Vault and destination cannot be derived here, since that takes a search on the curve. The program itself takes no
 * other: the vault is the payment's associated token account, and the destination that of the side that is paid, or
 * another one of the same token that this side owns and signs for. All other accounts are compared.
 */
export function checkAction(bytes: Uint8Array, shown: ShownAction): CheckedAction {
  const transaction = readTransaction(bytes);
  const { signers, instructions } = transaction;
  const isSponsored = checkSigners(signers, shown.account, shown.sponsors);
  const { kind, by, pays } = actionOf(shown.action);
  expect(by === null || shown[by] === shown.account, "it needs another wallet");
  const own = instructions.filter(({ program }) => program === shown.programId);
  // A record is closed last; any other action comes first.
  const first = kind === CLOSE ? own.at(-1) : own[0];
  expect(first !== undefined && own.length <= (kind === PAY_OUT || pays.length === 0 ? 1 : 2), "it is not one action");
  const payout = kind === PAY_OUT ? first : own.find((one) => one !== first);
  checkOwn(first, shown);
  if (payout !== undefined) checkPayout(payout, shown);
  const accounts = payout === undefined ? null : accountsOf(payout);
  const extras = instructions.filter(({ program }) => program !== shown.programId && program !== COMPUTE_BUDGET);
  const names = extras.map((extra) => checkExtra(extra, shown, accounts));
  expect(new Set(names).size === names.length, "it does the same twice");
  const makesTokenAccount = names.includes("token account");
  if (isSponsored) checkSponsor(signers[0]!, { extras, own, shown });
  const networkLamports = checkNetworkFee(transaction, shown.networkLamports);
  return { networkLamports, isSponsored, makesTokenAccount };
}

/** Checks the action's own instruction; the rest of a payout is checked as of every payout. */
function checkOwn({ accounts, data }: ReadInstruction, shown: ShownAction): void {
  const { kind, by } = actionOf(shown.action);
  const hasTotal = shown.action === "release" || shown.action === "refund";
  expect(data[0] === kind, "it is another action");
  expect(data.length === (hasTotal ? 9 : kind === PAY_OUT ? 2 : 1), "it is another action");
  expect(hasTotal === (shown.total !== null), "the total is another");
  expect(!hasTotal || readUint(data, 1, 8) === BigInt(shown.total!), "the total is another");
  expect(accounts[0] === shown.operator, "it is for another site");
  expect(accounts[1] === shown.payment, "it is for another payment");
  if (kind === PAY_OUT) return;
  expect(accounts.length === (by === null ? 4 : 3), "its accounts are out of order");
  expect(by === null || accounts[2] === shown[by], "it needs another wallet");
  if (by === null) checkRentPayer(accounts[2], shown);
}

interface PayoutAccounts {
  readonly beneficiary: string;
  readonly destination: string;
  readonly vault: string;
  readonly tokenProgram: string;
}

const accountsOf = ({ accounts }: ReadInstruction): PayoutAccounts => ({
  beneficiary: accounts[3]!,
  destination: accounts[4]!,
  vault: accounts[5]!,
  tokenProgram: accounts[7]!,
});

/** Checks a payout of this payment, to a side that the action pays. */
function checkPayout({ accounts, data }: ReadInstruction, shown: ShownAction): void {
  expect(data.length === 2 && data[0] === PAY_OUT, "it does more than this action");
  const side = SIDES[data[1]!];
  expect(side !== undefined && actionOf(shown.action).pays.includes(side), "it pays the other side");
  // More accounts would go to the token's own program.
  expect(accounts.length === 8, "its accounts are out of order");
  const [operator, payment, rentPayer, beneficiary, destination, vault, mint, tokenProgram] = accounts;
  expect(operator === shown.operator, "it is for another site");
  expect(payment === shown.payment, "it is for another payment");
  checkRentPayer(rentPayer, shown);
  expect(beneficiary === shown[side], "it pays somebody else");
  expect(mint === shown.mint, "the token is another");
  expect(
    TOKEN_PROGRAMS.includes(tokenProgram!) && tokenProgram === (shown.tokenProgram ?? tokenProgram),
    "the token’s program is another",
  );
  const named = [operator, payment, rentPayer, beneficiary, mint, tokenProgram, shown.account, shown.programId, SYSTEM];
  expect(
    destination !== vault && !named.includes(destination) && !named.includes(vault),
    "its accounts are out of order",
  );
}

/** The program takes no other rent payer than the payment's. */
const checkRentPayer = (rentPayer: string | undefined, shown: ShownAction): void =>
  expect(rentPayer === (shown.rentPayer ?? rentPayer), "the deposit goes to somebody else");

/** Checks an instruction beside the program's own: each of them only serves the payout. Returns its name. */
function checkExtra({ program, accounts, data }: ReadInstruction, shown: ShownAction, payout: PayoutAccounts | null) {
  expect(payout !== null, "it does more than this action");
  const { beneficiary, destination, vault, tokenProgram } = payout;
  if (program === ASSOCIATED_TOKEN) {
    expect(data.length === 1 && data[0] === CREATE_IDEMPOTENT, "it does more to a token account than to make it");
    const expected = [shown.account, destination, shown.account, shown.mint, SYSTEM, tokenProgram];
    expect(beneficiary === shown.account && isSame(accounts, expected), "it makes another token account");
    return "token account";
  }
  expect(program === tokenProgram, "it does more than this action");
  if (isSame([...data], HARVEST)) {
    expect(program === TOKEN_2022 && isSame(accounts, [shown.mint, vault]), "it touches another account");
    return "harvest";
  }
  expect(isSame([...data], [SYNC_NATIVE]) && NATIVE_MINTS.includes(shown.mint), "it does more than this action");
  expect(isSame(accounts, [destination]), "it touches another account");
  return "sync";
}

/** A sponsor pays the network's fee and nothing else. It may be the payment's rent payer, who gets the deposit back. */
function checkSponsor(
  sponsor: string,
  { extras, own, shown }: { extras: readonly ReadInstruction[]; own: readonly ReadInstruction[]; shown: ShownAction },
): void {
  expect(!extras.some(({ program }) => program === ASSOCIATED_TOKEN), "a sponsor pays for no token account");
  const isRentPayer = (one: string, at: number) => at === 2 && one === shown.rentPayer;
  const isNamed = own.some(({ accounts }) => accounts.some((one, at) => one === sponsor && !isRentPayer(one, at)));
  expect(!isNamed, "the sponsor does more than to pay the fee");
}

const isSame = <Item>(given: readonly Item[], expected: readonly Item[]): boolean =>
  given.length === expected.length && given.every((one, at) => one === expected[at]);
