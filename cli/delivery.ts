import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyEvent } from "@holdfast/sdk";
import { signedHeaders } from "@holdfast/testing";
import { CommandError, EXIT } from "./exit.ts";
import { type FindAddresses, findThisMachine } from "./thisMachine.ts";

/** The time that the service gives a receiver. */
const ATTEMPT_MS = 10_000;
const RETRY_WAITS_MS = [1_000, 3_000] as const;

/** A handler on this machine, and the loopback addresses that are dialed for it. */
export interface LocalHandler {
  readonly url: string;
  readonly addresses: readonly string[];
}

/** An attempt to deliver an event to a local handler. */
export interface Delivery {
  readonly attempt: number;
  /** The answer's status; null if none arrived. */
  readonly status: number | null;
  readonly ms: number;
  /** The fault, in words; null if the handler took the delivery or answered an error of its own. */
  readonly error: string | null;
}

export const isDelivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300;

/** Events hold what buyers bought: they go to this machine alone. Throws a {@link CommandError} for another host. */
export async function findHandler(url: string, find?: FindAddresses): Promise<LocalHandler> {
  const { hostname } = new URL(url);
  const addresses = await findThisMachine(hostname, find);
  if (addresses !== null) return { url, addresses };
  throw new CommandError(
    `${hostname} is not this machine: it does not resolve to loopback alone. A server elsewhere gets an endpoint in the dashboard.`,
    EXIT.usage,
  );
}

/** Delivers an event: three attempts, each reported. Returns true if one succeeded. */
export async function deliver(
  event: AnyEvent,
  handler: LocalHandler,
  secret: string,
  report: (delivery: Delivery) => void,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const delivery = await attemptOnce(event, handler, secret, attempt);
    report(delivery);
    if (isDelivered(delivery)) return true;
    const waitMs = RETRY_WAITS_MS[attempt - 1];
    if (waitMs === undefined) return false;
    await sleep(waitMs);
  }
}

async function attemptOnce(event: AnyEvent, handler: LocalHandler, secret: string, attempt: number): Promise<Delivery> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const { status, location } = await post(handler, signedHeaders(event, body, secret), body);
    const error = location === null ? null : `a redirect to ${location} is not followed: name that address`;
    return { attempt, status, ms: took(), error };
  } catch (error) {
    return { attempt, status: null, ms: took(), error: describe(error as NodeJS.ErrnoException) };
  }
}

/** Dials a checked address, under the handler's own name. As the service, it follows no redirect and reads no body. */
function post({ url, addresses }: LocalHandler, headers: Readonly<Record<string, string>>, body: string) {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; location: string | null }>();
  const request = (url.startsWith("https:") ? requestHttps : requestHttp)(url, {
    ...{ method: "POST", headers: { ...headers, "content-length": Buffer.byteLength(body) }, lookup, agent: false },
    signal: AbortSignal.timeout(ATTEMPT_MS),
    // It does not leave this machine, so a certificate that a developer signed proves as much as any.
    rejectUnauthorized: false,
  });
  request.on("response", (response) => {
    const { statusCode = 0, headers: answered } = response;
    response.on("error", () => undefined).destroy();
    const isRedirect = statusCode >= 300 && statusCode < 400 && answered.location !== undefined;
    resolve({ status: statusCode, location: isRedirect ? answered.location! : null });
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed without an answer",
  EPROTO: "the handler does not speak TLS: begin its address with http://",
  HPE_INVALID_CONSTANT: "the answer is no HTTP: does the handler speak TLS (https://)?",
};

function describe(error: NodeJS.ErrnoException & { readonly errors?: readonly NodeJS.ErrnoException[] }): string {
  const { name, code = error.errors?.[0]?.code, message } = error;
  if (name === "AbortError" || name === "TimeoutError") return `no answer in ${ATTEMPT_MS / 1_000} s`;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? (code ?? message) : `${reason} (${code})`;
}
