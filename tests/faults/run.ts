// `npm run faults -- <scenario> [--seed N]`: the long run of a scenario, which prints its figures.
import { parseArgs } from "node:util";
import { describeReport } from "./checker.ts";
import { runKills } from "./kill.ts";
import { runNoise } from "./noise.ts";
import { runParallelConfirms } from "./parallel.ts";
import { runDatabaseFaults } from "./postgres.ts";
import { OUTAGES, type Outage, runOutages } from "./rpc.ts";
import type { Scenario } from "./scenarios.ts";

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  parallel: {
    about: "50 confirms and the sweep on one payment, 40 times",
    run: () => runParallelConfirms({ rounds: 40 }),
  },
  kill: {
    about:
      "the service killed 200 times (the chain 10 times), at random and at every fail-point, while 1,000 payments are made",
    run: (seed) => runKills({ seed, kills: 200, payments: 1_000, buyers: 6, chainEvery: 20 }),
  },
  postgres: {
    about: "PostgreSQL's connections cut 60 times, 10 restarts fast and 10 immediate, while 400 payments are made",
    run: (seed) => runDatabaseFaults({ seed, terminations: 60, fast: 10, immediate: 10, payments: 400, buyers: 6 }),
  },
  noise: {
    about: "100,000 transactions that name the operator and pay nothing, with 40 payments among them",
    run: () => runNoise({ transactions: 100_000, payments: 40, growthMax: 1.1 }),
  },
  rpc: {
    about: "every way all nodes, or one of two, can fail: confirm refuses in time, the sweep catches up",
    run: () => runOutages({ outages: Object.keys(OUTAGES) as Outage[] }),
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const scenario = SCENARIOS[positionals[0] ?? ""];
if (scenario === undefined || positionals.length !== 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run faults -- <scenario> [--seed N]");
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
