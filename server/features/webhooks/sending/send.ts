import type { Dispatcher } from "undici";
import type { ErrorClass } from "../webhook.ts";
import { ConnectError, type Connections, type Line, type LineHandler } from "./connections.ts";
import { type Destination, DestinationError, readDestination } from "./destination.ts";
import { DeliveryError, resolveAddresses } from "./guard.ts";
import { explainError, explainStatus } from "./reasons.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** §6.2: the limit for name look-up, connection, request and the answer's head together. */
export const ATTEMPT_MS = 10_000;

/** An attempt's evidence about the endpoint's load. */
export type Pressure = "succeeded" | "failed" | "overloaded";

/** The result of one attempt. */
export interface Outcome {
  readonly statusCode: number | null;
  /** The reason for the merchant; null for any 2xx in time. */
  readonly error: string | null;
  /** The class of the error; null exactly if `error` is. */
  readonly errorClass: ErrorClass | null;
  readonly pressure: Pressure;
}

/** The parts that sending needs from outside. */
export interface SendDeps {
  readonly connections: Connections;
  readonly resolve: Resolve;
  /** Tests shorten it. */
  readonly attemptMs?: number;
}

const ADDRESSES_TRIED_MAX = 3;
const CONNECT_MS = 3_000;
/** The time after which a request that waits for a new connection goes on one that has become free. */
const CONNECTION_WAIT_MS = 100;
/** A round trip around the world, with a margin. */
const CLOSED_AT_ONCE_MS = 500;
const INTERIM_MAX = 8;
/** The part of an answer's body that is read and discarded to keep its connection; beyond it the connection is dropped. */
const DRAIN_BYTES_MAX = 65_536;
const DRAIN_MS = 1_000;

class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** Sends one delivery (§6.2). Never throws: every error is an outcome. */
export async function sendDelivery(
  deps: SendDeps,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Outcome> {
  const attemptMs = deps.attemptMs ?? ATTEMPT_MS;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DeadlineError()), attemptMs);
  const endsAt = performance.now() + attemptMs;
  try {
    const destination = readDestination(url);
    const addresses = await inTime(late.signal, resolveAddresses(deps.resolve, destination.name, late.signal));
    const request = { method: "POST", path: destination.path, headers, body };
    const posting = { connections: deps.connections, destination, request, signal: late.signal, endsAt };
    const statusCode = await tryAddresses(posting, addresses);
    if (statusCode >= 200 && statusCode < 300)
      return { statusCode, error: null, errorClass: null, pressure: "succeeded" };
    const { text, errorClass, overloaded } = explainStatus(statusCode);
    return { statusCode, error: text, errorClass, pressure: overloaded ? "overloaded" : "failed" };
  } catch (error) {
    if (error instanceof DeadlineError)
      return {
        statusCode: null,
        error: `no answer within ${attemptMs / 1000} s`,
        errorClass: "timeout",
        pressure: "overloaded",
      };
    if (error instanceof DestinationError)
      return { statusCode: null, error: error.message, errorClass: "address", pressure: "failed" };
    const { text, errorClass, overloaded } =
      error instanceof ConnectError ? explainError(error.cause, error.certificateUntil) : explainError(error, null);
    return { statusCode: null, error: text, errorClass, pressure: overloaded ? "overloaded" : "failed" };
  } finally {
    clearTimeout(timer);
  }
}

/** One POST, with all that it needs. */
interface Posting {
  readonly connections: Connections;
  readonly destination: Destination;
  readonly request: Dispatcher.DispatchOptions;
  readonly signal: AbortSignal;
  /** By {@link performance.now}. */
  readonly endsAt: number;
}

const LOST = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const UNREACHED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** Posts to the first reachable address, those with an idle connection first, and returns the status. */
async function tryAddresses(posting: Posting, addresses: readonly ResolvedAddress[]): Promise<number> {
  const { connections, destination } = posting;
  const { name } = destination;
  const tried = addresses
    .slice(0, ADDRESSES_TRIED_MAX)
    .sort((one, other) => Number(connections.hasIdle(name, other)) - Number(connections.hasIdle(name, one)));
  for (const [index, address] of tried.entries()) {
    const isLast = index === tried.length - 1;
    try {
      return await postTo(posting, address, isLast ? ATTEMPT_MS : CONNECT_MS);
    } catch (error) {
      if (isLast || !(error instanceof ConnectError) || !UNREACHED.has(codeOf(error.cause))) throw error;
    }
  }
  throw new DeliveryError(`the name ${name} has no address in DNS`, "dns");
}

/**
 * Posts on a connection to this address, and returns the status.
 *
 * A busy receiver answers on existing connections long before it accepts another, so a request that waits for a new one
 * goes on one that has become free.
 *
 * A peer may close a kept-alive connection at any time, also while a request is on its way. Such a request is sent
 * once more, on a new connection, within the same attempt, but only if it was probably not read: no byte came back on
 * the connection and it was closed at once. A receiver that closes later was working on the request, and a receiver
 * that began to answer had read it; both are failed attempts, and the next attempt follows on the schedule. A receiver
 * that read the request and closed at once gets the event twice with the same id, as it may anyway (§6.4.4).
 */
async function postTo(posting: Posting, address: ResolvedAddress, connectMs: number): Promise<number> {
  const { connections, destination, request } = posting;
  const pool = connections.pool(destination.name, address);
  const connectUntil = performance.now() + connectMs;
  let exchange = new Exchange(posting);
  pool.dispatch(request, exchange);
  while (await exchange.waitsFor(CONNECTION_WAIT_MS)) {
    if (performance.now() > connectUntil) exchange.fail(new ConnectError(withCode("ETIMEDOUT"), null));
    else if (pool.stats.free > 0) {
      exchange.fail(new Error("It goes on a connection that has become free."));
      exchange = new Exchange(posting);
      pool.dispatch(request, exchange);
    }
  }
  try {
    return await exchange.status;
  } catch (error) {
    if (!exchange.isUnread || !LOST.has(codeOf(error))) throw error;
  }
  const again = new Exchange(posting);
  const line = connections.open(destination.name, address, ATTEMPT_MS);
  line.dispatch(request, again);
  return await again.status.finally(() => void line.close().catch(() => undefined));
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");
const withCode = (code: string) => Object.assign(new Error("The connection was not made in time."), { code });

/** A request on a connection: gives the status as soon as the answer's head is there, and discards the body. */
class Exchange implements LineHandler {
  line: Line | null = null;
  readonly status: Promise<number>;
  readonly #posting: Posting;
  readonly #answered: (status: number) => void;
  readonly #failed: (error: unknown) => void;
  readonly #stop = () => this.fail(this.#posting.signal.reason);
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #begun: (() => void) | null = null;
  #sentAt = 0;
  /** The bytes that a kept connection had read before; null if it was new. */
  #readBefore: number | null = null;
  #interim = 0;
  #drained = 0;
  #drainTimer: NodeJS.Timeout | undefined;
  /** True if the connection was closed before the request was read, so that it may be sent once more. */
  isUnread = false;

  constructor(posting: Posting) {
    this.#posting = posting;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    // Another exchange may take its place before anybody waits for it.
    promise.catch(() => undefined);
    this.status = promise;
    this.#answered = resolve;
    this.#failed = reject;
    posting.signal.addEventListener("abort", this.#stop, { once: true });
    if (posting.signal.aborted) this.#stop();
  }

  /** Returns true if the request still waits for a connection after this time. */
  async waitsFor(waitMs: number): Promise<boolean> {
    const isWaiting = () => this.#controller === null && !this.#isOver;
    if (!isWaiting()) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#begun = resolve;
    await promise;
    clearTimeout(timer);
    return isWaiting();
  }

  fail(error: unknown): void {
    this.#end();
    clearTimeout(this.#drainTimer);
    // Reject first: aborting the request ends it with another error.
    this.#failed(error);
    this.#controller?.abort(new Error("The exchange is over."));
    this.#begun?.();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A process that was frozen may get here before its timers fire, when another worker has already sent this.
    if (!this.#isOver && performance.now() >= this.#posting.endsAt) this.fail(new DeadlineError());
    // Ends the request before it is sent, and leaves the connection to the next one. Aborting would close it.
    if (this.#isOver) throw new Error("The exchange is over.");
    this.#controller = controller;
    this.#begun?.();
    this.#sentAt = performance.now();
    const { served, socket } = this.line!;
    this.#readBefore = served > 0 ? socket!.bytesRead : null;
    this.line!.served++;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) {
      this.#end();
      this.#answered(status);
      this.#drainTimer = setTimeout(() => this.#controller!.abort(new Error("The body has no end.")), DRAIN_MS);
    } else if (++this.#interim > INTERIM_MAX)
      this.fail(new DeliveryError("sent interim answers (1xx) without end", "protocol"));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#drained += chunk.length;
    if (this.#drained > DRAIN_BYTES_MAX) controller.abort(new Error("The body is too long."));
  }

  onResponseEnd(): void {
    clearTimeout(this.#drainTimer);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.isUnread =
      this.#readBefore === this.line?.socket?.bytesRead && performance.now() - this.#sentAt < CLOSED_AT_ONCE_MS;
    this.fail(error);
  }

  #end(): void {
    this.#isOver = true;
    this.#posting.signal.removeEventListener("abort", this.#stop);
  }
}

/** Resolves with the work, or rejects when the time is over. */
function inTime<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
