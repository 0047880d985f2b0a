import fastify, { type FastifyInstance } from "fastify";
import { PROTECTION_PERIODS, PROTECTION_SECONDS } from "../../domain/terms.ts";
import { hasLoopbackHost } from "../../edge/http/loopback.ts";
import { pauseSweep, setClockAhead } from "../../features/chains/queries.ts";
import type { Database } from "../../store/database.ts";
import { callLocalChain, LocalChainError } from "./rpc.ts";

export interface ControlsDeps {
  readonly database: Database;
  readonly rpcUrl: string;
}

/** The request is not one that the controls answer; the message says what to send. */
class ControlError extends Error {
  override readonly name = "ControlError";
}

/** A protection period or any number of seconds up to a year at once. */
const ADVANCE_SECONDS_MAX = 366 * 86_400;

/**
 * Development controls, on a port of their own that is open only while the local chain runs. Advancing the clock answers
 * when the chain and the database agree on it. Browsers are refused, so no web page can reach the controls (§10.9).
 */
export function createControls({ database, rpcUrl }: ControlsDeps): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: "idle" });
  // A body is read as JSON whatever its type says: curl calls it a form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? {} : JSON.parse(body as string));
    } catch {
      done(new ControlError("The body is not valid JSON."));
    }
  });
  app.addHook("onRequest", async ({ headers }) => {
    if (!hasLoopbackHost(headers.host)) throw new ControlError("Refused: the Host header is not a loopback name.");
    for (const name of ["origin", "sec-fetch-site", "cookie"])
      if (headers[name] !== undefined)
        throw new ControlError(`Refused: the request carries the browser header ${name}.`);
  });
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ControlError || error instanceof LocalChainError;
    const message = error instanceof Error ? error.message : String(error);
    return reply.code(known ? 400 : 500).send({ error: { message } });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: { message: `Controls: ${NAMES.join(", ")}.` } }),
  );

  const forward = (method: string) => (request: { body: unknown }) =>
    callLocalChain<unknown>(rpcUrl, method, request.body ?? {});
  app.get("/clock", () => callLocalChain(rpcUrl, "devnet_clock", {}));
  app.post("/advance", async ({ body }) => {
    const moved = await callLocalChain<{ offsetMs: number }>(rpcUrl, "devnet_advance", { seconds: parseSeconds(body) });
    await setClockAhead(database, moved.offsetMs);
    return moved;
  });
  app.post("/sweep", async ({ body }) => {
    const paused = (body as { paused?: unknown } | null)?.paused;
    if (typeof paused !== "boolean") throw new ControlError('Send {"paused": true} or {"paused": false}.');
    await pauseSweep(database, "test", paused);
    return { paused };
  });
  app.post("/faucet", forward("devnet_faucet"));
  app.get("/faults", () => callLocalChain(rpcUrl, "devnet_faults", {}));
  app.post("/faults", forward("devnet_faults"));
  app.post("/drop", forward("devnet_drop"));
  return app;
}
const NAMES = [
  "GET /clock",
  "POST /advance",
  "POST /sweep",
  "POST /faucet",
  "GET /faults",
  "POST /faults",
  "POST /drop",
];

function parseSeconds(body: unknown): number {
  const { seconds, period } = (body ?? {}) as { seconds?: unknown; period?: unknown };
  const known = PROTECTION_PERIODS.find((one) => one === period);
  const wanted = known === undefined ? seconds : PROTECTION_SECONDS[known];
  if (typeof wanted !== "number" || !Number.isInteger(wanted) || wanted < 1 || wanted > ADVANCE_SECONDS_MAX)
    throw new ControlError(
      `Send {"seconds": 1 to ${ADVANCE_SECONDS_MAX}} or {"period": one of ${PROTECTION_PERIODS.join(", ")}}.`,
    );
  return wanted;
}
