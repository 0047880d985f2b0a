import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answered {
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * A node's reply in place of its answer: another answer, or null if the lie wrote to the response itself. `ask` returns the
 * honest answer, for other parameters if any are given.
 */
export type Lie = (
  asked: Asked,
  ask: (params?: readonly unknown[]) => Promise<Answered>,
  response: ServerResponse,
) => Promise<Answered | null>;

export const honest: Lie = (_, ask) => ask();

/** A node that forwards everything to an honest one, except for the changes of its lie. */
export class LyingNode implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });
  /** The honest node's URL, once it is known. */
  target = "";
  lie: Lie = honest;
  requests = 0;

  static async start(): Promise<LyingNode> {
    const node = new LyingNode();
    node.#server.listen(0, "127.0.0.1");
    await once(node.#server, "listening");
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
    this.requests++;
    const ask = async (params = asked.params): Promise<Answered> => {
      const body = JSON.stringify({ ...asked, jsonrpc: "2.0", params });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(this.target, { method: "POST", headers, body });
      const { result, error } = (await answer.json()) as Answered;
      return error === undefined ? { result } : { error };
    };
    const answer = await this.lie(asked, ask, response);
    if (answer !== null) response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...answer }));
  }
}
