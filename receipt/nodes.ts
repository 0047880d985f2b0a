import { isObject } from "./receipt.ts";

/** The account at an address as one node shows it. */
export interface NodeAnswer {
  readonly genesisHash: string;
  readonly slot: number;
  /** Null: there is no account. */
  readonly account: { readonly owner: string; readonly data: string } | null;
}

/** A transaction as one node shows it; null: the node does not keep it. */
type NodeTransaction = { readonly failed: boolean; readonly accounts: readonly string[] } | null;

/** A node of the chain. Each call throws if the node does not answer. */
export interface Node {
  fetchAccount(address: string, minSlot: number): Promise<NodeAnswer>;
  fetchTransaction(signature: string): Promise<NodeTransaction>;
}

const ANSWER_MS_MAX = 15_000;
const ANSWER_BYTES_MAX = 2_000_000;

class NodeError extends Error {
  override readonly name = "NodeError";
}

/** Asks a node by JSON-RPC. */
export function openNode(url: string): Node {
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetchJson(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (!isObject(answer) || answer.result === undefined) throw new NodeError(`The node refused ${method}.`);
    return answer.result;
  };
  return {
    fetchAccount: async (address, minSlot) => {
      const genesisHash = await call("getGenesisHash", []);
      const form = { encoding: "base64", commitment: "confirmed", minContextSlot: minSlot };
      const result = await call("getAccountInfo", [address, form]);
      const { context, value } = isObject(result) ? result : {};
      const slot = isObject(context) ? context.slot : null;
      if (typeof genesisHash !== "string" || typeof slot !== "number") throw new NodeError("The answer has no slot.");
      if (slot < minSlot) throw new NodeError(`The node is behind slot ${minSlot}.`);
      return { genesisHash, slot, account: parseAccount(value) };
    },
    fetchTransaction: async (signature) => {
      const form = { encoding: "json", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
      return parseTransaction(await call("getTransaction", [signature, form]));
    },
  };
}

function parseAccount(value: unknown): NodeAnswer["account"] {
  if (value === null) return null;
  const { owner, data } = isObject(value) ? value : {};
  const [text] = Array.isArray(data) ? data : [];
  if (typeof owner !== "string" || typeof text !== "string") throw new NodeError("The answer has no account.");
  return { owner, data: text };
}

function parseTransaction(value: unknown): NodeTransaction {
  if (value === null) return null;
  const { meta, transaction } = isObject(value) ? value : {};
  const { message } = isObject(transaction) ? transaction : {};
  if (!isObject(meta) || !isObject(message)) throw new NodeError("The answer has no transaction.");
  const { writable, readonly } = isObject(meta.loadedAddresses) ? meta.loadedAddresses : {};
  const accounts = [message.accountKeys, writable, readonly].flatMap((list) => (Array.isArray(list) ? list : []));
  return { failed: meta.err !== null, accounts: accounts.map(String) };
}

/** Fetches JSON within a time and a size, and follows no redirect. */
export async function fetchJson(url: string, request: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...request, redirect: "error", signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (!response.ok) throw new NodeError(`The answer is HTTP ${response.status}.`);
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new NodeError("The answer is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
