import { lookup } from "node:dns/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createNetServer,
  type ListenOptions,
  type Server as NetServer,
} from "node:net";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import findMyWay, { type HTTPMethod } from "find-my-way";
import { HEADER_BYTES_MAX } from "../../domain/limits.ts";
import { traced } from "../../lib/trace.ts";

/** A request with the parameters of its path. */
export interface Request {
  readonly raw: IncomingMessage;
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string>>;
  /** The pattern of its route; null: no route matches its path and method. */
  readonly route: string | null;
}

type Headers = Readonly<Record<string, string | number | readonly string[]>>;

/** The answer to a request. It is sent once, whole; `raw` is for streams. */
export class Reply {
  readonly raw: ServerResponse;
  statusCode = 200;
  /** True once it was sent, or the caller of `hijack` writes it. */
  isSent = false;
  readonly #headers: Record<string, number | string | readonly string[]> = {};
  readonly #arrivedMs = performance.now();
  readonly #logError: AppOptions["logError"];

  constructor(raw: ServerResponse, logError: AppOptions["logError"]) {
    this.raw = raw;
    this.#logError = logError;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  header(name: string, value: string | number | readonly string[]): this {
    this.#headers[name.toLowerCase()] = value;
    return this;
  }

  headers(headers: Headers): this {
    for (const name in headers) this.#headers[name.toLowerCase()] = headers[name]!;
    return this;
  }

  type(type: string): this {
    return this.header("content-type", type);
  }

  getHeader(name: string): string | number | readonly string[] | undefined {
    return this.#headers[name];
  }

  /** Sends the answer; an object as JSON. */
  send(body?: string | Buffer | object): this {
    if (this.isSent) throw new Error("The answer was sent before.");
    this.isSent = true;
    const isText = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
    const text = isText ? body : JSON.stringify(body);
    if (!isText) this.#headers["content-type"] ??= "application/json; charset=utf-8";
    if (text !== undefined || (this.statusCode !== 204 && this.statusCode !== 304))
      this.#headers["content-length"] = text === undefined ? 0 : Buffer.byteLength(text);
    this.raw.writeHead(this.statusCode, this.#headers as Record<string, string>);
    this.raw.end(text);
    return this;
  }

  redirect(url: string, status: 302 | 303): this {
    return this.code(status).header("location", url).send();
  }

  /** Begins an answer of unknown length, which the caller ends. */
  begin(): ServerResponse {
    this.isSent = true;
    this.raw.writeHead(this.statusCode, this.#headers as Record<string, string>);
    return this.raw;
  }

  /** Leaves the rest of the answer to the caller, who writes to `raw`. */
  hijack(): ServerResponse {
    this.isSent = true;
    return this.raw;
  }

  /** Calls back once the answer was sent whole: an answer that its client hung up on has no status to speak of. */
  whenSent(callback: () => void): void {
    this.raw.once("finish", () => {
      try {
        callback();
      } catch (error) {
        this.#logError("The work behind an answer failed", error);
      }
    });
  }

  /** Milliseconds since the request arrived. */
  get elapsedMs(): number {
    return performance.now() - this.#arrivedMs;
  }
}

/** Answers by `reply.send`, or by its return value. */
export type Handler = (request: Request, reply: Reply) => unknown;
type Hook = (request: Request, reply: Reply) => void;

interface Store {
  readonly route: string;
}

interface AppOptions {
  /** Returns the path by which a target is routed. */
  readonly pathOf: (target: string) => string;
  readonly logError: (message: string, error: unknown) => void;
}

/** Routes over a server of Node.js. */
export class App {
  readonly server: Server;
  readonly #router = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    // The longest path: an id of any length is an unknown id, not an error of the router.
    maxParamLength: HEADER_BYTES_MAX,
    // The doors parse the query themselves.
    querystringParser: () => ({}),
  });
  /** All routes, as "GET /pay", in the order of their declaration. */
  readonly routes: string[] = [];
  readonly #before: Hook[] = [];
  readonly #after: Hook[] = [];
  readonly #options: AppOptions;
  readonly #further: NetServer[] = [];
  #isClosing = false;

  constructor(server: Server, options: AppOptions) {
    this.server = server;
    this.#options = options;
    server.on("request", this.dispatch);
  }

  /** Adds a route; a GET answers HEAD too. */
  on(method: HTTPMethod, path: string, handler: Handler): void {
    this.routes.push(`${method} ${path}`);
    const methods: HTTPMethod[] = method === "GET" ? ["GET", "HEAD"] : [method];
    this.#router.on(methods, path, handler as never, { route: path } satisfies Store);
  }

  get(path: string, handler: Handler): void {
    this.on("GET", path, handler);
  }

  /** Reserves the paths under the prefix: this handler answers those that match none of its routes. */
  own(prefix: string, handler: Handler): void {
    const route = `${prefix}/*`;
    for (const path of prefix === "" ? [route] : [prefix, route])
      this.#router.all(path, handler as never, { route } satisfies Store);
  }

  /** Adds a hook that runs before each handler, in the order of the calls. It may answer the request itself. */
  beforeEach(hook: Hook): void {
    this.#before.push(hook);
  }

  /** Adds a hook that runs once a request has been answered whole. */
  afterEach(hook: Hook): void {
    this.#after.push(hook);
  }

  readonly dispatch = (raw: IncomingMessage, response: ServerResponse): void => {
    const method = raw.method!;
    const path = this.#options.pathOf(raw.url ?? "");
    raw.url = path;
    const found = this.#router.find(method as HTTPMethod, path);
    const route = (found?.store as Store | undefined)?.route ?? null;
    const params = (found?.params ?? {}) as Record<string, string>;
    const request: Request = { raw, method, headers: raw.headers, params, route };
    const reply = new Reply(response, this.#options.logError);
    // A write after the end must end no process: a pipelined answer ends before it is sent.
    response.on("error", () => undefined);
    if (this.#isClosing) reply.header("connection", "close");
    for (const hook of this.#after) reply.whenSent(() => hook(request, reply));
    const handler = (found?.handler as Handler | undefined) ?? notFound;
    // The route is its pattern: paths of checkouts and receipts are secrets.
    void traced(
      route === null ? "request" : `${method} ${route}`,
      route === null ? {} : { "http.request.method": method, "http.route": route },
      () => this.#run(handler, request, reply),
      () => ({ "http.response.status_code": reply.statusCode }),
    );
  };

  async #run(handler: Handler, request: Request, reply: Reply): Promise<void> {
    try {
      for (const hook of this.#before) {
        hook(request, reply);
        if (reply.isSent) return;
      }
      const body = await handler(request, reply);
      if (!reply.isSent) reply.send(body as string);
    } catch (error) {
      this.#options.logError(`${request.method} ${request.route ?? "of no route"} failed`, error);
      if (reply.isSent) reply.raw.destroy();
      else reply.code(500).type("text/plain; charset=utf-8").send("The service failed.\n");
    }
  }

  /** Listens. For `localhost` it listens on each of that name's addresses, since clients differ in which they try. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    const addresses = host === "localhost" ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
    const [first, ...others] = new Set(addresses);
    await listening(this.server, { host: first, port });
    for (const other of others) {
      const further = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        this.server.emit("connection", socket),
      );
      // The machine may lack this address, though its name resolves to it.
      const isOpen = await listening(further, { host: other, port: (this.server.address() as AddressInfo).port }).then(
        () => true,
        () => false,
      );
      if (isOpen) this.#further.push(further);
    }
  }

  /** The server's address on this machine. */
  get localUrl(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address === "::" || address === "0.0.0.0" ? "127.0.0.1" : address.includes(":") ? `[${address}]` : address}:${port}`;
  }

  /** Accepts no more connections, ends the idle ones, and resolves once the others have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.server.listening) return;
    // Each waits for its own connections alone.
    const closed = [this.server, ...this.#further].map((server) => promisify(server.close.bind(server))());
    this.server.closeIdleConnections();
    await Promise.all(closed);
  }
}

async function listening(server: NetServer, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(options, resolve);
  await promise.finally(() => server.off("error", reject));
}

const notFound: Handler = async ({ raw }, reply) => {
  // A body that came along with the headers is parsed by then.
  await setImmediate();
  // The rest of any other would be read to no end.
  if (!raw.complete) reply.header("connection", "close");
  return reply.code(404).type("text/plain; charset=utf-8").send("Not found.\n");
};
