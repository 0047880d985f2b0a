import { type Blockhash, isBlockhash } from "@solana/kit";
import type { NodeSession } from "./pool.ts";
import { parseInContext, parseInteger, parseObject, parseText, wrong } from "./shapes.ts";

/** What a transaction names so that it can land for a minute or so. */
export interface LatestBlockhash {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** Refuses an old node's: it would hand out a blockhash that the chain no longer takes. */
export async function fetchBlockhash(session: NodeSession): Promise<LatestBlockhash> {
  const result = await session.call("getLatestBlockhash", [{ commitment: "confirmed" }]);
  const { slot, value } = parseInContext(result, (latest) => parseObject(latest, "blockhash"));
  session.acceptSlot(slot, "confirmed");
  session.acceptAbsence(slot, "confirmed");
  const blockhash = parseText(value.blockhash, "blockhash");
  if (!isBlockhash(blockhash)) throw wrong("blockhash");
  return { blockhash, lastValidBlockHeight: BigInt(parseInteger(value.lastValidBlockHeight, "lastValidBlockHeight")) };
}
