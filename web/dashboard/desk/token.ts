import type { DeskDispute } from "../api/schema.ts";
import { type ShownToken, shownToken } from "../objects/amount.tsx";

/** The token of a dispute, which names it: an arbiter is no member of its business, and reads none of its lists. */
export const tokenOf = ({ asset, symbol, decimals }: Pick<DeskDispute, "asset" | "symbol" | "decimals">): ShownToken =>
  shownToken(asset, decimals === null ? { symbol: null, decimals: null } : { symbol, decimals });
