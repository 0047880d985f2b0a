/**
 * Why one node's answer cannot be used. The message is ours alone and repeats nothing that the node or the network library
 * said: their text may hold the URL, and the URL a key.
 */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** The JSON-RPC error code, where the node answered with one. */
  readonly code: number | null;
  /** Whether the node should stand back for a while; an honest "I do not have this" is no reason. */
  readonly rests: boolean;
  /** How long it asked to be left alone (Retry-After). */
  readonly restMs: number | null;
  /** It works, and will never give this: the log says so once. */
  readonly isLack: boolean;

  constructor(message: string, details: { code?: number; rests: boolean; restMs?: number | null; isLack?: boolean }) {
    super(message);
    this.code = details.code ?? null;
    this.rests = details.rests;
    this.restMs = details.restMs ?? null;
    this.isLack = details.isLack ?? false;
  }
}

/** The node's answer is from before the slot asked for. It may well have caught up by the next request. */
export const behind = (message: string): NodeError => new NodeError(message, { rests: false });

/** The node answered something that no honest, working node answers. */
export const malformed = (message: string): NodeError => new NodeError(message, { rests: true });

/** Errors by which a node says that it is unwell, rather than that it lacks the one thing asked for. */
const UNWELL: ReadonlySet<number> = new Set([
  -32005, // node unhealthy
  -32429, // too many requests, as some providers number it
  429,
]);

/** A JSON-RPC error object. Its message is not repeated: some providers put the caller's key in it. */
export function rpcError(code: number): NodeError {
  if (code === RPC_ERRORS.minContextSlotNotReached) {
    return new NodeError("has not reached the slot asked for", { code, rests: false });
  }
  return new NodeError(`JSON-RPC error ${code}`, { code, rests: UNWELL.has(code) });
}

export const RPC_ERRORS = {
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
  /** getSignaturesForAddress: the node does not know `before` or `until` (newer nodes; older ones answer as if it were not given). */
  cursorNotFound: -32020,
} as const;

/** getBlockTime for a slot whose block the node does not have, does not have yet, or that was skipped. */
export const NO_BLOCK_TIME: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009, -32014]);
