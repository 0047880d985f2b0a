import type { Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { symbolOf } from "../../domain/tokens.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, tenantOf } from "../../edge/staff/route.ts";
import type { Context } from "../context.ts";
import { readOverview } from "./actions.ts";
import { type AssetRow, draftEscrow, type Matter, type WatchOf } from "./overview.ts";
import { GET_OVERVIEW, showAsset, showMatter } from "./schema.ts";

/** §13.17. */
export const overviewRoutes = (ctx: Context, watchOf: WatchOf): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/overview`, GET_OVERVIEW, async ({ caller, params, input }) => {
    const overview = await readOverview(ctx, watchOf, tenantOf(caller, params), { token: input.token, ...caller });
    const { matters, assets } = overview;
    return ok(
      showObject({
        object: "overview",
        ...overview,
        matters: matters.map(describeMatter),
        assets: assets.map(describeAsset),
      }),
    );
  }),
];

const describeMatter = (one: Matter) => showMatter({ ...one, symbol: one.asset === null ? null : symbolOf(one.asset) });

function describeAsset(row: AssetRow) {
  return showAsset({
    ...row,
    ...draftEscrow(row),
    symbol: symbolOf(row.asset),
    releases: (row.days ?? []).map(([from, amount, payments]) => ({ from, amount, payments })),
    week: {
      released: row.weekReleased,
      releasedPayments: row.weekReleasedPayments,
      refunded: row.weekRefunded,
      refundedPayments: row.weekRefundedPayments,
    },
  });
}
