import type { Visitor } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { showList, showObject } from "../../domain/show.ts";
import { symbolOf, WELL_KNOWN_TOKENS } from "../../domain/tokens.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, tenantOf } from "../../edge/staff/route.ts";
import type { Context } from "../context.ts";
import { findDecimals } from "./queries.ts";
import { ASSET, LIST_ASSETS, LIST_PAYABLE_ASSETS } from "./schema.ts";

/** §13.10.4, §13.18.3. */
export const staffChainRoutes = ({ database, findAsset }: Context): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/assets`, LIST_ASSETS, async ({ caller, params, input }) => {
    const { mint } = input;
    const { environment } = tenantOf(caller, params);
    const decimals = mint === null ? null : await findDecimals(database, environment, mint);
    if (mint === null || decimals === null) return ok(showList([]));
    return ok(showList([showObject(ASSET.show({ address: mint, symbol: symbolOf(mint), decimals }))]));
  }),
  memberRead("read", `${IN_TENANT}/payable-assets`, LIST_PAYABLE_ASSETS, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const assets = await Promise.all(
      WELL_KNOWN_TOKENS.map(async (address) => {
        const found = await unlessUnread(findAsset(tenant, address));
        return found === null || found.refusal !== null
          ? []
          : [showObject(ASSET.show({ address, symbol: symbolOf(address), decimals: found.decimals }))];
      }),
    );
    return ok(showList(assets.flat()));
  }),
];

/** Null while the chain cannot be read. */
async function unlessUnread<Result>(read: Promise<Result>): Promise<Result | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.code === "unavailable") return null;
    throw error;
  }
}
