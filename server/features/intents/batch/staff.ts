import type { Visitor } from "../../../domain/callers.ts";
import { showObject } from "../../../domain/show.ts";
import { ok, type Route } from "../../../edge/http/route.ts";
import { IN_TENANT } from "../../../edge/staff/paths.ts";
import { memberWrite, STALE, tenantOf } from "../../../edge/staff/route.ts";
import type { Context } from "../../context.ts";
import { checkoutUrlOf, readPrice } from "../intent.ts";
import { createBatch } from "./actions.ts";
import { CREATE_BATCH } from "./schema.ts";

/** §13.18.5. */
export const batchRoutes = (ctx: Context): Route<Visitor>[] => [
  memberWrite(
    "create_payments",
    "POST",
    `${IN_TENANT}/payment-batches`,
    CREATE_BATCH,
    STALE,
    async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      ctx.countLook(caller.userId);
      const file = { ...input, isTry: input.try };
      const { errors, intents, isRepeated } = await createBatch(ctx, caller.actor, tenant, file);
      const payments = intents.map(({ id, merchantReference, amount, price, asset, expiresAt }) => ({
        intent: id,
        ...{ merchantReference, amount, price: readPrice(price), asset },
        expiresAt: expiresAt.toISOString(),
        checkoutUrl: checkoutUrlOf(ctx.checkoutUrl, id),
      }));
      return ok(showObject({ object: "payment_batch", repeated: isRepeated, errors, payments }));
    },
  ),
];
