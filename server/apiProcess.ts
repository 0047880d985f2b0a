// One of several processes that answer behind one port. `server/apiProcesses.ts` starts it, and says what it works with.
import { once } from "node:events";
import { openDatabases, startAnswering } from "./answering.ts";
import { openChain } from "./chains.ts";
import { readConfig } from "./config.ts";
import { createMetrics } from "./edge/metrics.ts";
import { overviewFigures } from "./features/overview/figures.ts";
import { createNotifier } from "./features/webhooks/waking.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { log } from "./lib/log.ts";
import { FiguresExchange, type Message } from "./processChannel.ts";
import { Shutdown } from "./shutdown.ts";

/** Longer than the main process waits for the others. */
const FIGURES_MS_MAX = 1_500;

/** An error here is the main process gone, and then so are we. */
const send = (message: Message): void => void process.send?.(message, undefined, undefined, () => undefined);

async function start(shutdown: Shutdown): Promise<void> {
  const config = readConfig(process.env);
  if (config.failpoint !== null) armFailpoint(config.failpoint);
  const told = once(process, "message");
  send({ type: "hello" });
  const [begin] = (await told) as [Message];
  if (begin.type !== "begin") throw new Error(`The main process began with ${begin.type}.`);

  let onTold = (_businessIds: readonly string[]): void => undefined;
  const { connection, processes } = begin;
  const opening = { connection, processes, onTold: (businessIds: readonly string[]) => onTold(businessIds) };
  const databases = openDatabases(opening, shutdown);
  onTold = createNotifier(databases.slowDatabase);
  // The main process has joined them: who takes another's place must come up also while they are away.
  const chains = await Promise.all(
    begin.chains.map(async ({ genesisHash, ...settings }) => {
      const chain = await openChain(settings, log);
      chain.reader.keepTo(genesisHash);
      return chain;
    }),
  );
  const metrics = createMetrics(begin.name, overviewFigures(databases.slowDatabase, chains));
  const exchange = new FiguresExchange(send, async () => [await metrics.readOwn()]);
  process.on("message", (message: Message) => exchange.receive(message));
  const answering = { config, ...databases, chains, isLocal: begin.isLocal, metrics };
  await startAnswering({ ...answering, readOthers: () => exchange.ask(FIGURES_MS_MAX) }, shutdown);
  send({ type: "listening" });
}

const shutdown = new Shutdown(log, ["SIGTERM"]);
// A terminal's Ctrl-C reaches us as well as the main process, which asks us to stop when it is our turn.
process.on("SIGINT", () => undefined);
try {
  await start(shutdown);
} catch (error) {
  if (!shutdown.begun)
    process.stderr.write(`An API process could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  await shutdown.run(1);
}
