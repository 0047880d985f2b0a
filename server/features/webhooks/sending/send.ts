import type { Connection, Connections } from "./connections.ts";
import { type Destination, DestinationError, readDestination } from "./destination.ts";
import { Unconnected } from "./dial.ts";
import { Refused, resolveAddresses } from "./guard.ts";
import type { Pressure } from "./permits.ts";
import { explainError, explainStatus } from "./reasons.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** §6.2: name look-up, connection, request and the answer's head, all together. */
export const ATTEMPT_MS = 10_000;

/** How one attempt ended. */
export interface Outcome {
  readonly statusCode: number | null;
  /** Null: any 2xx in time. */
  readonly error: string | null;
  readonly pressure: Pressure;
}

export interface Sending {
  readonly connections: Connections;
  readonly resolve: Resolve;
  /** Tests shorten it. */
  readonly attemptMs?: number;
}

const ADDRESSES_TRIED_MAX = 3;
const CONNECT_MS = 3_000;
/** A round trip to the other end of the world and back, and some more. */
const CLOSED_AT_ONCE_MS = 500;
const INTERIM_MAX = 8;
/** What is thrown away of an answer's body to keep its connection; more is not waited for. */
const DRAIN_BYTES_MAX = 65_536;
const DRAIN_MS = 1_000;

class Late extends Error {
  override readonly name = "Late";
}

/** Sends one delivery (§6.2). Never throws: whatever happens is an outcome. */
export async function sendDelivery(
  sending: Sending,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Outcome> {
  const attemptMs = sending.attemptMs ?? ATTEMPT_MS;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Late()), attemptMs);
  const endsAt = performance.now() + attemptMs;
  try {
    const destination = readDestination(url);
    const addresses = await inTime(late.signal, resolveAddresses(sending.resolve, destination.name, late.signal));
    const exchange: Exchange = { sending, destination, headers, body, signal: late.signal, endsAt };
    const statusCode = await tryAddresses(exchange, addresses);
    if (statusCode >= 200 && statusCode < 300) return { statusCode, error: null, pressure: "succeeded" };
    const { text, overloaded } = explainStatus(statusCode);
    return { statusCode, error: text, pressure: overloaded ? "overloaded" : "failed" };
  } catch (error) {
    if (error instanceof Late)
      return { statusCode: null, error: `no answer within ${attemptMs / 1000} s`, pressure: "overloaded" };
    if (error instanceof DestinationError) return { statusCode: null, error: error.message, pressure: "failed" };
    const { text, overloaded } =
      error instanceof Unconnected ? explainError(error.cause, error.certificateUntil) : explainError(error, null);
    return { statusCode: null, error: text, pressure: overloaded ? "overloaded" : "failed" };
  } finally {
    clearTimeout(timer);
  }
}

interface Exchange {
  readonly sending: Sending;
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
 * The status of the first address that can be reached.
 *
 * A peer may close a kept-alive connection at any time, also while a request is on its way to it. Such a request goes once
 * more, on a new connection, within the same attempt; but only if, as far as one can know, it was never read: not a byte
 * came back on the connection, and it was closed right away. A receiver that breaks off later was at work on it, and one
 * that began to answer had it: that is a failed attempt, and the next is made on the schedule. Where a receiver did read
 * a request and closed at once, it sees the event twice, as it may anyway (§6.4.4): the id is the same.
 */
async function tryAddresses(exchange: Exchange, addresses: readonly ResolvedAddress[]): Promise<number> {
  const { connections } = exchange.sending;
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
      if (isLast || !(error instanceof Unconnected) || !UNREACHED.has(codeOf(error.cause))) throw error;
    }
  }
  throw new Refused(`the name ${name} has no address in DNS`);
}

/** Null: it was closed before the request was read, which goes once more on a new one. */
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

/** One request on one connection: the status, as soon as the answer's head is there. Its body is thrown away unread. */
function post(
  { sending, destination, headers, body, signal, endsAt }: Exchange,
  connection: Connection,
): Promise<number> {
  const { connections } = sending;
  return new Promise((resolve, reject) => {
    let interim = 0;
    let drained = 0;
    let drainTimer: NodeJS.Timeout | undefined;
    const settle = () => signal.removeEventListener("abort", stop);
    const fail = (error: unknown) => {
      settle();
      clearTimeout(drainTimer);
      // First, since giving the connection up ends its request with an error of its own.
      reject(error);
      connections.drop(connection);
    };
    const stop = () => fail(signal.reason);
    // A process that was frozen meanwhile may come here before its timers ring: others have sent this by now.
    if (signal.aborted || performance.now() >= endsAt) {
      fail(new Late());
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    connection.client.dispatch(
      { method: "POST", path: destination.path, headers: { ...headers }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status < 200) {
            if (++interim > INTERIM_MAX) fail(new Refused("sent interim answers (1xx) without end"));
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

/** What comes first: the work's end or the deadline's. */
function inTime<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
