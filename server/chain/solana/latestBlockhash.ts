import { type Blockhash, isBlockhash } from "@solana/kit";
import type { NodeSession } from "./pool.ts";
import { parseInContext, parseInteger, parseObject, parseText, wrong } from "./shapes.ts";

/** A blockhash, and the last height at which a transaction that names it can land. */
export interface LatestBlockhash {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** Refuses an answer from a node that is behind: the chain no longer accepts its blockhash. */
export async function fetchBlockhash(session: NodeSession): Promise<LatestBlockhash> {
  const result = await session.call("getLatestBlockhash", [session.form]);
  const { slot, value } = parseInContext(result, (latest) => parseObject(latest, "blockhash"));
  session.acceptSlot(slot);
  session.acceptAbsence(slot);
  const blockhash = parseText(value.blockhash, "blockhash");
  if (!isBlockhash(blockhash)) throw wrong("blockhash");
  return { blockhash, lastValidBlockHeight: BigInt(parseInteger(value.lastValidBlockHeight, "lastValidBlockHeight")) };
}
