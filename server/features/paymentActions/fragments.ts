import { isAddress } from "../../domain/addresses.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { paymentReader } from "../payments/fragments.ts";
import type { ActedPayment } from "./paymentAction.ts";

const readPayments = paymentReader({});

/** The payment at an address, which establishes the business: a receipt's link names none. Null if none is recorded. */
export async function findPaymentByAddress(
  db: Db,
  address: string,
  environment: Environment | null = null,
): Promise<ActedPayment | null> {
  const [found] = isAddress(address) ? await readPayments(db, [address], environment) : [];
  if (found === undefined || found.match === "vanished") return null;
  const { payment, order, now } = found;
  const { recipient, observedSlot } = payment;
  const [businessId, intentId] = order === null ? [null, null] : [order.businessId, order.intentId];
  return { environment: payment.environment, businessId, intentId, recipient, observedSlot, now };
}

export type BoundPayment = ActedPayment & { readonly recipient: string };

/**
 * The payment at an address for a tenant: its own, or one that is bound to no intent in its environment. Null for any
 * other.
 */
export async function findActedPayment(db: Db, tenant: Tenant, address: string): Promise<BoundPayment | null> {
  const found = await findPaymentByAddress(db, address, tenant.environment);
  if (found === null || found.recipient === null) return null;
  const { businessId, recipient } = found;
  return businessId === null || businessId === tenant.businessId ? { ...found, recipient } : null;
}
