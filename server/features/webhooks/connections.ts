import {
  checkServerIdentity,
  connect,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { type buildConnector, Client } from "undici";
import { isSameAddress } from "./address.ts";
import { Refused } from "./guard.ts";
import type { Place } from "./resolver.ts";

/** One connection to one checked address, on which one delivery at a time is sent. */
export interface Connection {
  readonly client: Client;
  readonly place: Place;
  readonly name: string;
  /** Once it was up; an error before that was one of connecting. */
  connected: boolean;
  /** When the peer's certificate ends, as far as TLS got. */
  certificateUntil: Date | null;
  socket: TLSSocket | null;
}

const HEADER_BYTES_MAX = 16_384;
const IDLE_MS = 30_000;
const IDLE_MAX = 2_000;

export interface ConnectionOptions {
  /** Further certificate authorities, as PEM: WEBHOOK_CA_FILE. */
  readonly ca: string | null;
}

/**
 * TLS connections to receivers. Kept-alive ones are known by name, address and port, and taken again only for an address
 * that the name leads to now; so nothing is ever sent to an address that was not just resolved and checked.
 */
export class Connections {
  readonly #idle = new Map<string, Connection[]>();
  readonly #open = new Set<Connection>();
  /** Made once: reading some hundred and fifty authorities takes longer than a handshake. */
  readonly #context: SecureContext;
  /** All that wait, those first that have waited the longest. */
  readonly #waiting = new Set<Connection>();

  constructor({ ca }: ConnectionOptions) {
    this.#context = createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
  }

  /** A connection that waits at one of these places, the latest used; null: none does. */
  take(name: string, places: readonly Place[]): Connection | null {
    for (const place of places) {
      const connection = this.#idle.get(keyOf(name, place))?.pop();
      if (connection === undefined) continue;
      this.#waiting.delete(connection);
      return connection;
    }
    return null;
  }

  /** A new connection; it is made when the first request is sent on it. */
  open(name: string, place: Place, connectMs: number): Connection {
    const connection: Connection = {
      client: new Client(`https://${name}`, {
        connect: (_options, callback) => this.#dial(connection, connectMs, callback),
        pipelining: 1,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: IDLE_MS,
        maxHeaderSize: HEADER_BYTES_MAX,
        // The attempt has one deadline of its own for everything.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      place,
      name,
      connected: false,
      certificateUntil: null,
      socket: null,
    };
    this.#open.add(connection);
    connection.client.on("disconnect", () => this.drop(connection));
    return connection;
  }

  /** Its exchange is over and it may serve another. */
  give(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    const key = keyOf(connection.name, connection.place);
    const waiting = this.#idle.get(key);
    if (waiting === undefined) this.#idle.set(key, [connection]);
    else waiting.push(connection);
    this.#waiting.add(connection);
    // Not the one that just served: with more names than places every delivery would make a connection of its own.
    if (this.#waiting.size > IDLE_MAX) this.drop(this.#waiting.values().next().value!);
  }

  drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const key = keyOf(connection.name, connection.place);
    const waiting = this.#idle.get(key) ?? [];
    const at = waiting.indexOf(connection);
    if (at >= 0) waiting.splice(at, 1);
    this.#waiting.delete(connection);
    if (waiting.length === 0) this.#idle.delete(key);
    connection.socket?.destroy();
    connection.client.destroy().catch(() => undefined);
  }

  close(): void {
    for (const connection of [...this.#open]) this.drop(connection);
  }

  /** Dials the checked address itself; SNI, Host and the certificate's check stay on the name. */
  #dial(connection: Connection, connectMs: number, callback: buildConnector.Callback): void {
    const { name, place } = connection;
    const socket = connect({
      host: place.address,
      port: place.port,
      servername: name,
      rejectUnauthorized: true,
      checkServerIdentity,
      ALPNProtocols: ["http/1.1"],
      secureContext: this.#context,
    });
    connection.socket = socket;
    socket.setNoDelay(true);
    const timer = setTimeout(() => socket.destroy(timedOut()), connectMs);
    // Before its verification, which may destroy it: the end of a certificate that expired is worth telling.
    socket.prependListener("secure", () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      connection.certificateUntil = Number.isNaN(until) ? null : new Date(until);
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      callback(error, null);
    };
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      if (!isSameAddress(socket.remoteAddress ?? "", place.address)) {
        socket.destroy();
        callback(new Refused("the connection led to another address than the one that was checked"), null);
        return;
      }
      connection.connected = true;
      callback(null, socket);
    });
  }
}

const keyOf = (name: string, { address, port }: Place): string => `${name} ${address} ${port}`;

const timedOut = () => Object.assign(new Error("The connection was not made in time."), { code: "ETIMEDOUT" });
