import { callRpc } from "@holdfast/devnet/client.ts";
import {
  decodePaymentAccount,
  findTokenAccountAddress,
  PAYMENT_ACCOUNT_SIZE,
  PAYMENT_OPERATOR_OFFSET,
  type PaymentAccount,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import type { Evidence, Invariant } from "../checker.ts";
import type { PaymentRow, UnmatchedRow } from "../databaseSnapshot.ts";

type Recorded = Pick<
  PaymentRow & UnmatchedRow,
  "address" | "status" | "amount" | "asset" | "outcome" | "refund_total" | "amount_refunded" | "amount_released"
> &
  Partial<Pick<PaymentRow, "created_at" | "disputed_at">>;
const secondsOf = (time: Date): bigint => BigInt(time.getTime() / 1_000);
const isHeld = ({ status }: { readonly status: string }) => status === "protected" || status === "disputed";
/** The amount that has yet to leave the vault. */
const remaining = (amount: bigint, released: bigint, refunded: bigint): bigint => amount - released - refunded;
const remainingOnChain = ({ amount, amountReleased, amountRefunded }: PaymentAccount): bigint =>
  remaining(amount, amountReleased, amountRefunded);
const remainingInBooks = (row: Recorded): bigint =>
  remaining(BigInt(row.amount), BigInt(row.amount_released), BigInt(row.amount_refunded));

/**
 * Compares payment by payment, and then the sum per mint. The result holds only when the sweep has caught up and nothing
 * moves. Also: the recorded payments are exactly those on chain under the operator, each with the status it has there.
 */
export const vaultsHoldTheSum: Invariant = {
  id: "vaults",
  promise: "the vaults hold what has yet to leave of all payments, per mint",
  check: async ({ snapshot, chain }) => {
    if (chain === null) return null;
    const recorded: Recorded[] = [...snapshot.payments, ...snapshot.unmatched];
    const accounts = await listPaymentAccounts(chain);
    const vaults = await readVaults(chain.rpcUrl, accounts);
    const violations: string[] = [];

    const known = new Map(recorded.map((payment) => [payment.address, payment]));
    for (const [address, account] of accounts) {
      const book = known.get(address);
      const said = `${account.status}, ${account.amount} of ${account.mint}`;
      if (book === undefined) violations.push(`${address} is on chain (${said}) and not recorded`);
      else if (book.status !== account.status || BigInt(book.amount) !== account.amount || book.asset !== account.mint)
        violations.push(
          `${address} is recorded as ${book.status}, ${book.amount} of ${book.asset}; the chain says ${said}`,
        );
      else if (
        book.outcome !== account.outcome ||
        BigInt(book.refund_total) !== account.refundTotal ||
        BigInt(book.amount_refunded) !== account.amountRefunded ||
        BigInt(book.amount_released) !== account.amountReleased
      )
        violations.push(
          `${address} is recorded as ${book.outcome}, of ${book.amount} ${book.refund_total} bound to the sender, ${book.amount_refunded} and ${book.amount_released} left; the chain says ${account.outcome}, ${account.refundTotal}, ${account.amountRefunded} and ${account.amountReleased}`,
        );
      else if (book.created_at !== undefined && secondsOf(book.created_at) !== account.createdAt)
        violations.push(
          `${address} is recorded as of ${book.created_at.toISOString()}; the chain says ${account.createdAt}`,
        );
      else if (book.disputed_at && secondsOf(book.disputed_at) !== account.disputedAt)
        violations.push(
          `${address} is disputed at ${book.disputed_at.toISOString()}; the chain says ${account.disputedAt}`,
        );
      // Anybody may send extra tokens into a vault; only a smaller balance means lost money.
      if (vaults.get(address)! < remainingOnChain(account))
        violations.push(`the vault of ${address} holds ${vaults.get(address)} of ${remainingOnChain(account)}`);
    }
    for (const payment of recorded)
      if (!accounts.has(payment.address as Address) && isHeld(payment))
        violations.push(`${payment.address} is recorded as ${payment.status} and not on chain`);

    for (const mint of new Set(recorded.map((payment) => payment.asset))) {
      const sum = add(recorded.filter((one) => one.asset === mint && isHeld(one)).map(remainingInBooks));
      const held = add(
        [...accounts].flatMap(([at, one]) => (one.mint === mint && isHeld(one) ? [vaults.get(at)!] : [])),
      );
      if (sum !== held) violations.push(`the database says ${sum} of ${mint} is held, the vaults hold ${held}`);
    }
    const held = recorded.filter(isHeld).length;
    return { checked: { "accounts on chain": accounts.size, "payments held": held }, violations };
  },
};

const add = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

interface Keyed {
  readonly pubkey: Address;
  readonly account: { readonly data: readonly [string, "base64"] };
}

export async function listPaymentAccounts({ rpcUrl, programId, operator }: NonNullable<Evidence["chain"]>) {
  const filters = [
    { dataSize: PAYMENT_ACCOUNT_SIZE },
    { memcmp: { offset: PAYMENT_OPERATOR_OFFSET, bytes: operator } },
  ];
  const form = { encoding: "base64", commitment: "confirmed", filters };
  const found = await callRpc<Keyed[]>(rpcUrl, "getProgramAccounts", [programId, form]);
  const accounts = new Map<Address, PaymentAccount>();
  for (const { pubkey, account } of found) {
    const decoded = decodePaymentAccount(Buffer.from(account.data[0], "base64"));
    if (decoded?.kind === "payment") accounts.set(pubkey, decoded);
  }
  return accounts;
}

const ACCOUNTS_A_REQUEST = 100;

/** Reads the balance of each payment's vault; 0 if it is closed. */
async function readVaults(
  rpcUrl: string,
  accounts: ReadonlyMap<Address, PaymentAccount>,
): Promise<Map<string, bigint>> {
  const held = new Map<string, bigint>();
  const payments = [...accounts];
  for (let at = 0; at < payments.length; at += ACCOUNTS_A_REQUEST) {
    const some = payments.slice(at, at + ACCOUNTS_A_REQUEST);
    const addresses = await Promise.all(
      some.map(([owner, { mint, tokenProgram }]) => findTokenAccountAddress({ owner, mint, tokenProgram })),
    );
    const form = { encoding: "base64", commitment: "confirmed" };
    const { value } = await callRpc<{ value: (Keyed["account"] | null)[] }>(rpcUrl, "getMultipleAccounts", [
      addresses,
      form,
    ]);
    for (const [index, [payment]] of some.entries()) {
      const data = value[index]?.data[0];
      held.set(payment, data === undefined ? 0n : Buffer.from(data, "base64").readBigUInt64LE(64));
    }
  }
  return held;
}
