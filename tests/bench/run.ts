import { benchChain } from "./chain.ts";
import { benchCheckout } from "./checkout.ts";
import { benchCreates } from "./creates.ts";
import { benchDeliveries } from "./deliveries.ts";
import { benchFinality } from "./finality.ts";
import { benchGets } from "./gets.ts";
import { benchGrowth } from "./growth.ts";
import { benchKeeper } from "./keeper.ts";
import { benchMemory } from "./memory.ts";
import { benchPages } from "./pages.ts";
import { benchRequests } from "./requests.ts";
import { benchSpace } from "./space.ts";
import { benchSweepCost } from "./sweepCost.ts";

/** npm run bench -- <name> [numbers]: each prints a Markdown table. */
const BENCHES: Readonly<Record<string, { does: string; run: (args: readonly string[]) => Promise<void> }>> = {
  chain: {
    does: "[payments] [rounds] [folder of another build] [part of a case's name]: payments bound, final and intents expired a second",
    run: benchChain,
  },
  checkout: {
    does: "[rounds] [seconds] [connections] [pages] [streams]: creates/s while checkout pages are open, and what each stream brings and costs",
    run: benchCheckout,
  },
  creates: { does: "[rounds] [seconds] [connections] [businesses]: creates/s against pgbench", run: benchCreates },
  deliveries: {
    does: "[rounds] [seconds] [connections] [businesses]: creates with a delivery each, a second and their CPU",
    run: benchDeliveries,
  },
  finality: {
    does: "[payments] [seconds]: how long the finality of so many payments takes, and creates during it",
    run: benchFinality,
  },
  gets: { does: "[rounds] [seconds] [connections]: GET intent/s against Node's bare HTTP server", run: benchGets },
  growth: {
    does: "[rounds] [seconds] [a second] [what] [folder]: requests and statements at 10 thousand and 10 million rows",
    run: benchGrowth,
  },
  keeper: {
    does: "[payments] [businesses] [hopeless] [ms a call]: parts paid out a second, against one transaction at a time",
    run: benchKeeper,
  },
  memory: { does: "[minutes] [requests a second]: memory of the API and of the worker under load", run: benchMemory },
  pages: {
    does: "[deliveries] [requests]: pages that each list reads with so many of them",
    run: benchPages,
  },
  requests: {
    does: "[rounds] [seconds] [connections] [logged a second]: creates/s with the request log on against off",
    run: benchRequests,
  },
  space: { does: "[intents]: bytes per intent of the mix of `growth`, by table and index", run: benchSpace },
  "sweep-cost": {
    does: "[seconds] [transactions] [a second]: RPC calls of an idle sweep, and for each transaction",
    run: benchSweepCost,
  },
};

const [name, ...args] = process.argv.slice(2);
const bench = name === undefined ? undefined : BENCHES[name];
if (bench === undefined) {
  console.error(
    `npm run bench -- <name>\n\n${Object.entries(BENCHES)
      .map(([one, { does }]) => `  ${one} ${does}`)
      .join("\n")}`,
  );
  process.exit(1);
}
await bench.run(args);
