import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { PROTECTION_PERIODS, PROTECTION_SECONDS } from "../../domain/terms.ts";
import type { App } from "../../edge/http/app.ts";
import { hasLoopbackHost } from "../../edge/http/loopback.ts";
import { createServer } from "../../edge/http/server.ts";
import { pauseSweep, setClockAhead } from "../../features/chains/queries.ts";
import { endOfSteps } from "../../lib/loop.ts";
import type { Database } from "../../store/database.ts";
import type { LocalChain } from "./chain.ts";
import { ControlError } from "./controlError.ts";
import { parsePlay, playOn } from "./players.ts";
import { callLocalChain, LocalChainError } from "./rpc.ts";

export interface ControlsDeps {
  readonly database: Database;
  /** The routes of the service itself. */
  readonly routes: readonly string[];
  readonly chain: Pick<LocalChain, "rpcUrl" | "programId" | "operator" | "walletsDir">;
}

/** The longest advance at once: a protection period or any number of seconds up to a year. */
const ADVANCE_SECONDS_MAX = 366 * 86_400;

/**
 * Opens the development controls, on a separate port that is open only while the local chain runs. Advancing the clock
 * answers when the chain and the database agree on it. Browsers are refused, so no web page can reach the controls
 * (§10.9).
 */
export function createControls({ database, chain, routes }: ControlsDeps): App {
  const { rpcUrl } = chain;
  const { app } = createServer([]);
  const advance = async (seconds: number) => {
    const moved = await callLocalChain<{ offsetMs: number }>(rpcUrl, "devnet_advance", { seconds });
    await setClockAhead(database, moved.offsetMs);
    return moved;
  };
  const forward = (method: string) => (body: unknown) => callLocalChain<unknown>(rpcUrl, method, body ?? {});
  const operations: Readonly<Record<string, (body: unknown) => Promise<unknown>>> = {
    "GET /clock": forward("devnet_clock"),
    "GET /routes": async () => ({ routes }),
    "POST /advance": (body) => advance(parseSeconds(body)),
    "POST /play": (body) => playOn({ ...chain, advance }, parsePlay(body)),
    "POST /sweep": async (body) => {
      const paused = (body as { paused?: unknown } | null)?.paused;
      if (typeof paused !== "boolean") throw new ControlError('Send {"paused": true} or {"paused": false}.');
      await pauseSweep(database, "test", paused);
      // What a read that began before shows would be recorded after the answer.
      if (paused) await endOfSteps("test ");
      return { paused };
    },
    "POST /faucet": forward("devnet_faucet"),
    "GET /faults": forward("devnet_faults"),
    "POST /faults": forward("devnet_faults"),
    "POST /drop": forward("devnet_drop"),
  };
  for (const [name, run] of Object.entries(operations)) {
    const [method, path] = name.split(" ") as ["GET" | "POST", string];
    app.on(method, path, async ({ raw }, reply) => {
      try {
        refuseBrowser(raw);
        return reply.send((await run(method === "GET" ? {} : await parseBody(raw))) as object);
      } catch (error) {
        const isKnown = error instanceof ControlError || error instanceof LocalChainError;
        const message = error instanceof Error ? error.message : String(error);
        return reply.code(isKnown ? 400 : 500).send({ error: { message } });
      }
    });
  }
  const names = Object.keys(operations).join(", ");
  app.own("", (_request, reply) => reply.code(404).send({ error: { message: `Controls: ${names}.` } }));
  return app;
}

function refuseBrowser({ headers }: IncomingMessage): void {
  if (!hasLoopbackHost(headers.host)) throw new ControlError("Refused: the Host header is not a loopback name.");
  for (const name of ["origin", "sec-fetch-site", "cookie"])
    if (headers[name] !== undefined) throw new ControlError(`Refused: the request carries the browser header ${name}.`);
}

/** The body is read as JSON whatever its type: curl sends the type of a form. */
async function parseBody(request: IncomingMessage): Promise<unknown> {
  const body = await text(request);
  try {
    return body === "" ? {} : JSON.parse(body);
  } catch {
    throw new ControlError("The body is not valid JSON.");
  }
}

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
