import type { Merchant } from "../../domain/callers.ts";
import { ok, type Route, readRoute } from "../../edge/http/route.ts";
import type { Db } from "../../store/database.ts";
import { showBusiness } from "./business.ts";
import { findBusinessName } from "./queries.ts";
import { CHECK_KEY } from "./schema.ts";

/** §4.7. The key itself was checked at the door. */
export const businessRoutes = ({ database }: { readonly database: Db }): Route<Merchant>[] => [
  readRoute("/me", CHECK_KEY, async ({ caller }) =>
    ok(showBusiness(caller, await findBusinessName(database, caller.businessId))),
  ),
];
