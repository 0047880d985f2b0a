import {
  ApiError,
  type CallError,
  type CallFacts,
  CanceledError,
  ConnectionError,
  errorOf,
  TimeoutError,
} from "./errors.ts";

const VERSION = "0.1.0";

/** Options of every call. */
export interface CallOptions {
  /** For a POST: made at random if left out, and the same in all tries. Yours survives the end of your process. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest time of the call, with all its tries and waits. */
  readonly timeoutMs?: number | undefined;
  /** The longest time of one try. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Tries after the first one. */
  readonly maxRetries?: number | undefined;
  /** The version of the API, a date; the newest if left out. */
  readonly apiVersion?: string | undefined;
}

/** A try, as `onAttempt` is told of it once it is over. */
export interface Attempt {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** 1 for the first try. */
  readonly number: number;
  /** The answer's status; null if none arrived. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
  /** The wait before the next try; null if there is none. */
  readonly waitMs: number | null;
  readonly error: CallError | null;
}

export interface Connection {
  readonly apiKey: string;
  /** With `/api/v1`, without a slash at the end. */
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly defaults: Record<"timeoutMs" | "attemptTimeoutMs" | "maxRetries", number> & Pick<CallOptions, "apiVersion">;
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
}

/** The facts of the answer to a call. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  readonly attempts: number;
  /** True if the service sent the stored answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

export interface Answered<Data> {
  readonly data: Data;
  readonly response: ResponseFacts;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  /** A follower goes on for as long as it takes, however long the service asks it to wait. */
  readonly isPatient?: true;
}

const WAIT_MS_MIN = 250;
const WAIT_MS_MAX = 8_000;
/** A longer Retry-After is not waited for: the caller decides. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Sends a request, again where that may help: a POST always with the same key and bytes. Throws {@link CallError}. */
export async function send<Data>(
  connection: Connection,
  outgoing: Outgoing,
  options: CallOptions = {},
): Promise<Answered<Data>> {
  const { defaults, onAttempt } = connection;
  const { timeoutMs = defaults.timeoutMs, maxRetries = defaults.maxRetries, signal } = options;
  const attemptTimeoutMs = options.attemptTimeoutMs ?? defaults.attemptTimeoutMs;
  const { method, path } = outgoing;
  const idempotencyKey = method === "GET" ? null : (options.idempotencyKey ?? `sdk_${crypto.randomUUID()}`);
  const request = draftRequest(connection, outgoing, idempotencyKey, options.apiVersion ?? defaults.apiVersion);
  const endsAt = performance.now() + timeoutMs;
  for (let attempts = 1; ; attempts++) {
    const startedAt = performance.now();
    const facts = { idempotencyKey, attempts };
    const left = Math.min(attemptTimeoutMs, endsAt - startedAt);
    const result = await tryOnce<Data>(connection, request, facts, left, signal);
    const error = "data" in result ? null : result;
    const waitMs = error?.retryable && attempts <= maxRetries ? waitBefore(error, attempts, outgoing) : null;
    const goesOn = waitMs !== null && !signal?.aborted && performance.now() + waitMs < endsAt;
    onAttempt?.({
      ...{ method, path, number: attempts, error },
      status:
        error === null ? (result as Answered<Data>).response.status : error instanceof ApiError ? error.status : null,
      requestId:
        error instanceof ApiError
          ? error.requestId
          : error === null
            ? (result as Answered<Data>).response.requestId
            : null,
      durationMs: performance.now() - startedAt,
      waitMs: goesOn ? waitMs : null,
    });
    if ("data" in result) return result;
    if (!goesOn) throw result;
    await pause(waitMs, signal, facts);
  }
}

/** The wait before the next try: what the service asks for, else at random up to a limit that doubles. Null: too long. */
function waitBefore(error: CallError, attempts: number, { isPatient }: Outgoing): number | null {
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  // Without a limit of tries, a service that says "at once" must not be asked without pause.
  if (asked !== null && isPatient) return Math.min(Math.max(asked, WAIT_MS_MIN), RETRY_AFTER_MS_MAX);
  if (asked !== null) return asked <= RETRY_AFTER_MS_MAX ? asked : null;
  return Math.random() * Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** attempts);
}

function draftRequest(
  { apiKey, url }: Connection,
  { method, path, query = {}, body }: Outgoing,
  idempotencyKey: string | null,
  apiVersion: string | undefined,
) {
  const headers: Record<string, string> = {
    Accept: "application/json",
    Authorization: `Bearer ${apiKey}`,
    "User-Agent": `holdfast-sdk/${VERSION}`,
  };
  if (idempotencyKey !== null) headers["Idempotency-Key"] = idempotencyKey;
  if (apiVersion !== undefined) headers["Service-Api-Version"] = apiVersion;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init = {
    method,
    headers,
    redirect: "manual" as const,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return { url: `${url}${path}${queryText(query)}`, init };
}

/** `createdAfter` becomes `created_after`, a Date its ISO form, a list a parameter for each value. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(query))
    for (const value of Array.isArray(given) ? given : [given])
      if (value !== undefined)
        search.append(
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value instanceof Date ? value.toISOString() : String(value),
        );
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

async function tryOnce<Data>(
  { fetch }: Connection,
  { url, init }: ReturnType<typeof draftRequest>,
  facts: CallFacts,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered<Data> | CallError> {
  if (signal?.aborted) return canceled(signal, facts);
  const controller = new AbortController();
  const { promise: ended, resolve: end } = deferred<CallError>();
  const stop = (error: CallError) => {
    end(error);
    controller.abort(error);
  };
  const cancel = () => stop(canceled(signal!, facts));
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = setTimer(timeoutMs, () =>
    stop(new TimeoutError(withKey("There was no answer in time.", facts), facts)),
  );
  try {
    // A fetch that ignores its signal does not hold up the call.
    return await Promise.race([fetchAnswer<Data>(fetch, url, { ...init, signal: controller.signal }, facts), ended]);
  } catch (error) {
    if (controller.signal.aborted) return ended;
    return new ConnectionError(
      withKey("The service could not be reached, or its answer broke off.", facts),
      facts,
      error,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

const canceled = (signal: AbortSignal, facts: CallFacts): CallError =>
  new CanceledError(withKey("The call was canceled.", facts), facts, signal.reason);

const withKey = (message: string, { idempotencyKey }: CallFacts): string =>
  idempotencyKey === null
    ? message
    : `${message} The outcome is unknown: repeat the call with the idempotencyKey of this error within 24 hours, and it takes effect once.`;

async function fetchAnswer<Data>(
  fetch: Connection["fetch"],
  url: string,
  init: RequestInit,
  facts: CallFacts,
): Promise<Answered<Data> | CallError> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.text();
  const requestId = headers.get("request-id");
  const json = parseObject(text);
  if (status >= 200 && status < 300 && json !== null) {
    const replayed = headers.get("idempotent-replayed") === "true";
    return { data: json as Data, response: { status, headers, requestId, attempts: facts.attempts, replayed } };
  }
  if (status >= 200 && status < 300)
    return new ConnectionError(withKey("The answer is no JSON object of the service.", facts), facts);
  const details = json?.error;
  return errorOf({
    ...facts,
    status,
    requestId,
    retryAfterMs: parseRetryAfter(headers.get("retry-after")),
    details: typeof details === "object" && details !== null ? (details as Record<string, unknown>) : {},
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // A proxy's page, or an answer that was cut.
    return null;
  }
}

/** Seconds, or a date, as HTTP has it. */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** As `Promise.withResolvers`, which Node.js 20 lacks. */
function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** A longer time than this would end a timer at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const setTimer = (ms: number, end: () => void) => setTimeout(end, Math.max(0, Math.min(ms, TIMER_MS_MAX)));

/** Waits; throws {@link CanceledError} if the signal comes first. */
export async function pause(ms: number, signal: AbortSignal | undefined, facts: CallFacts = NO_CALL): Promise<void> {
  if (signal?.aborted) throw canceled(signal, facts);
  const { promise, resolve, reject } = deferred<void>();
  const timer = setTimer(ms, resolve);
  const cancel = () => reject(canceled(signal!, facts));
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
const NO_CALL: CallFacts = { idempotencyKey: null, attempts: 0 };
