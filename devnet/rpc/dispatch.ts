import { accountMethods } from "./accounts.ts";
import { clusterMethods } from "./cluster.ts";
import { RPC_CODES, RpcError } from "./errors.ts";
import { historyMethods } from "./history.ts";
import { Params } from "./params.ts";
import { tokenMethods } from "./tokens.ts";
import { transactionMethods } from "./transactions.ts";
import type { Method, Methods, View } from "./view.ts";

export const RPC_METHODS: Methods = {
  ...accountMethods,
  ...clusterMethods,
  ...historyMethods,
  ...tokenMethods,
  ...transactionMethods,
};

/** A request of a body, parsed but not validated. */
export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** Reads the request in this JSON value; throws the error answer for a value that is no request. */
export function readCall(value: unknown): Call {
  const { jsonrpc, id, method, params } = (value ?? {}) as Record<string, unknown>;
  if (jsonrpc !== "2.0" || typeof method !== "string") throw new RpcError(RPC_CODES.invalidRequest, "Invalid request");
  return { id: id ?? null, method, params };
}

/** Answers one request in the envelope; never throws. */
export async function answerCall(methods: Methods, call: Call, view: View): Promise<object> {
  try {
    const method: Method | undefined = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!method) throw new RpcError(RPC_CODES.methodNotFound, "Method not found");
    const params = new Params(call.params, method.params);
    if (view.distortion.lacks.has("confirmed_refused")) params.refuseConfirmed();
    const result = await method.answer(view, params);
    return { jsonrpc: "2.0", result, id: call.id };
  } catch (error) {
    return showError(error, call.id);
  }
}

export function showError(error: unknown, id: unknown): object {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { jsonrpc: "2.0", error: { code, message, ...(data !== undefined && { data }) }, id };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { jsonrpc: "2.0", error: { code: RPC_CODES.internal, message }, id };
}
