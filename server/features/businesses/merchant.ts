import { type MerchantRoute, ok, route } from "../../edge/http/route.ts";
import type { Db } from "../../store/database.ts";
import { showBusiness } from "./business.ts";
import { findBusinessName } from "./queries.ts";
import { CHECK_KEY } from "./schema.ts";

/** §4.7: the key itself was checked on the way in. */
export const businessRoutes = ({ database }: { readonly database: Db }): MerchantRoute[] => [
  route("GET", "/me", { from: "query", read: () => null, docs: CHECK_KEY }, async ({ caller }) =>
    ok(showBusiness(caller, await findBusinessName(database, caller.businessId))),
  ),
];
