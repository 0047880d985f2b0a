import { setTimeout as wait } from "node:timers/promises";
import { findProgramError } from "@holdfast/escrow-client";

/** A JSON-RPC error answer, in words a person can use: a refusal of the escrow program is named. */
export class RpcCallError extends Error {
  override readonly name = "RpcCallError";
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown) {
    super(describe(message, data));
    this.code = code;
    this.data = data;
  }
}

/** A failed transaction's error in words; an error of the escrow program is given by its name. */
export function describeTransactionError(error: unknown): string {
  const [, cause] = (error as { InstructionError?: [number, unknown] } | null)?.InstructionError ?? [];
  const code = (cause as { Custom?: number } | undefined)?.Custom;
  const known = code === undefined ? null : findProgramError(code);
  return known ? `${known.name}: ${known.message}` : JSON.stringify(error);
}

function describe(message: string, data: unknown): string {
  const error = (data as { err?: unknown } | undefined)?.err;
  return error && typeof error === "object" ? `${message} (${describeTransactionError(error)})` : message;
}

let nextId = 1;

/** Sends a JSON-RPC request; throws {@link RpcCallError} for an error answer. */
export async function callRpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: nextId++, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const answer = (await response.json()) as { result: T; error?: { code: number; message: string; data?: unknown } };
  if (answer.error) throw new RpcCallError(answer.error.code, answer.error.message, answer.error.data);
  return answer.result;
}

export interface SignatureStatus {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: "processed" | "confirmed" | "finalized";
}

const LEVELS = ["processed", "confirmed", "finalized"] as const;
const POLL_MS = 50;

/** Sends signed wire bytes; throws {@link RpcCallError} when preflight refuses them. */
export async function sendWire(url: string, wire: Uint8Array, skipPreflight = false): Promise<string> {
  const config = { encoding: "base64", preflightCommitment: "confirmed", skipPreflight };
  return callRpc<string>(url, "sendTransaction", [Buffer.from(wire).toString("base64"), config]);
}

/** Waits until the transaction has reached the commitment; throws after `msMax`, and when it failed on chain. */
export async function awaitSignature(
  url: string,
  signature: string,
  commitment: SignatureStatus["confirmationStatus"],
  msMax = 60_000,
): Promise<SignatureStatus> {
  const giveUpAt = performance.now() + msMax;
  for (;;) {
    const { value } = await callRpc<{ value: (SignatureStatus | null)[] }>(url, "getSignatureStatuses", [[signature]]);
    const status = value[0];
    if (status?.err) throw new Error(`the transaction ${signature} failed: ${describeTransactionError(status.err)}`);
    if (status && LEVELS.indexOf(status.confirmationStatus) >= LEVELS.indexOf(commitment)) return status;
    if (performance.now() > giveUpAt)
      throw new Error(`the transaction ${signature} is not ${commitment} after ${msMax} ms`);
    await wait(POLL_MS);
  }
}
