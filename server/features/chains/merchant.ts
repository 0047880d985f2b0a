import type { Merchant } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { type ChainHeads, headOf, withProgress } from "./head.ts";
import { findProgress } from "./queries.ts";
import { CHAIN, GET_CHAIN } from "./schema.ts";

export interface ChainStatusDeps {
  readonly database: Database;
  readonly heads: ChainHeads;
}

/** §4.12. */
export const chainRoutes = (deps: ChainStatusDeps): Route<Merchant>[] => [
  readRoute("/chain", GET_CHAIN, (call) => getChain(deps, call)),
];

async function getChain(
  { database, heads }: ChainStatusDeps,
  { caller: { environment }, now }: Call<Merchant, null>,
): Promise<Reply> {
  const progress = await findProgress(database, environment);
  const head = withProgress(headOf(heads, environment), progress.watermarkSlot);
  const { watermark } = progress;
  const behindMs = watermark === null ? null : Math.max(0, now.getTime() - watermark.getTime());
  const behindSeconds = behindMs === null ? null : Math.floor(behindMs / 1000);
  return ok(showObject(CHAIN.show({ environment, ...head, ...progress, behindSeconds })));
}
