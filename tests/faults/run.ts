// `npm run faults -- <scenario> [--seed N]`: the long run of a scenario, which prints its figures. `npm run faults -- long
// [--since=<commit>]`: the long forms of the tests, all or those whose folders have changed.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCreates } from "../../sdk/tests/creates.ts";
import { runKilledFollower } from "../../sdk/tests/killedFollower.ts";
import { sharedService } from "../harness/service.ts";
import { runAll } from "./all/all.ts";
import { sumRows } from "./all/rows.ts";
import { runBooks } from "./books.ts";
import { describeReport } from "./checker.ts";
import { runDeployments } from "./deployments.ts";
import { runDisputes } from "./disputes.ts";
import { runDrill } from "./drill.ts";
import { runFailOvers } from "./failover.ts";
import { runForks } from "./forks.ts";
import { runKeeper } from "./keeper.ts";
import { runKills } from "./kill.ts";
import { runLies } from "./lies.ts";
import { runMinuteBoundary } from "./minute.ts";
import { runNoise } from "./noise.ts";
import { runParallelConfirms } from "./parallel.ts";
import { runDatabaseFaults } from "./postgres.ts";
import { runRevertAndKill } from "./revertAndKill.ts";
import { OUTAGES, type Outage, runOutages } from "./rpc.ts";
import type { Figures, Scenario } from "./scenarios.ts";
import { runBatching, startSides } from "./sharedStatements.ts";
import { runSponsor } from "./sponsor.ts";
import { runWatermark } from "./watermark.ts";
import { runHangingNeighbour } from "./webhookHang.ts";
import { runWebhookKills } from "./webhookKill.ts";
import { runWebhookLeases } from "./webhookLease.ts";
import { runWebhookLatency, runWebhookLoad } from "./webhookLoad.ts";
import { runManyHistories } from "./webhookModel.ts";
import { runRecovery } from "./webhookRecovery.ts";

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  all: {
    about:
      "everything at once for --minutes: processes, PostgreSQL, disk, chain, nodes, clocks and receivers fail under traffic",
    run: (seed) =>
      runAll({
        ...{ seed, minutes: Number(values.minutes), buyers: 8 },
        kinds: values.kinds?.split(",") ?? null,
        from: values.from === undefined ? null : resolve(values.from),
      }),
  },
  parallel: {
    about: "50 confirms and the sweep on one payment, 40 times",
    run: () => runParallelConfirms({ rounds: 40 }),
  },
  forks: {
    about: "100 random scenarios of payments dropped by forks and landed again",
    run: (seed) => runForks({ seed, scenarios: 100, length: 150 }),
  },
  disputes: {
    about:
      "500 disputes in 56 random scenarios: texts, offers and rulings among forks, killed processes, cut connections and jumps of the clock",
    run: (seed) => runDisputes({ seed, scenarios: 56, length: 150, payments: 3, kills: 3 }),
  },
  revert: {
    about: "a payment taken by a fork, the service killed in the middle of giving it up",
    run: () => runRevertAndKill(),
  },
  creates: {
    about: "10,000 creates of the SDK through a network that resets, cuts, hangs and refuses: one intent each",
    run: (seed) => unchecked(runCreatesAlone(seed)),
  },
  follower: {
    about:
      "a follower of the SDK killed 50 times, stopped, cut off, left without a service: every event once, in order",
    run: (seed) => unchecked(runKilledFollower({ seed, kills: 50 })),
  },
  kill: {
    about:
      "the service killed 200 times (the chain 10 times), at random and at every fail-point, while 1,000 payments are made",
    run: (seed) => runKills({ seed, kills: 200, payments: 1_000, buyers: 6, chainEvery: 20 }),
  },
  books: {
    about:
      "2,000 random payments with disputes, refunds, duplicates, mismatches, forks and dust: the books tie to the chain, and planted differences are found",
    run: (seed) => runBooks({ seed, payments: 2_000 }),
  },
  keeper: {
    about:
      "1,000 due payments of 50 businesses, 100 of which cannot settle, and two workers: the others settle, none twice",
    run: () => runKeeper({ businesses: 50, payments: 1_000, hopeless: 100, large: 8, concurrency: 16 }),
  },
  sponsor: {
    about: "1,000 hostile attempts on a sponsor's key, and each of its limits: it loses fees and tombstones alone",
    run: (seed) => runSponsor({ seed, attempts: 1_000, loops: 20 }),
  },
  postgres: {
    about: "PostgreSQL's connections cut 60 times, 10 restarts fast and 10 immediate, while 400 payments are made",
    run: (seed) => runDatabaseFaults({ seed, terminations: 60, fast: 10, immediate: 10, payments: 400, buyers: 6 }),
  },
  failover: {
    about:
      "the leader of three PostgreSQL under Patroni killed five times, while 200 payments and many intents are made",
    run: (seed) => runFailOvers({ seed, kills: 5, payments: 200, buyers: 4 }),
  },
  deployments: {
    about: "10,000 requests to two deployments behind HAProxy, while either is killed or hangs 12 times",
    run: () => unchecked(runDeployments({ requests: 10_000, outages: 12 })),
  },
  drill: {
    about:
      "database, node, all nodes, endpoint, finality and the keeper's SOL taken away, and more: what figures, log and alerts show of it",
    run: () => runDrill({ database: ["fast", "immediate", "fast"], allNodes: true, refill: true, alerts: true }),
  },
  noise: {
    about: "100,000 transactions that name the operator and pay nothing, with 40 payments among them",
    run: () => runNoise({ transactions: 100_000, payments: 40, growthMax: 1.1 }),
  },
  watermark: {
    about:
      "ten minutes on a chain that is final in one slot: ten payments and fifty noises a second, one of two nodes slow by three seconds",
    run: () => runWatermark({ seconds: 600, paymentsASecond: 10, noiseASecond: 50 }),
  },
  rpc: {
    about: "every way all nodes, or one of two, can fail: confirm refuses in time, the sweep catches up",
    run: () => runOutages({ outages: Object.keys(OUTAGES) as Outage[] }),
  },
  lies: {
    about:
      "everything that one of two nodes, both, or the only one can say wrongly: what is booked meanwhile, and after",
    run: () => runLies({ names: null, lastsMs: 20_000 }),
  },
  batching: {
    about:
      "60 random scenarios of concurrent requests, with and without statements shared: the same answers and tables",
    run: (seed) => unchecked(runBatchingAlone(seed)),
  },
  minute: {
    about: "requests of one key across the end of a minute, over two processes: at most 120 pass in each",
    run: () => unchecked(runMinuteBoundary()),
  },
  "webhook-load": {
    about: "10,000 events to ten endpoints: all received, verified by another maker's check, none twice",
    run: () => unchecked(runWebhookLoad({ events: 10_000 })),
  },
  "webhook-model": {
    about: "10,000 random histories of deliveries against a model of the schedule",
    run: (seed) => unchecked(runManyHistories({ seed, histories: 10_000 })),
  },
  "webhook-hang": {
    about: "one of ten endpoints hangs with a backlog of 100,000; how long the others' events take",
    run: () => unchecked(runHangingNeighbour({ backlog: 100_000, seconds: 60, eventsPerSecond: 100 })),
  },
  "webhook-recovery": {
    about: "every endpoint down for four hours, then up",
    run: () => unchecked(runRecovery({ endpoints: 10, backlog: 2_000, fresh: 200 })),
  },
  "webhook-kill": {
    about: "workers killed every second for a minute under load, one frozen past its lease",
    run: (seed) => unchecked(runWebhookKills({ seed, seconds: 60, workers: 3, eventsPerSecond: 60, frozenMs: 45_000 })),
  },
  "webhook-lease": {
    about: "three workers share 200 endpoints for ten minutes; one is killed or stopped every five seconds",
    run: (seed) =>
      unchecked(
        runWebhookLeases({ seed, seconds: 600, workers: 3, endpoints: 200, eventsPerSecond: 40, endEverySeconds: 5 }),
      ),
  },
  "webhook-latency": {
    about:
      "from commit to arrival at 100 events a second, in one process; then with write transactions held open for ten minutes",
    run: () => unchecked(runWebhookLatency({ seconds: 60, eventsPerSecond: 100, apart: false, pinnedSeconds: 600 })),
  },
  "webhook-apart": {
    about: "from commit to arrival at 100 events a second, the worker in a process of its own",
    run: () => unchecked(runWebhookLatency({ seconds: 60, eventsPerSecond: 100, apart: true, pinnedSeconds: 0 })),
  },
};

async function runCreatesAlone(seed: number) {
  const service = await sharedService();
  try {
    return await runCreates(service, { seed, creates: 10_000 });
  } finally {
    await service.remove();
  }
}

async function runBatchingAlone(seed: number) {
  const services = await startSides();
  try {
    return await runBatching(services, { seed, scenarios: 60, rounds: 12, groups: 24 });
  } finally {
    await Promise.all(services.map((service) => service.remove()));
  }
}

/** This scenario checks its promises itself and leaves nothing for the checker. */
async function unchecked(run: Promise<Figures["figures"]>): Promise<Figures> {
  return { figures: await run, report: null };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    since: { type: "string" },
    minutes: { type: "string", default: "10" },
    kinds: { type: "string" },
    from: { type: "string" },
  },
});
if (positionals[0] === "long") {
  const runner = join(import.meta.dirname, "../../tools/test.ts");
  const since = values.since === undefined ? [] : [`--since=${values.since}`];
  const words = [...process.execArgv, runner, "--long", ...since, ...positionals.slice(1)];
  process.exit(spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1);
}
if (positionals[0] === "sum") {
  console.log(sumRows(join(import.meta.dirname, "../../docs/reliability.md")));
  process.exit(0);
}
const seed = Number(values.seed);
const scenario = SCENARIOS[positionals[0] ?? ""];
if (scenario === undefined || positionals.length !== 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run faults -- <scenario> [--seed N], or: npm run faults -- long [--since=<commit>]");
  for (const [name, { about }] of Object.entries(SCENARIOS)) console.error(`  ${name.padEnd(12)}${about}`);
  process.exit(1);
}

const startedAt = performance.now();
try {
  const { figures, report } = await scenario.run(seed);
  console.log(`${positionals[0]} (seed ${seed}), ${Math.round((performance.now() - startedAt) / 1000)} s`);
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name}: ${value}`);
  if (report !== null) console.log(describeReport(report));
  process.exit(0);
} catch (error) {
  console.error(
    `${positionals[0]} (seed ${seed}) failed after ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  console.error(error);
  process.exit(1);
}
