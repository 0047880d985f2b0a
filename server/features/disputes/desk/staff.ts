import type { Visitor } from "../../../domain/callers.ts";
import { showPage } from "../../../domain/page.ts";
import { showList, showObject } from "../../../domain/show.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { arbiterRead, arbiterWrite, FRESH, missing, STALE } from "../../../edge/staff/route.ts";
import type { Context } from "../../context.ts";
import { attachFile } from "../uploads/attachment.ts";
import { GET_DESK_FILE } from "../uploads/schema.ts";
import { askSides, claimDispute, type DeskReader, handOver, noteDispute, readDispute } from "./actions.ts";
import { warningOf } from "./desk.ts";
import { findDeskState, listArbiters, listLoose, listQueue } from "./queries.ts";
import * as api from "./schema.ts";

const readerOf = (
  { userId }: { readonly userId: string },
  { checkoutUrl, policyHashOfP }: Omit<DeskReader, "userId">,
) => ({
  userId,
  checkoutUrl,
  policyHashOfP,
});

const ONE = "/desk/disputes/:dispute";

/** §13.22: the arbiter's desk. Every other user gets 404. */
export const deskRoutes = (ctx: Context, policyHashOfP: DeskReader["policyHashOfP"]): Route<Visitor>[] => {
  const { database, slowDatabase, checkoutUrl } = ctx;
  const site = { checkoutUrl, policyHashOfP };
  return [
    arbiterRead("/desk/disputes", api.LIST_DESK, async ({ caller, input }) => {
      const rows = await listQueue(slowDatabase, caller.userId, input);
      if (rows === null) throw missing();
      return ok(
        showPage(rows, input.limit, (row) => {
          const parts = {
            total: row.amount,
            symbol: symbolOf(row.asset),
            warning: warningOf(row, row.now) ?? "none",
          } as const;
          return showObject(api.showRow({ ...row, ...parts }));
        }),
      );
    }),
    arbiterRead(ONE, api.GET_DESK_DISPUTE, async ({ caller, params }) =>
      ok(await readDispute(database, readerOf(caller, site), params.dispute!)),
    ),
    arbiterRead(`${ONE}/files/:file`, GET_DESK_FILE, async ({ caller, params: { dispute, file } }) => {
      const tenant = await findDeskState(database, caller.userId, dispute!);
      const reply = tenant && (await attachFile(database, tenant, dispute!, file!));
      if (reply === null) throw missing();
      return reply;
    }),
    arbiterWrite("POST", `${ONE}/claim`, api.CLAIM, STALE, async ({ caller, params }) =>
      ok(await claimDispute(database, readerOf(caller, site), params.dispute!)),
    ),
    arbiterWrite("POST", `${ONE}/hand-over`, api.HAND_OVER, STALE, async ({ caller, params, input }) =>
      ok(await handOver(database, readerOf(caller, site), params.dispute!, input.to)),
    ),
    arbiterWrite("PUT", `${ONE}/note`, api.NOTE, STALE, async ({ caller, params, input }) =>
      ok(await noteDispute(database, readerOf(caller, site), params.dispute!, input.text)),
    ),
    arbiterWrite("POST", `${ONE}/questions`, api.ASK, FRESH, async ({ caller, params, input }) =>
      created(await askSides(database, readerOf(caller, site), params.dispute!, input)),
    ),
    arbiterRead("/desk/arbiters", api.LIST_ARBITERS, async () =>
      ok(showList((await listArbiters(slowDatabase)).map((one) => showObject(api.showArbiter(one))))),
    ),
    arbiterRead("/desk/payments", api.LIST_LOOSE, async () =>
      ok(showList((await listLoose(slowDatabase)).map((one) => showObject(api.showLoose(one))))),
    ),
  ];
};
