import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from "node:tls";
import { buildConnector, Client, type Dispatcher, Pool } from "undici";
import { isSameAddress } from "./address.ts";
import { DeliveryError } from "./guard.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** A connection could not be established. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  /** The end of the peer's certificate; null if TLS did not get that far. */
  readonly certificateUntil: Date | null;

  constructor(cause: Error, certificateUntil: Date | null) {
    super(cause.message, { cause });
    this.certificateUntil = certificateUntil;
  }
}

/** A handler that wants to know which connection its request is sent on. */
export interface LineHandler extends Dispatcher.DispatchHandler {
  line: Line | null;
}

/** One connection to one checked address, made when the first request needs it, and again when it was closed. */
export class Line extends Client {
  /** The socket of the connection; null before it is made. */
  socket: TLSSocket | null = null;
  /** Requests that were sent on this socket. */
  served = 0;

  constructor(name: string, options: Client.Options, connect: Connect) {
    super(`https://${name}`, {
      ...options,
      connect: (_options, callback) =>
        connect((error, socket) => {
          this.socket = socket;
          this.served = 0;
          if (error === null) callback(null, socket!);
          else callback(error, null);
        }),
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ("line" in handler) handler.line = this;
    return super.dispatch(options, handler);
  }
}

type Connect = (made: (error: Error | null, socket: TLSSocket | null) => void) => void;

const HEADER_BYTES_MAX = 16_384;
const IDLE_MS = 30_000;
/** The time limit of a connection that any of several deliveries may use: that of an attempt. */
const CONNECT_MS = 10_000;
/** Above this number of sockets, the connections to the name that was used longest ago are closed. */
const SOCKETS_MAX = 2_500;

const CLIENT: Client.Options = {
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  // An attempt has one deadline for everything, so the client needs none.
  headersTimeout: 0,
  bodyTimeout: 0,
};

export interface ConnectionOptions {
  /** Further certificate authorities, as PEM: WEBHOOK_CA_FILE. */
  readonly ca: string | null;
}

/**
 * TLS connections to receivers, a pool of them for each name at each address. A delivery uses only the pools of addresses
 * to which the name resolves now: nothing is sent to an address that was not just resolved and checked.
 */
export class Connections {
  /** The pools, longest unused first. */
  readonly #pools = new Map<string, Pool>();
  readonly #sockets = new Set<TLSSocket>();
  /** Created once: loading about 150 certificate authorities takes longer than a handshake. */
  readonly #context: SecureContext;

  constructor({ ca }: ConnectionOptions) {
    this.#context = createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
  }

  /** The pool of a name at this address. */
  pool(name: string, address: ResolvedAddress): Pool {
    const key = keyOf(name, address);
    const pool = this.#pools.get(key) ?? this.#openPool(key, name, address);
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    return pool;
  }

  /** True if a connection to this address is idle. */
  hasIdle(name: string, address: ResolvedAddress): boolean {
    return (this.#pools.get(keyOf(name, address))?.stats.free ?? 0) > 0;
  }

  /** A connection for this caller alone, who destroys it. */
  open(name: string, address: ResolvedAddress, connectMs: number): Line {
    return new Line(name, CLIENT, this.#connectTo(name, address, connectMs));
  }

  /** Closes everything at once: no request is under way after it. */
  close(): void {
    for (const pool of this.#pools.values()) drop(pool);
    this.#pools.clear();
    for (const socket of this.#sockets) socket.destroy();
  }

  #openPool(key: string, name: string, address: ResolvedAddress): Pool {
    const pool = new Pool(`https://${name}`, { allowH2: false, factory: () => this.open(name, address, CONNECT_MS) });
    const forget = () => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || this.#pools.get(key) !== pool) return;
      this.#pools.delete(key);
      drop(pool);
    };
    return pool.on("disconnect", forget).on("connectionError", forget);
  }

  /** Dials the checked address itself, while SNI and the check of the certificate use the name. */
  #connectTo(name: string, { address, port }: ResolvedAddress, connectMs: number): Connect {
    const connector = buildConnector({
      secureContext: this.#context,
      rejectUnauthorized: true,
      allowH2: false,
      // A resumed session is not checked against the name again.
      maxCachedSessions: 0,
      timeout: connectMs,
    });
    const target = { protocol: "https:", hostname: address, servername: name, port: String(port) };
    return (made) => {
      let certificateUntil: Date | null = null;
      const socket = connector(target, (...[error]) => {
        if (error !== null) made(new ConnectError(error, certificateUntil), null);
        else if (isSameAddress(socket.remoteAddress ?? "", address)) made(null, socket);
        else {
          socket.destroy();
          made(new ConnectError(LED_ELSEWHERE, null), null);
        }
      }) as unknown as TLSSocket;
      // Runs before the certificate is verified, which may destroy the socket: the reason for the merchant names its expiry date.
      socket.prependListener("secure", () => {
        const until = Date.parse(socket.getPeerCertificate().valid_to);
        certificateUntil = Number.isNaN(until) ? null : new Date(until);
      });
      this.#count(socket);
    };
  }

  #count(socket: TLSSocket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    if (this.#sockets.size <= SOCKETS_MAX) return;
    for (const [key, pool] of this.#pools)
      if (pool.stats.size === 0) {
        this.#pools.delete(key);
        drop(pool);
        return;
      }
  }
}

const LED_ELSEWHERE = new DeliveryError(
  "the connection led to another address than the one that was checked",
  "address",
);

const keyOf = (name: string, { address, port }: ResolvedAddress): string => `${name} ${address} ${port}`;

const drop = (client: Dispatcher): void => void client.destroy().catch(() => undefined);
