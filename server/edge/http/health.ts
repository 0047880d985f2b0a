import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { App } from "./app.ts";

/** A check of one thing the service needs: resolves if it works, else rejects with the reason. */
export interface HealthCheck {
  readonly name: string;
  readonly check: (signal: AbortSignal) => Promise<unknown>;
}

const CHECK_MS = 2_000;
/** The page is public, and each check reads the chain: an answer serves the requests of this time too. */
const KEPT_MS = 1_000;

/** Serves /healthz (the process answers) and /readyz (everything it needs works, or 503 with the failed checks). */
export function registerHealth(app: App, checks: readonly HealthCheck[]): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  let running: Promise<[string, string | null][]> = Promise.resolve([]);
  let answeredAt = Number.NEGATIVE_INFINITY;
  app.get("/readyz", async (_request, reply) => {
    if (performance.now() - answeredAt > KEPT_MS) {
      answeredAt = Number.POSITIVE_INFINITY;
      running = Promise.all(checks.map((one) => run(one))).finally(() => {
        answeredAt = performance.now();
      });
    }
    const results = await running;
    const problems = Object.fromEntries(results.filter(([, problem]) => problem !== null));
    const ready = Object.keys(problems).length === 0;
    return reply.code(ready ? 200 : 503).send(ready ? { status: "ok" } : { status: "unavailable", problems });
  });
}

const OUTAGES: Readonly<Record<DatabaseUnavailableError["reason"], string>> = {
  away: "The database did not answer.",
  slow: "The database did not answer in time.",
  full: "The database has no room left: its disk, memory or connections.",
  "read-only": "The database takes no writes.",
  other: "The database did not answer.",
};

/** Leaves out the driver's own message: it may name the database's address. */
const describe = (error: unknown): string =>
  error instanceof DatabaseUnavailableError
    ? OUTAGES[error.reason]
    : error instanceof Error
      ? error.message
      : String(error);

async function run({ name, check }: HealthCheck): Promise<[string, string | null]> {
  const signal = AbortSignal.timeout(CHECK_MS);
  const late = new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new Error(`no answer within ${CHECK_MS / 1000} s`)), { once: true }),
  );
  return Promise.race([check(signal), late]).then(
    () => [name, null],
    (error: unknown) => [name, describe(error)],
  );
}
