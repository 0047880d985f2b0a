import { arbiterNameOf } from "../../chain/chain.ts";
import { isAddress } from "../../domain/addresses.ts";
import type { Tenant, Visitor } from "../../domain/callers.ts";
import { showScanned } from "../../domain/page.ts";
import { showFields, showList, showObject } from "../../domain/show.ts";
import { symbolOf } from "../../domain/tokens.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { listDecimals } from "../chains/fragments.ts";
import { ASSET } from "../chains/schema.ts";
import type { Context } from "../context.ts";
import { listValues } from "../rates/fragments.ts";
import { PAYMENT_VALUE } from "../rates/schema.ts";
import { listPaidAssets } from "./fragments.ts";
import { computedOf, showPaymentWithActions } from "./payment.ts";
import { findPayment } from "./queries.ts";
import {
  GET_STAFF_PAYMENT,
  LIST_PAID_ASSETS,
  LIST_PAYMENT_VALUES,
  LIST_STAFF_PAYMENTS,
  LISTED_PAYMENT,
} from "./schema.ts";
import { findPlace, scanPayments } from "./staffQueries.ts";

/** §13.10. */
export const staffPaymentRoutes = ({ database, slowDatabase, checkoutUrl, findChain }: Context): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/payments`, LIST_STAFF_PAYMENTS, async ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    const place = input.startingAfter === null ? null : await findCursor(slowDatabase, tenant, input.startingAfter);
    const { rows, isPart } = await scanPayments(slowDatabase, tenant, input, place);
    const now = await readNow(database, tenant.environment);
    return ok(
      showScanned(rows, isPart, { ...input, at: now }, (row) =>
        LISTED_PAYMENT.show({ ...row, ...computedOf(row, now) }),
      ),
    );
  }),
  memberRead("read", `${IN_TENANT}/paid-assets`, LIST_PAID_ASSETS, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const decimals = await listDecimals(slowDatabase, tenant.environment, await listPaidAssets(slowDatabase, tenant));
    return ok(
      showList(
        [...decimals].map(([address, decimals]) =>
          showObject(ASSET.show({ address, symbol: symbolOf(address), decimals })),
        ),
      ),
    );
  }),
  memberRead("read", `${IN_TENANT}/payments/:payment/values`, LIST_PAYMENT_VALUES, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const address = params.payment!;
    if (!isAddress(address) || (await findPayment(slowDatabase, tenant, address)) === null) throw missing();
    const values = await listValues(slowDatabase, tenant, [address]);
    return ok(showList(values.map((one) => showObject(PAYMENT_VALUE.show(one)))));
  }),
  memberRead("read", `${IN_TENANT}/payments/:payment`, GET_STAFF_PAYMENT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const address = params.payment!;
    const payment = isAddress(address) ? await findPayment(database, tenant, address) : null;
    if (payment === null) throw missing();
    const now = await readNow(database, tenant.environment);
    const arbiterName = arbiterNameOf(findChain(tenant.environment), payment.arbiter);
    const shown = showPaymentWithActions(payment, now, checkoutUrl, payment.hold);
    return ok(showFields({ ...shown, arbiterName: JSON.stringify(arbiterName) }));
  }),
];

async function findCursor(db: Db, tenant: Tenant, address: string) {
  const place = isAddress(address) ? await findPlace(db, tenant, address) : null;
  if (place === null) throw missing();
  return place;
}
