/**
 * The reason why one node's answer cannot be used. The message is ours alone and repeats no text of the node or the
 * network library: it may hold the URL, and the URL a key.
 */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** The JSON-RPC error code, if the node answered with one. */
  readonly code: number | null;
  /** True if the node should rest for a while; an honest "I do not have this" is no reason. */
  readonly rests: boolean;
  /** The wait that the node asked for (Retry-After). */
  readonly restMs: number | null;
  /** The node works, and will never support this request: the log says so once. */
  readonly isLack: boolean;

  constructor(message: string, details: { code?: number; rests: boolean; restMs?: number | null; isLack?: boolean }) {
    super(message);
    this.code = details.code ?? null;
    this.rests = details.rests;
    this.restMs = details.restMs ?? null;
    this.isLack = details.isLack ?? false;
  }
}

/** The node's answer is from before the requested slot. It may have caught up by the next request. */
export const behind = (message: string): NodeError => new NodeError(message, { rests: false });

/** The node answered something that no honest, working node answers. */
export const malformed = (message: string): NodeError => new NodeError(message, { rests: true });

/** Errors by which a node says that it is unhealthy, not that it lacks the requested item. */
const UNWELL: ReadonlySet<number> = new Set([
  -32005, // node unhealthy
  -32429, // too many requests, as some providers number it
  429,
]);

/** Makes the error of a JSON-RPC error object. Its message is not repeated: some providers put the caller's key in it. */
export function rpcError(code: number): NodeError {
  if (code === RPC_ERRORS.minContextSlotNotReached) {
    return new NodeError("has not reached the slot asked for", { code, rests: false });
  }
  return new NodeError(`JSON-RPC error ${code}`, { code, rests: UNWELL.has(code) });
}

export const RPC_ERRORS = {
  invalidParams: -32602,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
  /** getSignaturesForAddress: the node does not know `before` or `until` (newer nodes; older ones ignore them). */
  cursorNotFound: -32020,
} as const;

/** getBlockTime for a slot whose block is missing on the node, not there yet, or skipped. */
export const NO_BLOCK_TIME: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009, -32014]);
