import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/**
 * A fault of the network. `before`: reset before the service gets the request; `after`: once it has answered; `within`: in
 * the middle of its answer. `hang`: the service does its work, and its answer never arrives.
 */
export type Fault = "none" | "before" | "after" | "within" | "hang" | "429" | "502" | "503";

interface Passed {
  readonly key: string | undefined;
  readonly body: string;
  readonly path: string;
  readonly fault: Fault;
}

/** A proxy in front of the service. */
export interface BadNetwork extends AsyncDisposable {
  readonly url: string;
  /** Every request that came, whatever became of it. */
  readonly passed: Passed[];
  /** Ends all connections, and refuses new ones until it is mended. */
  cut(): void;
  mend(): void;
}

const ANSWERS: Readonly<Partial<Record<Fault, readonly [status: number, type: string, text: string]>>> = {
  "429": [429, "application/json", '{"error":{"code":"rate_limited","message":"Too many."}}'],
  "502": [502, "text/html", "<html>Bad gateway"],
  "503": [503, "application/json", '{"error":{"code":"unavailable","message":"Later."}}'],
};

export async function startBadNetwork(target: () => string, nextFault: () => Fault): Promise<BadNetwork> {
  const passed: Passed[] = [];
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: true });
  let isCut = false;

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, body: string, fault: Fault) => {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const url = new URL(incoming.url!, target());
    const call = request(
      url,
      { method: incoming.method!, headers: { ...headers, host: url.host }, agent },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", () => outgoing.destroy());
        answer.on("end", () => {
          const text = Buffer.concat(chunks);
          if (fault === "hang") return;
          if (fault === "after") return void outgoing.socket?.resetAndDestroy();
          outgoing.writeHead(answer.statusCode!, answer.headers);
          if (fault !== "within") return void outgoing.end(text);
          outgoing.write(text.subarray(0, text.length / 2), () => outgoing.socket?.destroy());
        });
      },
    );
    call.on("error", () => outgoing.destroy());
    // The service frees the place of a reader that hung up.
    outgoing.on("close", () => fault === "none" && call.destroy());
    call.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => {
      body += chunk;
    });
    incoming.on("error", () => undefined);
    outgoing.on("error", () => undefined);
    incoming.on("end", () => {
      const fault = nextFault();
      passed.push({ key: incoming.headers["idempotency-key"] as string | undefined, body, path: incoming.url!, fault });
      if (fault === "before") return incoming.socket.resetAndDestroy();
      const answer = ANSWERS[fault];
      if (answer === undefined) return forward(incoming, outgoing, body, fault);
      const [status, type, text] = answer;
      outgoing.writeHead(status, { "Content-Type": type, ...(status === 429 ? { "Retry-After": "1" } : {}) }).end(text);
    });
  });
  server.on("connection", (socket) => {
    if (isCut) return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    passed,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
