import type { Merchant } from "../../domain/callers.ts";
import { type JsonText, showFields, showTime } from "../../domain/show.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { type ChainHead, type ChainHeads, headOf, withProgress } from "./head.ts";
import { findProgress, type SweepProgress } from "./queries.ts";
import { GET_CHAIN } from "./schema.ts";

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
  return ok(show(environment, head, progress, now));
}

function show(environment: string, head: ChainHead, { watermark, watermarkSlot }: SweepProgress, now: Date): JsonText {
  const behindMs = watermark === null ? null : Math.max(0, now.getTime() - watermark.getTime());
  return showFields({
    object: '"chain"',
    environment: `"${environment}"`,
    slot: JSON.stringify(head.slot),
    finalizedSlot: JSON.stringify(head.finalizedSlot),
    watermark: showTime(watermark),
    watermarkSlot: JSON.stringify(watermarkSlot),
    behindSeconds: JSON.stringify(behindMs === null ? null : Math.floor(behindMs / 1000)),
    nodes: JSON.stringify(head.nodes),
  });
}
