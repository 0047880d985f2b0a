import type { BigNumberValue, MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils";
import { minorOf } from "../money";

/** An order that is paid by Holdfast, as far as the plugin needs it. */
export interface Order {
  readonly id: string;
  readonly displayId: number;
  readonly isCanceled: boolean;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly amount: BigNumberValue };
  /** The shop's entries: the payment, and the part of it that went back in the currency's smallest unit. */
  readonly payment: { readonly id: string; readonly total: bigint; readonly refunded: bigint } | null;
}

export const PROVIDER = /^pp_holdfast(_|$)/;
const LOCK_SECONDS_MAX = 60;

const FIELDS = [
  ...["id", "display_id", "status", "currency_code", "metadata"],
  ...["payment_collections.payment_sessions.*", "payment_collections.payments.*"],
  "payment_collections.payments.refunds.*",
];

interface Row {
  readonly id: string;
  readonly display_id: number;
  readonly status: string;
  readonly currency_code: string;
  readonly metadata: Record<string, unknown> | null;
  readonly payment_collections?: readonly {
    readonly payment_sessions?: readonly (Order["session"] & { readonly provider_id: string })[];
    readonly payments?: readonly {
      readonly id: string;
      readonly provider_id: string;
      readonly amount: BigNumberValue;
      readonly refunds?: readonly { readonly amount: BigNumberValue }[];
    }[];
  }[];
}

/** Returns null if there is no such order, or another provider is to be paid. */
export async function findOrder(container: MedusaContainer, id: string): Promise<Order | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id } });
  const row = data[0] as unknown as Row | undefined;
  const collections = row?.payment_collections ?? [];
  const session = collections
    .flatMap((one) => one.payment_sessions ?? [])
    .find((one) => PROVIDER.test(one.provider_id));
  if (row === undefined || session === undefined) return null;
  const currency = row.currency_code;
  const payment = collections.flatMap((one) => one.payments ?? []).find((one) => PROVIDER.test(one.provider_id));
  return {
    ...{ id, displayId: row.display_id, isCanceled: row.status === "canceled", currency, metadata: row.metadata ?? {} },
    session: { id: session.id, amount: session.amount },
    payment: payment
      ? {
          id: payment.id,
          total: minorOf(payment.amount, currency),
          refunded: (payment.refunds ?? []).reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n),
        }
      : null,
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
