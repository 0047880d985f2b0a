import type { Environment } from "../../domain/terms.ts";

/** The kinds of matters that need a person. */
export const MATTER_KINDS = [
  "books_differ",
  "checkouts_held",
  "payouts_behind",
  "keeper_low",
  "sponsor_low",
  "dispute",
  "question",
  "reply",
  "offer",
  "agreement",
  "duplicate",
  "over_limit",
  "unmatched",
  "endpoint_failing",
  "deployment_changed",
] as const;

/** Something that needs a person now. The fields that its kind does not have are null. */
export interface Matter {
  readonly kind: (typeof MATTER_KINDS)[number];
  /** The payment's address, the endpoint's id, or the wallet's address. */
  readonly id: string | null;
  readonly since: Date | null;
  /** After this time it is too late for the person, or it ends by itself. */
  readonly due: Date | null;
  readonly reference: string | null;
  readonly amount: string | null;
  readonly asset: string | null;
  readonly decimals: number | null;
  readonly detail: string | null;
}

const NOTHING = {
  id: null,
  since: null,
  due: null,
  reference: null,
  amount: null,
  asset: null,
  decimals: null,
  detail: null,
};

/** The knowledge of this process of an environment's chain: see `Chain`. */
export interface ChainWatch {
  /** True while this process builds no checkouts (§10.12). */
  readonly isHeld: boolean;
  /** Wallets of the deployment whose balance, as last read here, is below the one at which the log warns. */
  readonly low: readonly {
    readonly kind: "keeper_low" | "sponsor_low";
    readonly address: string;
    readonly lamports: bigint;
  }[];
}
/** Null: the environment has no chain. */
export type WatchOf = (environment: Environment) => ChainWatch | null;

/** A deployment's row, as far as members of businesses are told. */
export interface DeploymentRow {
  readonly changed_at: Date;
  readonly changes: number;
  readonly arbiter_changed: boolean;
  readonly authority_changed: boolean;
  readonly program_changed: boolean;
}

const DAY_MS = 86_400_000;
/** A change that was confirmed is shown for this time. */
const CHANGE_SHOWN_MS = 7 * DAY_MS;
/** The keeper sends what is due within seconds, and tries again for some minutes. */
const BEHIND_MS = 15 * 60_000;

/** The matter of a deployment that was changed, or whose checkouts are held; null if there is none. */
export function matterOfDeployment(row: DeploymentRow | null, isHeld: boolean, now: Date): Matter | null {
  if (isHeld) {
    const changed = [
      row?.arbiter_changed ? "arbiter" : null,
      row?.authority_changed ? "upgrade_authority" : null,
      row?.program_changed ? "program" : null,
    ].filter((one) => one !== null);
    const since = changed.length > 0 ? row!.changed_at : null;
    return { ...NOTHING, kind: "checkouts_held", since, detail: changed.join(",") || null };
  }
  if (row === null || row.changes === 0 || now.getTime() - row.changed_at.getTime() > CHANGE_SHOWN_MS) return null;
  return { ...NOTHING, kind: "deployment_changed", since: row.changed_at };
}

/** The matters of those who operate the deployment: the time since which payouts are due, and wallets that are low. */
export const mattersOfOperator = (oldestDue: Date | null, low: ChainWatch["low"], now: Date): Matter[] => [
  ...(oldestDue !== null && now.getTime() - oldestDue.getTime() > BEHIND_MS
    ? [{ ...NOTHING, kind: "payouts_behind" as const, since: oldestDue }]
    : []),
  ...low.map(({ kind, address, lamports }) => ({ ...NOTHING, kind, id: address, detail: String(lamports) })),
];

const FIRST_OF_BUSINESS = MATTER_KINDS.indexOf("dispute");
/** Those that concern all payments first, in the order of their kinds; then the one that is due first; then the oldest. */
function compareMatters(one: Matter, other: Matter): number {
  const rank = ({ kind, due }: Matter) =>
    Math.min(MATTER_KINDS.indexOf(kind), due === null ? FIRST_OF_BUSINESS + 1 : FIRST_OF_BUSINESS);
  const at = ({ due, since }: Matter) => Number(due ?? since);
  return rank(one) - rank(other) || at(one) - at(other);
}

/** Anybody may pay a saved recipient under a number that no order has. */
const isOfNoOrder = ({ detail }: Matter): boolean => detail === "unknown_payment_id";

/** At most `each` of a kind, the most urgent first. Payments of an order are kept before those of none, so that strangers hide none. */
export const chooseMatters = (all: readonly Matter[], each: number): Matter[] =>
  all
    .toSorted((one, other) => Number(isOfNoOrder(one)) - Number(isOfNoOrder(other)) || compareMatters(one, other))
    .filter((one, place, sorted) => sorted.slice(0, place).filter(({ kind }) => kind === one.kind).length < each)
    .toSorted(compareMatters);

/** Days of UTC, each as `2026-11-25`. */
export interface Days {
  readonly today: string;
  /** The Monday of this week. */
  readonly monday: string;
  /** The Monday of the first week that is shown. */
  readonly firstMonday: string;
}

/** The weeks of the chart of volume: twelve, and the twelve before them. */
export const WEEKS = 24;

export function daysAt(now: Date): Days {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const monday = midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY_MS;
  const show = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { today: show(midnight), monday: show(monday), firstMonday: show(monday - (WEEKS - 1) * 7 * DAY_MS) };
}

/** The most tokens that are shown. */
export const ASSETS_MAX = 8;

/** The sums of a token: see the table. `days` are those on which something is due, from today on. */
export interface AssetRow {
  readonly asset: string;
  readonly decimals: number | null;
  readonly received: string;
  readonly released: string;
  readonly refunded: string;
  readonly due: string;
  readonly duePayments: number;
  readonly disputed: string;
  readonly disputedPayments: number;
  readonly decided: string;
  readonly weekReleased: string;
  readonly weekReleasedPayments: number;
  readonly weekRefunded: string;
  readonly weekRefundedPayments: number;
  readonly days: readonly (readonly [day: string, amount: string, payments: number])[] | null;
}

/** The amount paid in the week that began on this Monday. */
export interface WeekRow {
  readonly from: string;
  readonly amount: string;
  readonly payments: number;
}

/** A token's escrow by its sums. */
export function draftEscrow({ received, released, refunded, due, disputed, decided, duePayments, days }: AssetRow) {
  const inEscrow = BigInt(received) - BigInt(released) - BigInt(refunded);
  const dated = (days ?? []).reduce((sum, [, amount]) => sum + BigInt(amount), 0n);
  const datedPayments = (days ?? []).reduce((sum, [, , payments]) => sum + payments, 0);
  return {
    inEscrow: String(inEscrow),
    // Its deadline is past, and nobody has settled it yet.
    overdue: String(BigInt(due) - dated),
    overduePayments: duePayments - datedPayments,
    returning: String(inEscrow - BigInt(due) - BigInt(disputed) - BigInt(decided)),
  };
}
