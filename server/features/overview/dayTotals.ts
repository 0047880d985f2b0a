import type { Environment } from "../../domain/terms.ts";
import { digits, type FieldsOf, integer, other, table, word } from "../../lib/columns.ts";
import type { Payment } from "../payments/payment.ts";

/** The day under which the sums of all days stand. */
export const ALL_DAYS = "infinity";

/** The sums that a day has, each with the number of its payments: see the table. */
const SUMS = ["received", "released", "refunded", "due", "disputed", "decided"] as const;
type Sum = (typeof SUMS)[number];

const KEY_COLUMNS = { businessId: word(), environment: word<Environment>(), asset: word(), day: other<string>("date") };
export const SUM_COLUMNS = {
  received: digits("numeric"),
  receivedPayments: integer(),
  released: digits("numeric"),
  releasedPayments: integer(),
  refunded: digits("numeric"),
  refundedPayments: integer(),
  due: digits("numeric"),
  duePayments: integer(),
  disputed: digits("numeric"),
  disputedPayments: integer(),
  decided: digits("numeric"),
  decidedPayments: integer(),
};
export const PAYMENT_DAYS = table("payment_days", { ...KEY_COLUMNS, ...SUM_COLUMNS });
export type DayTotals = FieldsOf<typeof PAYMENT_DAYS.columns>;

/** A payment's row, as far as it counts. */
type Counted = Pick<
  Payment,
  | "businessId"
  | "environment"
  | "asset"
  | "status"
  | "outcome"
  | "amount"
  | "amountReleased"
  | "amountRefunded"
  | "refundTotal"
  | "createdAt"
  | "settledAt"
  | "refundedAt"
  | "protectionDeadline"
>;

/** The payments of an intent before a change and after it. */
export interface PaymentsChange {
  readonly before: readonly Counted[];
  readonly after: readonly Counted[];
}

interface Share {
  readonly sum: Sum;
  readonly amount: bigint;
  /** Null: it counts in the sums of all days alone. */
  readonly at: Date | null;
}

/** The sums in which a payment counts. They follow from its row alone, so a share is taken away as exactly as it was added. */
function sharesOf(payment: Counted): Share[] {
  const { status, outcome, createdAt, settledAt, refundedAt, protectionDeadline } = payment;
  const rest = BigInt(payment.amount) - BigInt(payment.refundTotal);
  const released = BigInt(payment.amountReleased);
  const isUndecided = outcome === null;
  const shares: readonly Share[] = [
    { sum: "received", amount: BigInt(payment.amount), at: createdAt },
    { sum: "released", amount: released, at: settledAt },
    { sum: "refunded", amount: BigInt(payment.amountRefunded), at: refundedAt },
    { sum: "due", amount: isUndecided && status === "protected" ? rest : 0n, at: protectionDeadline },
    { sum: "disputed", amount: isUndecided && status === "disputed" ? rest : 0n, at: null },
    { sum: "decided", amount: !isUndecided && released === 0n ? rest : 0n, at: null },
  ];
  return shares.filter(({ amount }) => amount > 0n);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

interface Difference extends Pick<DayTotals, "businessId" | "environment" | "asset" | "day"> {
  readonly sums: Record<Sum, { amount: bigint; payments: number }>;
}

/** The amounts by which changes of payments move the sums; a row for each day of each tenant and token that they move. */
export function draftDifferences(changes: readonly PaymentsChange[]): DayTotals[] {
  const differences = new Map<string, Difference>();
  const add = (payment: Counted, sign: 1 | -1) => {
    for (const { sum, amount, at } of sharesOf(payment))
      for (const day of at === null ? [ALL_DAYS] : [ALL_DAYS, dayOf(at)]) {
        const moved = differenceAt(differences, payment, day).sums[sum];
        moved.amount += BigInt(sign) * amount;
        moved.payments += sign;
      }
  };
  for (const { before, after } of changes) {
    // Decisions leave the payments that they do not change as they are. Anybody may add duplicates, so there may be many.
    const [earlier, later] = [new Set(before), new Set(after)];
    for (const payment of before) if (!later.has(payment)) add(payment, -1);
    for (const payment of after) if (!earlier.has(payment)) add(payment, 1);
  }
  return [...differences.values()].filter(isMoved).map(showDifference);
}

function differenceAt(differences: Map<string, Difference>, payment: Counted, day: string): Difference {
  const { businessId, environment, asset } = payment;
  const key = `${businessId} ${environment} ${asset} ${day}`;
  const found = differences.get(key);
  if (found !== undefined) return found;
  const none = () => ({ amount: 0n, payments: 0 });
  const made: Difference = {
    businessId,
    environment,
    asset,
    day,
    sums: { received: none(), released: none(), refunded: none(), due: none(), disputed: none(), decided: none() },
  };
  differences.set(key, made);
  return made;
}

const isMoved = ({ sums }: Difference): boolean =>
  SUMS.some((sum) => sums[sum].amount !== 0n || sums[sum].payments !== 0);

const showDifference = ({ sums, ...key }: Difference): DayTotals => ({
  ...key,
  received: String(sums.received.amount),
  receivedPayments: sums.received.payments,
  released: String(sums.released.amount),
  releasedPayments: sums.released.payments,
  refunded: String(sums.refunded.amount),
  refundedPayments: sums.refunded.payments,
  due: String(sums.due.amount),
  duePayments: sums.due.payments,
  disputed: String(sums.disputed.amount),
  disputedPayments: sums.disputed.payments,
  decided: String(sums.decided.amount),
  decidedPayments: sums.decided.payments,
});
