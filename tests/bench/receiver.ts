import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";

/**
 * A receiver that is cheaper than what it measures: TLS, then requests read no further than their event's id and their
 * length, each answered 200 without a body. Runs in a process of its own; the certificate comes as the first message.
 */
export interface ReceiverStart {
  readonly key: string;
  readonly cert: string;
}

/** Requests since the last time the arrivals were read. */
export interface Arrivals {
  /** By event id, when it came first: milliseconds since the epoch. */
  readonly at: Readonly<Record<string, number>>;
  /** Requests of an event that had come before. */
  readonly repeated: number;
  readonly connections: number;
  /** This process's CPU so far. */
  readonly cpuMs: number;
}

const HEADER_END = Buffer.from("\r\n\r\n");
const ANSWER = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

function serve({ key, cert }: ReceiverStart): void {
  let at: Record<string, number> = {};
  const seen = new Set<string>();
  let repeated = 0;
  let connections = 0;

  const read = (socket: TLSSocket) => {
    connections++;
    socket.setNoDelay(true);
    let pending: Buffer = Buffer.alloc(0);
    let bodyBytes = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      // Connections carry one request at a time: all bytes before the answer belong to it.
      if (bodyBytes > 0) bodyBytes -= chunk.length;
      else {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const end = pending.indexOf(HEADER_END);
        if (end < 0) return;
        const head = pending.toString("latin1", 0, end);
        bodyBytes = Number(/content-length: (\d+)/i.exec(head)![1]) - (pending.length - end - HEADER_END.length);
        pending = Buffer.alloc(0);
        const id = /service-event-id: (\S+)/i.exec(head)![1]!;
        if (seen.has(id)) repeated++;
        else {
          seen.add(id);
          at[id] = performance.timeOrigin + performance.now();
        }
      }
      if (bodyBytes === 0) socket.write(ANSWER);
    });
  };
  const server = createServer({ key, cert }, read);
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
  process.on("message", (what: "count" | "take") => {
    if (what === "count") return void process.send!(seen.size);
    const { user, system } = process.cpuUsage();
    process.send!({ at, repeated, connections, cpuMs: (user + system) / 1_000 } satisfies Arrivals);
    at = {};
  });
}

process.once("message", serve);
process.on("disconnect", () => process.exit());
