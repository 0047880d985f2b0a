import type { Merchant } from "../../domain/callers.ts";
import { created, ok, type Route, readRoute, writeRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import { missingIntent } from "../intents/intent.ts";
import { type FindTerms, readFulfillments, recordFulfillment, showFulfillment } from "./actions.ts";
import { LIST_FULFILLMENTS, RECORD_FULFILLMENT } from "./schema.ts";

const PATH = "/payment-intents/:id/fulfillments";

/** §4.19. */
export const fulfillmentRoutes = ({ database }: Context, findTerms: FindTerms): Route<Merchant>[] => [
  readRoute(PATH, LIST_FULFILLMENTS, async ({ caller, params, input: page }) => {
    const found = await readFulfillments(database, caller, params.id!, page);
    if (found === null) throw missingIntent();
    return ok(found);
  }),
  writeRoute("POST", PATH, RECORD_FULFILLMENT, ({ caller, params, input, write }) =>
    write.commit({
      transaction: async (db) => {
        const recorded = await recordFulfillment(db, caller, params.id!, input, {
          recordedBy: caller.keyId,
          findTerms,
        });
        if (recorded === null) throw missingIntent();
        return created(showFulfillment(recorded));
      },
    }),
  ),
];
