/** An answer in the error envelope of JSON-RPC, with the codes of a Solana validator. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailed: -32002,
  blockNotAvailable: -32004,
  nodeUnhealthy: -32005,
  slotSkipped: -32007,
  unsupportedVersion: -32015,
  minContextSlot: -32016,
  cursorNotFound: -32020,
} as const;

export const invalidParams = (message: string): RpcError => new RpcError(RPC_CODES.invalidParams, message);
