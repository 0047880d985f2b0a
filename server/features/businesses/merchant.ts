import { type MerchantRoute, ok, route } from "../../edge/merchant/route.ts";
import { showBusiness } from "./business.ts";
import { CHECK_KEY } from "./schema.ts";

/** §4.7: the key itself was checked on the way in. */
export const businessRoutes = (): MerchantRoute[] => [
  route("GET", "/me", { from: "query", read: () => null, docs: CHECK_KEY }, async ({ caller }) =>
    ok(showBusiness(caller)),
  ),
];
