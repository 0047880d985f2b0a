import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from "node:tls";
import { Client } from "undici";
import { type ConnectError, dial, withCode } from "./dial.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** A connection to one checked address. It sends one delivery at a time. */
export interface Connection {
  readonly client: Client;
  readonly address: ResolvedAddress;
  readonly name: string;
  /** True if it was idle or served a delivery before: the peer may have closed it meanwhile. */
  kept: boolean;
  readonly socket: TLSSocket;
}

const HEADER_BYTES_MAX = 16_384;
const IDLE_MS = 30_000;
const IDLE_MAX = 2_000;

export interface ConnectionOptions {
  /** Further certificate authorities, as PEM: WEBHOOK_CA_FILE. */
  readonly ca: string | null;
}

interface Waiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

/** Deliveries that wait for a connection to one name at one address, oldest first, and the sockets dialled for them. */
interface Line {
  readonly waiters: Set<Waiter>;
  readonly dialing: Set<TLSSocket>;
}

/**
 * TLS connections to receivers. An idle connection is found by name, address and port, and is reused only for an
 * address to which the name resolves now: nothing is sent to an address that was not just resolved and checked.
 */
export class Connections {
  readonly #idle = new Map<string, Connection[]>();
  readonly #lines = new Map<string, Line>();
  readonly #open = new Set<Connection>();
  readonly #dialing = new Set<TLSSocket>();
  /** Created once: loading about 150 certificate authorities takes longer than a handshake. */
  readonly #context: SecureContext;
  /** All idle connections, longest idle first. */
  readonly #idleOrder = new Set<Connection>();

  constructor({ ca }: ConnectionOptions) {
    this.#context = createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
  }

  /** The most recently used idle connection to one of these addresses; null if there is none. */
  take(name: string, addresses: readonly ResolvedAddress[]): Connection | null {
    for (const address of addresses) {
      const connection = this.#idle.get(keyOf(name, address))?.pop();
      if (connection === undefined) continue;
      this.#idleOrder.delete(connection);
      return connection;
    }
    return null;
  }

  /**
   * The next connection to this address, if none is idle: the one dialled now, or one that becomes free before it is
   * up. A busy receiver answers on existing connections long before it accepts another, and a new event must not wait
   * for that. Throws {@link ConnectError}, or the signal's reason.
   */
  next(name: string, address: ResolvedAddress, connectMs: number, signal: AbortSignal): Promise<Connection> {
    const key = keyOf(name, address);
    const line = this.#lines.get(key) ?? { waiters: new Set(), dialing: new Set() };
    this.#lines.set(key, line);
    return this.#wait(line, name, address, connectMs, signal);
  }

  /** Opens a connection for this caller alone. Throws {@link ConnectError}, or the signal's reason. */
  open(name: string, address: ResolvedAddress, connectMs: number, signal: AbortSignal): Promise<Connection> {
    return this.#wait({ waiters: new Set(), dialing: new Set() }, name, address, connectMs, signal);
  }

  /** Ends the exchange on this connection, which may then serve another delivery. */
  give(connection: Connection): void {
    connection.kept = true;
    // Runs after the reader of the answer: the answer may also say that the connection closes.
    queueMicrotask(() => {
      if (this.#open.has(connection) && !connection.socket.destroyed) this.#offer(connection);
    });
  }

  drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const key = keyOf(connection.name, connection.address);
    const idle = this.#idle.get(key) ?? [];
    const index = idle.indexOf(connection);
    if (index >= 0) idle.splice(index, 1);
    this.#idleOrder.delete(connection);
    if (idle.length === 0) this.#idle.delete(key);
    connection.socket.destroy();
    connection.client.destroy().catch(() => undefined);
  }

  close(): void {
    for (const socket of [...this.#dialing]) socket.destroy();
    for (const connection of [...this.#open]) this.drop(connection);
  }

  #wait(
    line: Line,
    name: string,
    address: ResolvedAddress,
    connectMs: number,
    signal: AbortSignal,
  ): Promise<Connection> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const waiter: Waiter = { resolve, reject };
    const stop = () => {
      line.waiters.delete(waiter);
      reject(signal.reason);
      // The oldest socket was dialled for as long as an attempt may take, and no delivery waits for it any more.
      if (line.dialing.size > line.waiters.size) shift(line.dialing)!.destroy();
    };
    signal.addEventListener("abort", stop, { once: true });
    // A socket dialled for a delivery that has since got another connection serves this one.
    if (line.dialing.size <= line.waiters.size) this.#dial(line, name, address, connectMs);
    line.waiters.add(waiter);
    return promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #dial(line: Line, name: string, address: ResolvedAddress, connectMs: number): void {
    const ended = () => {
      line.dialing.delete(socket);
      this.#dialing.delete(socket);
    };
    const up = () => {
      ended();
      const connection = this.#connectionOn(socket, name, address);
      const waiter = shift(line.waiters);
      if (waiter === undefined) this.#offer(connection);
      else waiter.resolve(connection);
      this.#forgetLine(name, address, line);
    };
    const failed = (error: ConnectError) => {
      ended();
      // A waiter with another dialled socket keeps waiting for that one.
      if (line.waiters.size > line.dialing.size) shift(line.waiters)?.reject(error);
      this.#forgetLine(name, address, line);
    };
    const socket = dial(name, address, this.#context, connectMs, up, failed);
    line.dialing.add(socket);
    this.#dialing.add(socket);
  }

  #connectionOn(socket: TLSSocket, name: string, address: ResolvedAddress): Connection {
    const lost = () => this.drop(connection);
    const client = new Client(`https://${name}`, {
      // The client calls this at its first request, before sending it; from then on it watches the socket itself.
      connect: (_options, callback) =>
        queueMicrotask(() => {
          socket.off("error", lost).off("close", lost).off("timeout", lost).setTimeout(0);
          if (socket.destroyed) callback(withCode("The connection was closed.", "ECONNRESET"), null);
          else callback(null, socket);
        }),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // An attempt has one deadline for everything, so the client needs none.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, address, name, kept: false, socket };
    socket.on("error", lost).on("close", lost).setTimeout(IDLE_MS, lost);
    client.on("disconnect", lost);
    this.#open.add(connection);
    return connection;
  }

  /** Assigns the connection to the first waiter, or stores it as idle. */
  #offer(connection: Connection): void {
    const key = keyOf(connection.name, connection.address);
    const line = this.#lines.get(key);
    const waiter = line && shift(line.waiters);
    if (waiter !== undefined) {
      waiter.resolve(connection);
      return;
    }
    connection.kept = true;
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
    this.#idleOrder.add(connection);
    // Drop the longest idle one, not this: with more names than idle connections, no delivery would find one again.
    if (this.#idleOrder.size > IDLE_MAX) this.drop(this.#idleOrder.values().next().value!);
  }

  #forgetLine(name: string, address: ResolvedAddress, line: Line): void {
    const key = keyOf(name, address);
    if (line.waiters.size === 0 && line.dialing.size === 0 && this.#lines.get(key) === line) this.#lines.delete(key);
  }
}

const keyOf = (name: string, { address, port }: ResolvedAddress): string => `${name} ${address} ${port}`;

function shift<Item>(items: Set<Item>): Item | undefined {
  const [first] = items;
  if (first !== undefined) items.delete(first);
  return first;
}
