import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, type SecureContextOptions, TLSSocket } from "node:tls";

/** A TCP proxy in front of a test's database: a host that can go down, or be slow to take connections. */
export class DatabaseProxy {
  /** The wait of each new connection before it reaches the database; null: it is refused. */
  delayMs: number | null = 0;
  /** False: what the database ends stays open to its client, as behind a pooler that has lost its way. */
  passesEnds = true;
  /** The connections so far, and those that their client gave up before they reached the database. */
  opened = 0;
  abandoned = 0;
  readonly #server = createServer((socket) => void this.#pass(socket));
  readonly #sockets = new Set<Socket>();
  #released = new AbortController();
  readonly #url: URL;

  readonly #certificate: SecureContextOptions | null;

  constructor(databaseUrl: string, certificate: SecureContextOptions | null) {
    this.#url = new URL(databaseUrl);
    this.#certificate = certificate;
  }

  /** `certificate`: that of a server whose clients ask for TLS. */
  static async open(databaseUrl: string, certificate: SecureContextOptions | null = null): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(databaseUrl, certificate);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    const { username, password, pathname } = this.#url;
    return `postgresql://${username}:${password}@127.0.0.1:${this.port}${pathname}`;
  }

  /** Ends the waits of now. */
  release(): void {
    this.#released.abort();
    this.#released = new AbortController();
  }

  /** The host is gone: whatever is sent on the connections of now stays without an answer, and they stay open. */
  vanish(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Every connection of now is reset. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.cut();
    await closed;
  }

  async #pass(socket: Socket): Promise<void> {
    this.opened++;
    this.#follow(socket);
    if (this.delayMs === null) return void socket.destroy();
    const closed = new AbortController();
    socket.once("close", () => closed.abort());
    const signal = AbortSignal.any([closed.signal, this.#released.signal]);
    await sleep(this.delayMs, undefined, { signal }).catch(() => undefined);
    if (closed.signal.aborted) {
      this.abandoned++;
      return;
    }
    const folder = this.#url.searchParams.get("host");
    const port = Number(this.#url.port || 5432);
    const upstream = folder === null ? connect(port, this.#url.hostname) : connect(join(folder, `.s.PGSQL.${port}`));
    this.#follow(upstream);
    const client = this.#certificate === null ? socket : await this.#encrypt(socket, this.#certificate);
    const { passesEnds } = this;
    client.pipe(upstream).pipe(client, { end: passesEnds });
    if (passesEnds) upstream.once("close", () => client.end());
  }

  /** PostgreSQL's client sends a request for TLS first, and goes on by TLS once it is answered with an S. */
  async #encrypt(socket: Socket, certificate: SecureContextOptions): Promise<Duplex> {
    await once(socket, "data");
    socket.pause().write("S");
    const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) });
    return secure.on("error", () => undefined);
  }

  #follow(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
  }
}
