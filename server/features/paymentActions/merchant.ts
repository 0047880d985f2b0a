import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { ok, type WriteRoute, writeRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import { findActedPayment } from "./fragments.ts";
import { buildRefund } from "./refund.ts";
import { REFUND_PAYMENT } from "./schema.ts";

/** §4.16. */
export const actionRoutes = (ctx: Context): WriteRoute<Merchant>[] => [
  writeRoute("POST", "/payments/:id/refund", REFUND_PAYMENT, async ({ caller, params, input, write }) => {
    const locked = await write.lockKey();
    const payment = params.id!;
    const found = await findActedPayment(ctx.database, caller, payment);
    // A payment that is bound to no intent is nobody's in the API.
    if (found === null || found.businessId === null)
      throw new ApiError(
        "not_found",
        "There is no such payment for this key's business and environment. A payment's id is its address on chain.",
      );
    const wanted = { payment, total: input.total, account: found.recipient, mayLackSol: true };
    return locked.commit({ reply: ok(await buildRefund(ctx, found, wanted)) });
  }),
];
