import type { Merchant } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route, readRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import { findBusinessName } from "./queries.ts";
import { BUSINESS, CHECK_KEY } from "./schema.ts";

/** §4.7. The door has already checked the key. */
export const businessRoutes = ({ database }: Context): Route<Merchant>[] => [
  readRoute("/me", CHECK_KEY, async ({ caller: { businessId, environment, keyId, scope } }) => {
    const name = await findBusinessName(database, businessId);
    return ok(showObject(BUSINESS.show({ id: businessId, name, environment, apiKey: { id: keyId, scope } })));
  }),
];
