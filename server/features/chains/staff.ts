import type { Visitor } from "../../domain/callers.ts";
import { showList, showObject } from "../../domain/show.ts";
import { symbolOf } from "../../domain/tokens.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, tenantOf } from "../../edge/staff/route.ts";
import type { Database } from "../../store/database.ts";
import { findDecimals } from "./queries.ts";
import { ASSET, LIST_ASSETS } from "./schema.ts";

/** §13.10.4. */
export const staffChainRoutes = ({ database }: { readonly database: Database }): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/assets`, LIST_ASSETS, async ({ caller, params, input }) => {
    const { mint } = input;
    const { environment } = tenantOf(caller, params);
    const decimals = mint === null ? null : await findDecimals(database, environment, mint);
    if (mint === null || decimals === null) return ok(showList([]));
    return ok(showList([showObject(ASSET.show({ address: mint, symbol: symbolOf(mint), decimals }))]));
  }),
];
