import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from "node:tls";
import { Client } from "undici";
import { dial, type Unconnected, withCode } from "./dial.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** One connection to one checked address, on which one delivery at a time is sent. */
export interface Connection {
  readonly client: Client;
  readonly place: ResolvedAddress;
  readonly name: string;
  /** It served before or waited to: the peer may have closed it meanwhile. */
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

/** Who waits for a connection to one name at one address and port, those first that came first; and what is dialled for them. */
interface Line {
  readonly waiters: Set<Waiter>;
  readonly dialing: Set<TLSSocket>;
}

/**
 * TLS connections to receivers. Kept-alive ones are known by name, address and port, and taken again only for an address
 * that the name leads to now; so nothing is ever sent to an address that was not just resolved and checked.
 */
export class Connections {
  readonly #idle = new Map<string, Connection[]>();
  readonly #lines = new Map<string, Line>();
  readonly #open = new Set<Connection>();
  readonly #dialing = new Set<TLSSocket>();
  /** Made once: reading some hundred and fifty authorities takes longer than a handshake. */
  readonly #context: SecureContext;
  /** All that wait, those first that have waited the longest. */
  readonly #waiting = new Set<Connection>();

  constructor({ ca }: ConnectionOptions) {
    this.#context = createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
  }

  /** A connection that waits at one of these places, the latest used; null: none does. */
  take(name: string, addresses: readonly ResolvedAddress[]): Connection | null {
    for (const place of addresses) {
      const connection = this.#idle.get(keyOf(name, place))?.pop();
      if (connection === undefined) continue;
      this.#waiting.delete(connection);
      return connection;
    }
    return null;
  }

  /**
   * The next connection to this place, where none waits: one that is dialled now, or one that comes free before. Receivers
   * that have much to do answer on the connections they have long before they accept another: a new event would wait for
   * that behind a backlog. Throws {@link Unconnected}, or the signal's reason.
   */
  next(name: string, place: ResolvedAddress, connectMs: number, signal: AbortSignal): Promise<Connection> {
    const key = keyOf(name, place);
    const line = this.#lines.get(key) ?? { waiters: new Set(), dialing: new Set() };
    this.#lines.set(key, line);
    return this.#wait(line, name, place, connectMs, signal);
  }

  /** A new connection, for this caller alone. Throws {@link Unconnected}, or the signal's reason. */
  open(name: string, place: ResolvedAddress, connectMs: number, signal: AbortSignal): Promise<Connection> {
    return this.#wait({ waiters: new Set(), dialing: new Set() }, name, place, connectMs, signal);
  }

  /** Its exchange is over and it may serve another. */
  give(connection: Connection): void {
    connection.kept = true;
    // Not before whoever reads the answer is done with it: it may say as well that the connection closes.
    queueMicrotask(() => {
      if (this.#open.has(connection) && !connection.socket.destroyed) this.#offer(connection);
    });
  }

  drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const key = keyOf(connection.name, connection.place);
    const waiting = this.#idle.get(key) ?? [];
    const at = waiting.indexOf(connection);
    if (at >= 0) waiting.splice(at, 1);
    this.#waiting.delete(connection);
    if (waiting.length === 0) this.#idle.delete(key);
    connection.socket.destroy();
    connection.client.destroy().catch(() => undefined);
  }

  close(): void {
    for (const socket of [...this.#dialing]) socket.destroy();
    for (const connection of [...this.#open]) this.drop(connection);
  }

  #wait(line: Line, name: string, place: ResolvedAddress, connectMs: number, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const waiter: Waiter = { resolve, reject };
    const stop = () => {
      line.waiters.delete(waiter);
      reject(signal.reason);
      // The oldest has had the time of a whole attempt, and nobody waits for it any more.
      if (line.dialing.size > line.waiters.size) shift(line.dialing)!.destroy();
    };
    signal.addEventListener("abort", stop, { once: true });
    // One that was dialled for another, who has got one by now, is as good as one of its own.
    if (line.dialing.size <= line.waiters.size) this.#dial(line, name, place, connectMs);
    line.waiters.add(waiter);
    return promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #dial(line: Line, name: string, place: ResolvedAddress, connectMs: number): void {
    const ended = () => {
      line.dialing.delete(socket);
      this.#dialing.delete(socket);
    };
    const up = () => {
      ended();
      const connection = this.#connectionOn(socket, name, place);
      const waiter = shift(line.waiters);
      if (waiter === undefined) this.#offer(connection);
      else waiter.resolve(connection);
      this.#forgetLine(name, place, line);
    };
    const failed = (error: Unconnected) => {
      ended();
      // Whoever has another dialled for them goes on waiting for that.
      if (line.waiters.size > line.dialing.size) shift(line.waiters)?.reject(error);
      this.#forgetLine(name, place, line);
    };
    const socket = dial(name, place, this.#context, connectMs, up, failed);
    line.dialing.add(socket);
    this.#dialing.add(socket);
  }

  #connectionOn(socket: TLSSocket, name: string, place: ResolvedAddress): Connection {
    const lost = () => this.drop(connection);
    const client = new Client(`https://${name}`, {
      // Called at the first request, which is not sent before it returns: from then on the client watches the socket.
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
      // The attempt has one deadline of its own for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, place, name, kept: false, socket };
    socket.on("error", lost).on("close", lost).setTimeout(IDLE_MS, lost);
    client.on("disconnect", lost);
    this.#open.add(connection);
    return connection;
  }

  /** To who waits for one, or to the idle ones. */
  #offer(connection: Connection): void {
    const key = keyOf(connection.name, connection.place);
    const line = this.#lines.get(key);
    const waiter = line && shift(line.waiters);
    if (waiter !== undefined) {
      waiter.resolve(connection);
      return;
    }
    connection.kept = true;
    const waiting = this.#idle.get(key);
    if (waiting === undefined) this.#idle.set(key, [connection]);
    else waiting.push(connection);
    this.#waiting.add(connection);
    // Not the one that just served: with more names than places every delivery would make a connection of its own.
    if (this.#waiting.size > IDLE_MAX) this.drop(this.#waiting.values().next().value!);
  }

  #forgetLine(name: string, place: ResolvedAddress, line: Line): void {
    const key = keyOf(name, place);
    if (line.waiters.size === 0 && line.dialing.size === 0 && this.#lines.get(key) === line) this.#lines.delete(key);
  }
}

const keyOf = (name: string, { address, port }: ResolvedAddress): string => `${name} ${address} ${port}`;

function shift<Item>(items: Set<Item>): Item | undefined {
  const [first] = items;
  if (first !== undefined) items.delete(first);
  return first;
}
