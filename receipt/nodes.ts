import { findProgramDataAddress, PROGRAM_DATA_HEAD_SIZE, UPGRADEABLE_LOADER_ID } from "@holdfast/escrow-client";
import { hashBytes, hexOf, isObject } from "./receipt.ts";

/** The account at an address as one node shows it. */
export interface NodeAnswer {
  readonly genesisHash: string;
  readonly slot: number;
  /** The account's bytes; null: there is no account. */
  readonly account: { readonly owner: string; readonly data: string } | null;
}

/** A transaction as one node shows it; null: the node does not keep it. */
type NodeTransaction = {
  readonly failed: boolean;
  readonly accounts: readonly string[];
  /** In the order they ran, those that others called included. */
  readonly instructions: readonly NodeInstruction[];
} | null;

export interface NodeInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  /** Empty where there are more bytes than a ruling or its memo has. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A node of the chain. Each call throws if the node does not answer. */
export interface Node {
  fetchAccount(address: string, minSlot: number): Promise<NodeAnswer>;
  fetchTransaction(signature: string): Promise<NodeTransaction>;
  /** SHA-256 of the program's file without the zeros that fill it up; null: the node shows no program. */
  fetchProgramHash(programId: string): Promise<string | null>;
}

const ANSWER_MS_MAX = 15_000;
/** A program of 10 MiB in base64 is the largest answer. */
const ANSWER_BYTES_MAX = 16_000_000;

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
  // A chain with a certificate of Alpenglow is read at `finalized`, which is all that its nodes will go on taking.
  const seen = call("getAgGenesisCert", []).then(isCertificate, () => false);
  const readCommitment = async () => ((await seen) ? "finalized" : "confirmed");
  return {
    fetchAccount: async (address, minSlot) => {
      const genesisHash = await call("getGenesisHash", []);
      const form = { encoding: "base64", commitment: await readCommitment(), minContextSlot: minSlot };
      const result = await call("getAccountInfo", [address, form]);
      const { context, value } = isObject(result) ? result : {};
      const slot = isObject(context) ? context.slot : null;
      if (typeof genesisHash !== "string" || typeof slot !== "number") throw new NodeError("The answer has no slot.");
      if (slot < minSlot) throw new NodeError(`The node is behind slot ${minSlot}.`);
      return { genesisHash, slot, account: parseAccount(value) };
    },
    fetchProgramHash: async (programId) => {
      const form = { encoding: "base64", commitment: await readCommitment() };
      const read = async (address: string) => {
        const result = await call("getAccountInfo", [address, form]);
        return parseAccount(isObject(result) ? result.value : undefined);
      };
      const program = await read(programId);
      if (program?.owner !== UPGRADEABLE_LOADER_ID) return program && hashFile(program.data, 0);
      const data = await read(await findProgramDataAddress(programId as typeof UPGRADEABLE_LOADER_ID));
      return data && hashFile(data.data, PROGRAM_DATA_HEAD_SIZE);
    },
    fetchTransaction: async (signature) => {
      const form = { encoding: "json", commitment: await readCommitment(), maxSupportedTransactionVersion: 1 };
      return parseTransaction(await call("getTransaction", [signature, form]));
    },
  };
}

const BLOCK_ID_BYTES = 32;

function isCertificate(value: unknown): boolean {
  const { block } = isObject(value) ? value : {};
  if (!isObject(block)) return false;
  // Agave 4.3 says blockId, 4.2 says block_id.
  const id = block.blockId ?? block.block_id;
  return Number.isSafeInteger(block.slot) && Array.isArray(id) && id.length === BLOCK_ID_BYTES;
}

function parseAccount(value: unknown): NodeAnswer["account"] {
  if (value === null) return null;
  const { owner, data } = isObject(value) ? value : {};
  const [text] = Array.isArray(data) ? data : [];
  if (typeof owner !== "string" || typeof text !== "string") throw new NodeError("The answer has no account.");
  return { owner, data: text };
}

async function hashFile(data: string, head: number): Promise<string> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)).subarray(head);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return hexOf(await hashBytes(bytes.slice(0, end)));
}

function parseTransaction(value: unknown): NodeTransaction {
  if (value === null) return null;
  const { meta, transaction } = isObject(value) ? value : {};
  const { message } = isObject(transaction) ? transaction : {};
  if (!isObject(meta) || !isObject(message)) throw new NodeError("The answer has no transaction.");
  const { writable, readonly } = isObject(meta.loadedAddresses) ? meta.loadedAddresses : {};
  const accounts = [message.accountKeys, writable, readonly].flatMap((list) => (Array.isArray(list) ? list : []));
  const inner = Array.isArray(meta.innerInstructions) ? meta.innerInstructions : [];
  const called = inner.flatMap((group) =>
    isObject(group) && Array.isArray(group.instructions) ? group.instructions : [],
  );
  const own = Array.isArray(message.instructions) ? message.instructions : [];
  const nameAt = (index: unknown): string => String(accounts[Number(index)]);
  const instructions = [...own, ...called].filter(isObject).map((one) => ({
    program: nameAt(one.programIdIndex),
    accounts: Array.isArray(one.accounts) ? one.accounts.map(nameAt) : [],
    data: decodeBase58(String(one.data)),
  }));
  return { failed: meta.err !== null, accounts: accounts.map(String), instructions };
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** A memo of 64 hex digits has 88 characters. */
const DATA_CHARACTERS_MAX = 200;

function decodeBase58(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > DATA_CHARACTERS_MAX || [...text].some((letter) => !BASE58.includes(letter)))
    return new Uint8Array();
  const zeros = /^1*/.exec(text)![0].length;
  const bytes: number[] = [];
  let value = [...text].reduce((sum, letter) => sum * 58n + BigInt(BASE58.indexOf(letter)), 0n);
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n));
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
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
