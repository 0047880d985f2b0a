import { traced } from "../../lib/trace.ts";
import { REST_MS_MAX } from "./limits.ts";
import { malformed, NodeError, rpcError } from "./nodeError.ts";
import { parseObject } from "./shapes.ts";

/** Sends one request to one node and returns its `result`, untrusted, or throws a {@link NodeError}. */
export type Endpoint = (
  method: string,
  params: readonly unknown[],
  options: { bytesMax: number; signal: AbortSignal },
) => Promise<unknown>;

export function createEndpoint(rpcUrl: string, node: number, send: typeof fetch): Endpoint {
  const { url, authorization } = parseUrl(rpcUrl, node);
  const headers = { "content-type": "application/json", accept: "application/json", ...authorization };
  let asked = 0;

  return (method, params, { bytesMax, signal }) =>
    traced(`rpc ${method}`, { node }, async () => {
      asked += 1;
      const id = asked;
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const text = await post(send, url, { method: "POST", headers, body, redirect: "manual", signal }, bytesMax);
      return parseEnvelope(text, id);
    });
}

async function post(send: typeof fetch, url: URL, init: RequestInit & { signal: AbortSignal }, bytesMax: number) {
  try {
    init.signal.throwIfAborted();
    const response = await send(url, init);
    if (response.ok) return await readBody(response, bytesMax);
    await response.body?.cancel();
    throw new NodeError(`HTTP ${response.status}`, { rests: true, restMs: parseRetryAfter(response) });
  } catch (error) {
    if (init.signal.aborted) throw init.signal.reason;
    if (error instanceof NodeError) throw error;
    throw new NodeError(`no connection (${errorCode(error)})`, { rests: true });
  }
}

/** Leaving the loop early cancels the rest of the body. */
async function readBody(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw malformed(`an answer of more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString("utf8");
}

function parseEnvelope(text: string, id: number): unknown {
  const envelope = parseObject(parse(text), "answer");
  if (envelope.error !== undefined && envelope.error !== null) {
    const { code } = parseObject(envelope.error, "error");
    throw typeof code === "number" ? rpcError(code) : malformed("wrong shape of error");
  }
  if (envelope.id !== id) throw malformed("an answer to another question");
  if (envelope.result === undefined) throw malformed("an answer without a result");
  return envelope.result;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("malformed JSON");
  }
}

/**
 * fetch refuses a URL with a user and password, so they travel as a header. The URL itself is never shown: it may hold a
 * key.
 */
function parseUrl(rpcUrl: string, node: number): { url: URL; authorization: Record<string, string> } {
  const url = URL.parse(rpcUrl);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new Error(`RPC URL ${node} is not an http or https address.`);
  }
  if (url.username === "" && url.password === "") return { url, authorization: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  return { url, authorization: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } };
}

/** Parses seconds and ignores the date form. Bounded, so that a node cannot exclude itself for a day. */
function parseRetryAfter(response: Response): number | null {
  const header = response.headers.get("retry-after");
  return header !== null && /^\d{1,6}$/.test(header) ? Math.min(Number(header) * 1_000, REST_MS_MAX) : null;
}

/** The short code of a network error (ECONNREFUSED); its message would name the host. */
function errorCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : null;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "network error";
}
