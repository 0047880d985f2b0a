import { isAddress } from "../../domain/addresses.ts";
import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { showObject } from "../../domain/show.ts";
import type { Environment } from "../../domain/terms.ts";
import { labelOf } from "../../domain/tokens.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import type { Hold } from "./chain.ts";
import { type ChainHeads, headOf, withProgress } from "./head.ts";
import { findProgress } from "./queries.ts";
import { CHAIN, GET_ASSET, GET_CHAIN, MERCHANT_ASSET } from "./schema.ts";

type FindHold = (environment: Environment) => Promise<Hold | null>;

/** §4.12, §4.17. */
export const chainRoutes = (ctx: Context, heads: ChainHeads, findHold: FindHold): Route<Merchant>[] => [
  readRoute("/chain", GET_CHAIN, (call) => getChain(ctx, call, heads, findHold)),
  readRoute("/assets/:mint", GET_ASSET, (call) => getAsset(ctx, call)),
];

async function getAsset({ findAsset }: Context, { caller, params }: Call<Merchant, null>): Promise<Reply> {
  const mint = params.mint!;
  const asset = isAddress(mint) ? await findAsset(caller, mint) : null;
  if (asset === null)
    throw new ApiError(
      "not_found",
      `There is no SPL Token or Token-2022 mint at this address on the ${caller.environment} chain.`,
    );
  const { symbol, name } = labelOf(mint) ?? { symbol: null, name: null };
  const { decimals, tokenProgram, refusal } = asset;
  return ok(
    showObject(
      MERCHANT_ASSET.show({ mint, symbol, name, decimals, tokenProgram, accepted: refusal === null, reason: refusal }),
    ),
  );
}

async function getChain(
  { database }: Context,
  { caller: { environment }, now }: Call<Merchant, null>,
  heads: ChainHeads,
  findHold: FindHold,
): Promise<Reply> {
  const [progress, heldBy] = await Promise.all([findProgress(database, environment), findHold(environment)]);
  const head = withProgress(headOf(heads, environment), progress.watermarkSlot);
  const { watermark } = progress;
  const behindMs = watermark === null ? null : Math.max(0, now.getTime() - watermark.getTime());
  const behindSeconds = behindMs === null ? null : Math.floor(behindMs / 1000);
  return ok(showObject(CHAIN.show({ environment, ...head, ...progress, behindSeconds, heldBy })));
}
