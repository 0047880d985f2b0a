import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Chain } from "../chain.ts";
import type { ActiveFault, Faults } from "../faults.ts";
import type { Requests } from "../requests.ts";
import { answerCall, type Call, RPC_METHODS, readCall, showError } from "./dispatch.ts";
import { RPC_CODES, RpcError } from "./errors.ts";
import { HONEST, type Methods, View } from "./view.ts";

const BODY_BYTES_MAX = 512 * 1024;
const BATCH_MAX = 100;
const SLOW_MS = 3000;
/** A request that is never answered is ended after this time, so that it does not hold its socket for ever. */
const TIME_OUT_MS = 60_000;
const CONTROL_PREFIX = "devnet_";
const BROWSER_HEADERS = ["origin", "sec-fetch-site", "cookie"] as const;
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type, solana-client",
  "access-control-max-age": "600",
};

export interface FrontParts {
  readonly chain: Chain;
  readonly faults: Faults;
  readonly requests: Requests;
  readonly controls: Methods;
}

/** A URL's path names the node that is asked: "" the first one. All are the same chain; they differ only by their faults. */
export const nodeOf = (request: IncomingMessage): string =>
  (request.url ?? "/").split("?")[0]!.replace(/^\/+|\/+$/g, "");

/** The JSON-RPC front: a maker of servers, since each loopback address has its own. */
export function makeRpcServer(parts: FrontParts): () => Server {
  return () =>
    createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      answer(parts, request, response).catch((error: unknown) => {
        if (!response.headersSent) send(response, 500, showError(error, null));
        else response.destroy();
      });
    });
}

async function answer(parts: FrontParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
  if (request.method === "GET" && nodeOf(request) === "health") return void response.writeHead(200).end("ok");
  if (request.method !== "POST")
    return void response.writeHead(405, { allow: "POST" }).end("Used HTTP Method is not allowed. POST is required");
  const body = await readBody(request);
  if (body === null) return void response.writeHead(413, { connection: "close" }).end();
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return send(response, 200, showError(new RpcError(RPC_CODES.parse, "Parse error"), null));
  }
  const isBrowser = BROWSER_HEADERS.some((name) => request.headers[name] !== undefined);
  const calls = Array.isArray(value) ? value : [value];
  if (calls.length === 0 || calls.length > BATCH_MAX)
    return send(response, 200, showError(new RpcError(RPC_CODES.invalidRequest, "Invalid request"), null));

  const answers: object[] = [];
  for (const one of calls) {
    const answered = await answerOne(parts, nodeOf(request), one, isBrowser);
    if ("fault" in answered) return misbehave(answered.fault, answered.call, response, answered.late);
    answers.push(answered.envelope);
  }
  send(response, 200, Array.isArray(value) ? answers : answers[0]!);
}

type Answered =
  | { readonly envelope: object }
  | { readonly fault: ActiveFault; readonly call: Call; readonly late: () => Promise<object> };

async function answerOne(parts: FrontParts, node: string, value: unknown, isBrowser: boolean): Promise<Answered> {
  let call: Call;
  try {
    call = readCall(value);
  } catch (error) {
    return { envelope: showError(error, (value as { id?: unknown } | null)?.id ?? null) };
  }
  if (call.method.startsWith(CONTROL_PREFIX)) {
    // A page in the developer's browser must not be able to move the clock or mint funds.
    if (isBrowser)
      return { envelope: showError(new RpcError(RPC_CODES.invalidRequest, "Controls are not for browsers"), call.id) };
    const list = Array.isArray(call.params) ? call.params : [call.params ?? {}];
    return { envelope: await answerCall(parts.controls, { ...call, params: list }, new View(parts.chain, HONEST)) };
  }
  parts.requests.count(call.method);
  const { transport, distortion } = parts.faults.take(node, call.method);
  const late = async () => {
    const envelope = await answerCall(RPC_METHODS, call, new View(parts.chain, distortion));
    if ("error" in envelope) parts.requests.countRefused(call.method);
    return envelope;
  };
  return transport ? { fault: transport, call, late } : { envelope: await late() };
}

async function misbehave(
  fault: ActiveFault,
  call: Call,
  response: ServerResponse,
  late: () => Promise<object>,
): Promise<void> {
  const wait = (ms: number, then: () => void) => {
    const timer = setTimeout(then, ms);
    response.once("close", () => clearTimeout(timer));
  };
  switch (fault.mode) {
    case "rate_limited":
      response.setHeader("retry-after", "1");
      return send(response, 429, {
        jsonrpc: "2.0",
        error: { code: 429, message: "Too many requests for a specific RPC call" },
        id: call.id,
      });
    case "slow":
      return wait(fault.ms ?? SLOW_MS, async () => send(response, 200, await late()));
    case "time_out":
      return wait(TIME_OUT_MS, () => response.destroy());
    case "malformed":
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"jsonrpc":"2.0","result":{"context":{"slo');
    case "not_json":
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end("<html><body>502 Bad Gateway</body></html>");
    case "empty":
      return void response.writeHead(200, { "content-type": "application/json" }).end();
    case "server_error":
      return void response.writeHead(503, { "content-type": "text/plain" }).end("upstream connect error");
    case "reset":
      return void response.destroy();
    case "rpc_error":
      return send(
        response,
        200,
        showError(new RpcError(fault.code ?? RPC_CODES.nodeUnhealthy, fault.message ?? "Node is unhealthy"), call.id),
      );
    case "null_result":
      return send(response, 200, { jsonrpc: "2.0", result: null, id: call.id });
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { ...CORS, "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}
