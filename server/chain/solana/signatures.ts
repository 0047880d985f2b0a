import type { ChainSignature, Commitment } from "../port.ts";
import { NodeFault, RpcError } from "./fault.ts";
import { readSignatures } from "./history.ts";
import { getSignatureStatuses } from "./lookup.ts";
import type { NodeSession } from "./pool.ts";

export interface HistoryQuery {
  readonly before?: string;
  readonly until?: string;
  readonly limit: number;
}

/**
 * A page of an address's history from one node. What a node does that does not know a cursor depends on its age:
 * - `until`: old nodes answer as if it had not been given, and so do we on behalf of new ones, which refuse. The caller stops by slot.
 * - `before`: old nodes answer with an empty page, which looks like the end of the history. It is taken for the end only
 *   when the node shows that it knows `before`; otherwise another node is asked.
 */
export async function listSignaturesOn(
  session: NodeSession,
  address: string,
  query: HistoryQuery,
  minContextSlot: number,
  commitment: Commitment,
): Promise<readonly ChainSignature[]> {
  const { before, until, limit } = query;
  const ask = async (cursors: { before?: string; until?: string }) => {
    const form = { ...cursors, limit, commitment, ...(minContextSlot > 0 ? { minContextSlot } : {}) };
    return readSignatures(await session.call("getSignaturesForAddress", [address, form]), limit);
  };
  const from = before === undefined ? {} : { before };

  const page = await ask(until === undefined ? from : { ...from, until }).catch((error: unknown) => {
    if (until !== undefined && error instanceof NodeFault && error.code === RpcError.cursorNotFound) return ask(from);
    throw error;
  });
  if (before === undefined || page.length > 0) return page;

  const { value } = await getSignatureStatuses(session, [before]);
  if (value[0] === null) throw new NodeFault("does not know where to go on from", { rests: false });
  return page;
}
