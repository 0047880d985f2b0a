import { isAddress } from "../../domain/addresses.ts";
import type { Visitor } from "../../domain/callers.ts";
import { showFields } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { PaymentDeps } from "./merchant.ts";
import { showPaymentWithActions } from "./payment.ts";
import { findPayment } from "./queries.ts";
import { GET_STAFF_PAYMENT } from "./schema.ts";

/** §13.10. */
export const staffPaymentRoutes = ({ database, checkoutUrl }: Omit<PaymentDeps, "slowDatabase">): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/payments/:payment`, GET_STAFF_PAYMENT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const address = params.payment!;
    const payment = isAddress(address) ? await findPayment(database, tenant, address) : null;
    if (payment === null) throw missing();
    const now = await readNow(database, tenant.environment);
    return ok(showFields(showPaymentWithActions(payment, now, checkoutUrl)));
  }),
];
