import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RPC_ERRORS } from "../nodeError.ts";
import { UNREACHED_SLOT } from "../signatures.ts";

/** One request as it arrived. */
interface Arrived {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
}

/** A fault in place of an answer. */
export type Fault =
  | { readonly kind: "http"; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: "rpc"; readonly code: number }
  | { readonly kind: "body"; readonly text: string }
  | { readonly kind: "result"; readonly result: unknown }
  /** Takes the request and never answers. */
  | { readonly kind: "hang" }
  /** Answers the head and the first byte of a body that never ends. */
  | { readonly kind: "trickle" }
  /** A body of `bytes` bytes. */
  | { readonly kind: "flood"; readonly bytes: number }
  | { readonly kind: "reset" };

export const rpcError = (code: number): Fault => ({ kind: "rpc", code });

type Answer = (params: readonly unknown[]) => unknown;

/** A JSON-RPC node over real HTTP on loopback, with the answers that the test sets. */
export interface FakeNode extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Arrived[];
  /** Settles when a request of the method arrives after the call. */
  arrival(method: string): Promise<Arrived>;
  /** Sets the result of a method; a {@link Fault} built by `rpcError` answers with that error. */
  answer(method: string, answer: Answer): void;
  /** From now on every request fails like this; null: the node works again. */
  fail(fault: Fault | null): void;
  /** The next request fails like this. */
  failOnce(fault: Fault): void;
}

/** `ignoresMinSlot`: answers as of any slot, also one that it cannot have reached. */
export async function startFakeNode(
  answers: Readonly<Record<string, Answer>> = {},
  { ignoresMinSlot = false }: { readonly ignoresMinSlot?: boolean } = {},
): Promise<FakeNode> {
  const known = new Map(Object.entries(answers));
  const requests: Arrived[] = [];
  const waiting: { method: string; resolve: (arrived: Arrived) => void }[] = [];
  const upcoming: Fault[] = [];
  let always: Fault | null = null;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (!ignoresMinSlot && params?.[1]?.minContextSlot === UNREACHED_SLOT) {
      misbehave(response, id, rpcError(RPC_ERRORS.minContextSlotNotReached));
      return;
    }
    const arrived = { method, params, headers: request.headers };
    requests.push(arrived);
    const fault = upcoming.shift() ?? always;
    if (fault === null) reply(response, id, known.get(method)?.(params) ?? null);
    else misbehave(response, id, fault);
    for (const { resolve } of waiting.filter((each) => each.method === method)) resolve(arrived);
  });
  // On a slow machine Node.js would close an idle connection at the moment a request arrives on it.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    arrival: (method) => new Promise((resolve) => waiting.push({ method, resolve })),
    answer: (method, answer) => known.set(method, answer),
    fail(fault) {
      always = fault;
    },
    failOnce: (fault) => upcoming.push(fault),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function reply(response: ServerResponse, id: unknown, result: unknown): void {
  if (isFault(result)) misbehave(response, id, result);
  else response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

const isFault = (result: unknown): result is Fault =>
  typeof result === "object" && result !== null && "kind" in result && result.kind === "rpc";

function misbehave(response: ServerResponse, id: unknown, fault: Fault): void {
  switch (fault.kind) {
    case "http":
      response.writeHead(fault.status, fault.headers);
      response.end("secret-in-body");
      return;
    case "rpc":
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: fault.code, message: "secret-in-message" } }));
      return;
    case "body":
      response.end(fault.text);
      return;
    case "result":
      reply(response, id, fault.result);
      return;
    case "hang":
      return;
    case "trickle":
      response.writeHead(200);
      response.write("{");
      return;
    case "flood":
      response.write(" ".repeat(fault.bytes));
      response.end("{}");
      return;
    case "reset":
      response.socket?.destroy();
  }
}
