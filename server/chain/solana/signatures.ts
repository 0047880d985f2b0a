import { type Commitment, LEVELS } from "../consensus.ts";
import type { ChainSignature, SignatureStatus } from "../port.ts";
import { malformed, NodeError, RPC_ERRORS } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import {
  parseArray,
  parseBlockTime,
  parseFailed,
  parseInContext,
  parseInteger,
  parseObject,
  parseText,
  wrong,
} from "./shapes.ts";

export interface HistoryQuery {
  readonly before?: string;
  readonly until?: string;
  readonly limit: number;
}

/**
 * Fetches a page of an address's history from one node. Nodes of different ages treat an unknown cursor differently:
 * - `until`: old nodes ignore it, and so do we on behalf of new ones, which refuse. The caller stops by slot.
 * - `before`: old nodes answer with an empty page, which resembles the end of the history. It counts as the end only when
 * the node shows that it knows `before`; otherwise another node is asked.
 */
export async function getSignaturesForAddress(
  session: NodeSession,
  address: string,
  query: HistoryQuery,
  minContextSlot: number,
  commitment: Commitment,
): Promise<readonly ChainSignature[]> {
  const { before, until, limit } = query;
  const ask = async (cursors: { before?: string; until?: string }) => {
    const form = { ...cursors, limit, commitment, ...(minContextSlot > 0 ? { minContextSlot } : {}) };
    return parseSignatures(await session.call("getSignaturesForAddress", [address, form]), limit);
  };
  const from = before === undefined ? {} : { before };

  const page = await ask(until === undefined ? from : { ...from, until }).catch((error: unknown) => {
    if (until !== undefined && error instanceof NodeError && error.code === RPC_ERRORS.cursorNotFound) return ask(from);
    throw error;
  });
  if (before === undefined || page.length > 0) return page;

  const { value } = await getSignatureStatuses(session, [before]);
  if (value[0] === null) throw new NodeError("does not know where to go on from", { rests: false });
  return page;
}

/** No chain has reached this slot yet. */
export const UNREACHED_SLOT = 10 ** 15;

/** Asks a node for a page as of a slot that it cannot have reached: some answer all the same. */
export const refusesMinContextSlot = (session: NodeSession, address: string): Promise<boolean> =>
  session.call("getSignaturesForAddress", [address, { limit: 1, minContextSlot: UNREACHED_SLOT }]).then(
    () => false,
    (error: unknown) => {
      if (error instanceof NodeError && error.code === RPC_ERRORS.minContextSlotNotReached) return true;
      throw error;
    },
  );

/** Newest first, as the sweep relies on. */
function parseSignatures(result: unknown, limit: number): readonly ChainSignature[] {
  const signatures = parseArray(result, "signatures").map(parseSignature);
  if (signatures.length > limit) throw malformed("more signatures than asked for");
  if (signatures.some(({ slot }, at) => at > 0 && slot > signatures[at - 1]!.slot))
    throw malformed("signatures out of order");
  if (new Set(signatures.map(({ signature }) => signature)).size !== signatures.length)
    throw malformed("a signature twice");
  return signatures;
}

function parseSignature(value: unknown): ChainSignature {
  const line = parseObject(value, "signature");
  return {
    signature: parseText(line.signature, "signature.signature"),
    slot: parseInteger(line.slot, "signature.slot"),
    failed: parseFailed(line, "signature"),
    blockTime: parseBlockTime(line.blockTime, "signature.blockTime"),
  };
}

/**
 * Returns one status for each signature, in the same order. The slot is that of the newest block processed, whatever the
 * statuses' commitment.
 */
export async function getSignatureStatuses(session: NodeSession, signatures: readonly string[]) {
  const result = await session.call("getSignatureStatuses", [signatures, { searchTransactionHistory: true }]);
  return parseInContext(result, (value) => parseSignatureStatuses(value, signatures.length));
}

function parseSignatureStatuses(value: unknown, count: number): readonly SignatureStatus[] {
  const statuses = parseArray(value, "statuses");
  if (statuses.length !== count) throw wrong("statuses");
  return statuses.map((status) => {
    if (status === null) return null;
    const line = parseObject(status, "status");
    return {
      slot: parseInteger(line.slot, "status.slot"),
      commitment: parseCommitment(line),
      failed: parseFailed(line, "status"),
    };
  });
}

/** Old history comes without a commitment; no confirmations left to count then mean finalized. */
function parseCommitment({ confirmationStatus, confirmations }: Readonly<Record<string, unknown>>) {
  const level = LEVELS.find((one) => one === confirmationStatus);
  if (level !== undefined) return level;
  if (confirmationStatus !== null && confirmationStatus !== undefined) throw wrong("status.confirmationStatus");
  return confirmations === null ? "finalized" : "processed";
}
