import { createServer, type IncomingMessage, type Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import type { Faults } from "../faults.ts";
import type { Requests } from "../requests.ts";
import { readShape } from "../rpc/accounts.ts";
import { readCall, showError } from "../rpc/dispatch.ts";
import { invalidParams, RPC_CODES, RpcError } from "../rpc/errors.ts";
import { nodeOf } from "../rpc/http.ts";
import { Params, readAddress, readCommitment } from "../rpc/params.ts";
import type { Hub, Wish } from "./hub.ts";

const CONNECTIONS_MAX = 200;
const SUBSCRIPTIONS_MAX = 1000;
const MESSAGE_BYTES_MAX = 64 * 1024;
/** A reader this far behind is cut off, as a validator does: it must come back and read for itself. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024;
const FAULT_CHECK_MS = 50;
const SILENT = ["socket_closed", "socket_silent"] as const;

export interface SocketParts {
  readonly hub: Hub;
  readonly faults: Faults;
  readonly requests: Requests;
}

function readWish(method: string, params: Params): Wish {
  const config = params.config(1);
  switch (method) {
    case "slotSubscribe":
      return { kind: "slot" };
    case "accountSubscribe":
      return {
        kind: "account",
        commitment: readCommitment(config),
        address: params.address(0),
        shape: readShape(config),
      };
    case "signatureSubscribe":
      return { kind: "signature", commitment: readCommitment(config), signature: params.signature(0) };
    case "logsSubscribe":
      return { kind: "logs", commitment: readCommitment(config), mentions: readMentions(params.raw(0)) };
    default:
      throw new RpcError(RPC_CODES.methodNotFound, "Method not found");
  }
}

function readMentions(filter: unknown): string | null {
  if (filter === "all" || filter === "allWithVotes") return null;
  const { mentions } = (filter ?? {}) as { mentions?: unknown };
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw invalidParams("Invalid Request: Only 1 address supported");
  return readAddress(mentions[0]);
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** The WebSocket front: subscriptions in, notifications out. */
export function makeSocketServer({ hub, faults, requests }: SocketParts): { make: () => Server; close: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  const make = () =>
    createServer((_request, response) => void response.writeHead(426).end()).on("upgrade", (request, stream, head) => {
      const { origin } = request.headers;
      // A web page of another site could take all connections.
      if (origin !== undefined && !LOOPBACK_ORIGIN.test(origin))
        return void stream.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      if (faults.isOn("socket_closed", nodeOf(request)) || sockets.clients.size >= CONNECTIONS_MAX)
        return void stream.destroy();
      sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, request));
    });

  function serve(socket: WebSocket, request: IncomingMessage): void {
    const node = nodeOf(request);
    const own = new Set<number>();
    const send = (body: object) => {
      if (socket.bufferedAmount > BUFFERED_BYTES_MAX) return socket.terminate();
      socket.send(JSON.stringify(body));
    };
    const watch = setInterval(() => faults.isOn("socket_closed", node) && socket.terminate(), FAULT_CHECK_MS);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearInterval(watch);
      for (const id of own) hub.remove(id);
    });
    socket.on("message", (bytes) => {
      let id: unknown = null;
      try {
        const value: unknown = JSON.parse(bytes.toString());
        id = (value as { id?: unknown } | null)?.id;
        // kit keeps its connection awake with a message that has no id and wants no answer.
        if (id === undefined) return;
        send({ jsonrpc: "2.0", result: handle(value), id });
      } catch (error) {
        send(showError(error instanceof SyntaxError ? new RpcError(RPC_CODES.parse, "Parse error") : error, id));
      }
    });

    function handle(value: unknown): number | boolean {
      const call = readCall(value);
      requests.count(call.method);
      const params = new Params(call.params, 2);
      if (faults.isOn("confirmed_refused", node)) params.refuseConfirmed();
      if (call.method.endsWith("Unsubscribe")) {
        const known = own.delete(params.integer(0)) && hub.remove(params.integer(0));
        if (!known) throw invalidParams("Invalid subscription id.");
        return true;
      }
      if (own.size >= SUBSCRIPTIONS_MAX) throw new RpcError(RPC_CODES.internal, "Too many subscriptions");
      const wish = readWish(call.method, params);
      const method = `${wish.kind}Notification`;
      const isSkipped = () =>
        SILENT.some((mode) => faults.isOn(mode, node)) ||
        (wish.kind !== "slot" && wish.commitment === "confirmed" && faults.isOn("notices_skipped", node));
      const tell = (result: unknown) => {
        if (!isSkipped()) send({ jsonrpc: "2.0", method, params: { result, subscription } });
      };
      const subscription = hub.add(wish, { tell, done: () => own.delete(subscription) });
      own.add(subscription);
      return subscription;
    }
  }

  const close = () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
  return { make, close };
}
