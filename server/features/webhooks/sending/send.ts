import type { ErrorClass } from "../webhook.ts";
import type { Connection, Connections } from "./connections.ts";
import { type Destination, DestinationError, readDestination } from "./destination.ts";
import { ConnectError } from "./dial.ts";
import { DeliveryError, resolveAddresses } from "./guard.ts";
import type { Pressure } from "./permits.ts";
import { explainError, explainStatus } from "./reasons.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** §6.2: the limit for name look-up, connection, request and the answer's head together. */
export const ATTEMPT_MS = 10_000;

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
    const exchange: Exchange = { deps, destination, headers, body, signal: late.signal, endsAt };
    const statusCode = await tryAddresses(exchange, addresses);
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

interface Exchange {
  readonly deps: SendDeps;
  readonly destination: Destination;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** By {@link performance.now}. */
  readonly endsAt: number;
}

const LOST = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const UNREACHED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/**
 * Posts to the first reachable address, and returns the status.
 *
 * A peer may close a kept-alive connection at any time, also while a request is on its way. Such a request is sent
 * once more, on a new connection, within the same attempt, but only if it was probably not read: no byte came back on
 * the connection and it was closed at once. A receiver that closes later was working on the request, and a receiver
 * that began to answer had read it; both are failed attempts, and the next attempt follows on the schedule. A receiver
 * that read the request and closed at once gets the event twice with the same id, as it may anyway (§6.4.4).
 */
async function tryAddresses(exchange: Exchange, addresses: readonly ResolvedAddress[]): Promise<number> {
  const { connections } = exchange.deps;
  const { name } = exchange.destination;

  const kept = connections.take(name, addresses);
  if (kept !== null) {
    const status = await postOnKept(exchange, kept);
    if (status !== null) return status;
  }
  const tried = addresses.slice(0, ADDRESSES_TRIED_MAX);
  for (const [index, address] of tried.entries()) {
    const isLast = index === tried.length - 1;
    const connectMs = isLast ? ATTEMPT_MS : CONNECT_MS;
    try {
      if (kept === null) {
        const next = await connections.next(name, address, connectMs, exchange.signal);
        if (!next.kept) return await post(exchange, next);
        const status = await postOnKept(exchange, next);
        if (status !== null) return status;
      }
      return await post(exchange, await connections.open(name, address, connectMs, exchange.signal));
    } catch (error) {
      if (isLast || !(error instanceof ConnectError) || !UNREACHED.has(codeOf(error.cause))) throw error;
    }
  }
  throw new DeliveryError(`the name ${name} has no address in DNS`, "dns");
}

/** Returns null if the connection was closed before the request was read, so that the request may be sent once more. */
async function postOnKept(exchange: Exchange, kept: Connection): Promise<number | null> {
  const sentAt = performance.now();
  const readBefore = kept.socket.bytesRead;
  try {
    return await post(exchange, kept);
  } catch (error) {
    const unread = kept.socket.bytesRead === readBefore && performance.now() - sentAt < CLOSED_AT_ONCE_MS;
    if (!unread || !LOST.has(codeOf(error))) throw error;
    return null;
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Posts on one connection and resolves with the status as soon as the answer's head is there. Discards the body. */
function post({ deps, destination, headers, body, signal, endsAt }: Exchange, connection: Connection): Promise<number> {
  const { connections } = deps;
  return new Promise((resolve, reject) => {
    let interim = 0;
    let drained = 0;
    let drainTimer: NodeJS.Timeout | undefined;
    const settle = () => signal.removeEventListener("abort", stop);
    const fail = (error: unknown) => {
      settle();
      clearTimeout(drainTimer);
      // Reject first: dropping the connection ends its request with another error.
      reject(error);
      connections.drop(connection);
    };
    const stop = () => fail(signal.reason);
    // A process that was frozen may get here before its timers fire, when another worker has already sent this.
    if (signal.aborted || performance.now() >= endsAt) {
      fail(new DeadlineError());
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    connection.client.dispatch(
      { method: "POST", path: destination.path, headers: { ...headers }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status < 200) {
            if (++interim > INTERIM_MAX) fail(new DeliveryError("sent interim answers (1xx) without end", "protocol"));
            return;
          }
          settle();
          resolve(status);
          drainTimer = setTimeout(() => connections.drop(connection), DRAIN_MS);
        },
        onResponseData: (_controller, chunk) => {
          drained += chunk.length;
          if (drained > DRAIN_BYTES_MAX) connections.drop(connection);
        },
        onResponseEnd: () => {
          clearTimeout(drainTimer);
          connections.give(connection);
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

/** Resolves with the work, or rejects when the time is over. */
function inTime<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
