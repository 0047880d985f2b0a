import { type ActEnding, endingOf } from "@holdfast/wallet/act.ts";
import type { Posts } from "./schema.ts";

/** The service refused; the message is a sentence for the buyer. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ANSWER_MS_MAX = 20_000;

/** The object of a route, whose path the page knows, and what else the route names. */
export type Place<Route extends keyof Posts> = {
  readonly path: string;
} & (Route extends `${string}}${string}{${infer Name}}${string}` ? { readonly [Each in Name]: string } : unknown);

/**
 * Calls one of the page's own routes. Throws {@link RefusedError} if the service refuses, and the error of `fetch` without
 * an answer.
 */
export const callService = <Route extends keyof Posts>(
  route: Route,
  place: Place<Route>,
  body: Posts[Route]["body"],
  headers?: Readonly<Record<string, string>>,
): Promise<Posts[Route]["answer"]> => post(addressOf(route, place), body, headers);

/** The path of the object stands for the route up to its first name. */
export const addressOf = <Route extends keyof Posts>(route: Route, { path, ...names }: Place<Route>): string =>
  path +
  route
    .slice(route.indexOf("}") + 1)
    .replace(/\{(\w+)\}/, (_, name: string) => (names as Readonly<Record<string, string>>)[name]!);

/** Posts to a path outside the document of the routes, such as one of a local run. Throws as {@link callService}. */
export async function post<Answer>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(path, {
    method: "POST",
    // A refusal is in the language of the page, whatever the browser prefers.
    headers: { "Content-Type": "application/json", "Accept-Language": languageOfPage(), ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const read = (await answer.json()) as Answer & {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (read.error !== undefined) throw new RefusedError(read.error.code, read.error.message);
  return read;
}

const { document: page } = globalThis as { document?: { readonly documentElement: { readonly lang: string } } };
const languageOfPage = (): string => page?.documentElement.lang ?? "en";

const TRIES_MAX = 4;
const RETRY_MS = 1_500;
/** Failures half-way: the request's transaction may have been accepted. */
export const MAY_HAVE_ARRIVED: ReadonlySet<string> = new Set([
  "chain_unavailable",
  "unavailable",
  "internal_error",
  "in_progress",
]);

/**
 * Passes signed bytes to the service, and retries without an answer: the same bytes land once, however often they
 * arrive. Once an attempt may have arrived, no later answer can say that the transaction was not sent.
 */
export async function handOver<Route extends keyof Posts>(
  route: Route,
  place: Place<Route>,
  body: Posts[Route]["body"],
): Promise<ActEnding> {
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    try {
      await callService(route, place, body);
      return { kind: "sent" };
    } catch (error) {
      const refusal = error instanceof RefusedError ? error : null;
      // The payment of an earlier attempt is recorded already.
      if (refusal?.code === "paid" && mayHaveArrived) return { kind: "sent" };
      if (refusal?.code === "expired" && !mayHaveArrived) return { kind: "too_late" };
      mayHaveArrived ||= refusal === null || MAY_HAVE_ARRIVED.has(refusal.code);
      const isFinal = refusal !== null && refusal.code !== "rate_limited" && !MAY_HAVE_ARRIVED.has(refusal.code);
      if (isFinal || tries >= TRIES_MAX) return mayHaveArrived ? { kind: "unknown" } : endingOf(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  }
}
