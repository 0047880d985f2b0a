import type { BigNumberValue, MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils";
import { HOLDFAST_MODULE } from "../modules/holdfast";
import type HoldfastModuleService from "../modules/holdfast/service";
import { minorOf } from "../money";
import type { SessionData } from "../session";

/** An order that is paid by Holdfast, as far as the plugin needs it. */
export interface Order {
  readonly id: string;
  readonly displayId: number;
  readonly isCanceled: boolean;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The amount that the order still lacks: its total, until somebody pays. What a payment session says may be older. */
  readonly due: BigNumberValue;
  /** Money came by another way, or is promised. */
  readonly hasOtherMoney: boolean;
  /** The collection that a payment goes into, and its session of Holdfast: a buyer may put another one in its place at any time. */
  readonly collection: string | null;
  readonly session: string | null;
  /** The shop's entries: the payment, and the part of it that went back in the currency's smallest unit. */
  readonly payment: {
    readonly id: string;
    /** The payment on chain. */
    readonly address: string | null;
    readonly total: bigint;
    readonly refunded: bigint;
    /** False if the process was killed before the order had it. */
    readonly isEntered: boolean;
  } | null;
}

export const PROVIDER = /^pp_holdfast(_|$)/;
const LOCK_SECONDS_MAX = 60;

const FIELDS = [
  ...["id", "display_id", "canceled_at", "currency_code", "metadata", "summary.*", "transactions.*"],
  ...["payment_collections.id", "payment_collections.created_at", "payment_collections.payment_sessions.*"],
  ...["payments.*", "payments.captures.*", "payments.refunds.*"].map((field) => `payment_collections.${field}`),
];

interface PaymentRow {
  readonly id: string;
  readonly provider_id: string;
  readonly amount: BigNumberValue;
  readonly data: SessionData | null;
  readonly canceled_at: Date | null;
  readonly captures?: readonly { readonly id: string }[];
  readonly refunds?: readonly { readonly amount: BigNumberValue }[];
}

interface Row {
  readonly id: string;
  readonly display_id: number;
  /** An archived order keeps it. */
  readonly canceled_at: Date | null;
  readonly currency_code: string;
  readonly metadata: Record<string, unknown> | null;
  readonly summary: { readonly pending_difference: BigNumberValue };
  readonly transactions?: readonly { readonly reference: string | null; readonly reference_id: string | null }[];
  readonly payment_collections?: readonly {
    readonly id: string;
    readonly created_at: Date;
    readonly payment_sessions?: readonly { readonly id: string; readonly provider_id: string }[];
    readonly payments?: readonly PaymentRow[];
  }[];
}

const isOurs = ({ provider_id }: { readonly provider_id: string }): boolean => PROVIDER.test(provider_id);

/** Returns null if there is no such order, or Holdfast has nothing to do with it. */
export async function findOrder(container: MedusaContainer, id: string): Promise<Order | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id } });
  const row = data[0] as unknown as Row | undefined;
  if (row === undefined) return null;
  const collections = [...(row.payment_collections ?? [])].sort(
    (one, other) => Number(other.created_at) - Number(one.created_at),
  );
  const payments = collections.flatMap((one) => one.payments ?? []);
  const payment = payments.find(isOurs);
  const holder = collections.find((one) => one.payment_sessions?.some(isOurs));
  if (payment === undefined && holder === undefined && !(await isAttempted(container, id))) return null;
  const currency = row.currency_code;
  return {
    ...{ id, displayId: row.display_id, isCanceled: row.canceled_at != null, currency, metadata: row.metadata ?? {} },
    due: row.summary.pending_difference,
    hasOtherMoney:
      payments.some((one) => !isOurs(one) && one.canceled_at === null) ||
      (payment === undefined && (row.transactions ?? []).length > 0),
    collection: (holder ?? collections[0])?.id ?? null,
    session: holder?.payment_sessions?.find(isOurs)?.id ?? null,
    payment: payment ? entryOf(payment, row) : null,
  };
}

const isAttempted = async (container: MedusaContainer, order_id: string): Promise<boolean> => {
  const service: HoldfastModuleService = container.resolve(HOLDFAST_MODULE);
  return (await service.listHoldfastAttempts({ order_id }, { take: 1 })).length > 0;
};

function entryOf(payment: PaymentRow, { currency_code: currency, transactions = [] }: Row): Order["payment"] {
  const captures = new Set(payment.captures?.map(({ id }) => id));
  return {
    ...{ id: payment.id, address: payment.data?.payment ?? null },
    total: minorOf(payment.amount, currency),
    refunded: (payment.refunds ?? []).reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n),
    isEntered: transactions.some(({ reference_id }) => reference_id !== null && captures.has(reference_id)),
  };
}

/**
 * Work on an order, one at a time: of one process with Medusa's own lock in memory, of several with a locking provider that
 * they share, which Medusa wants for several processes anyway.
 */
export const inOrder = <Result>(
  container: MedusaContainer,
  orderId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  container.resolve(Modules.LOCKING).execute(`holdfast:${orderId}`, work, { timeout: LOCK_SECONDS_MAX });
