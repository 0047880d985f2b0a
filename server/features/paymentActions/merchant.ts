import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { ok, type WriteRoute, writeRoute } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { findActedPayment } from "./fragments.ts";
import { buildRefund, type RefundDeps } from "./refund.ts";
import { REFUND_PAYMENT } from "./schema.ts";

export interface ActionDeps extends RefundDeps {
  readonly database: Database;
}

/** §4.16. */
export const actionRoutes = (deps: ActionDeps): WriteRoute<Merchant>[] => [
  writeRoute("POST", "/payments/:id/refund", REFUND_PAYMENT, async ({ caller, params, input, write }) => {
    const locked = await write.lockKey();
    const payment = params.id!;
    const found = await findActedPayment(deps.database, caller, payment);
    // A payment that is bound to no intent is nobody's in the API.
    if (found === null || found.businessId === null)
      throw new ApiError(
        "not_found",
        "There is no such payment for this key's business and environment. A payment's id is its address on chain.",
      );
    const wanted = { payment, total: input.total, account: found.recipient, mayLackSol: true };
    return locked.commit({ reply: ok(await buildRefund(deps, found, wanted)) });
  }),
];
