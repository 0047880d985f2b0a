import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, createServer as createDoor, type Server as Door } from "node:net";
import type { Certificate } from "./certificates.ts";

/** A request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** The port it came to: further doors tell their visitors apart. */
  readonly port: number;
  /** Requests under way here, this one among them. */
  readonly inFlight: number;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly received: Received[];
  readonly server: Server;
  /** The most requests that were ever under way at once. */
  inFlightMax: number;
  connections: number;
  /** Another port that leads to the same server. */
  openDoor(): Promise<number>;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A real HTTPS server on loopback that keeps all it gets; answers 200 unless `answer` is given. */
export async function startReceiver(
  certificate: Certificate,
  answer: Answer = (_request, response) => void response.end("ok"),
  { keep = true, address = "127.0.0.1" }: { readonly keep?: boolean; readonly address?: string } = {},
): Promise<Receiver> {
  let inFlight = 0;
  const server = createServer({ ...certificate, keepAliveTimeout: 30_000 }, (request, response) => {
    const at = performance.now();
    inFlight++;
    receiver.inFlightMax = Math.max(receiver.inFlightMax, inFlight);
    response.once("close", () => inFlight--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { localPort: port = 0 } = request.socket;
      const received = { path: request.url ?? "", headers: request.headers, body, at, port, inFlight };
      if (keep) receiver.received.push(received);
      answer(received, response);
    });
  });
  const doors: Door[] = [];
  server.on("connection", () => receiver.connections++);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    server,
    inFlightMax: 0,
    connections: 0,
    openDoor: async () => {
      const door = createDoor((socket) => server.emit("connection", socket));
      await new Promise<void>((resolve) => door.listen(0, address, resolve));
      doors.push(door);
      return (door.address() as AddressInfo).port;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const door of doors) door.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
