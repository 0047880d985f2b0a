import { benchChain } from "./chain.ts";
import { benchCheckout } from "./checkout.ts";
import { benchCreates } from "./creates.ts";
import { benchDeliveries } from "./deliveries.ts";
import { benchExports } from "./exports.ts";
import { benchGets } from "./gets.ts";
import { benchGrowth } from "./growth.ts";
import { benchPaid } from "./paid.ts";
import { benchPaint } from "./paint.ts";
import { benchRequests } from "./requests.ts";

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
  exports: {
    does: "[payments] [format or layout]: time and memory of the server while payments are exported",
    run: benchExports,
  },
  gets: { does: "[rounds] [seconds] [connections]: GET intent/s against Node's bare HTTP server", run: benchGets },
  growth: {
    does: "[rounds] [seconds] [a second] [what] [folder]: requests and statements at 10 thousand and 10 million rows",
    run: benchGrowth,
  },
  paid: {
    does: "[alone] [a second] [seconds] [file of a node]: from a final block to `payment_intent.paid`, and to the shop's webhook",
    run: benchPaid,
  },
  paint: {
    does: "[rounds] [folder of another build]: first contentful paint of a checkout page",
    run: benchPaint,
  },
  requests: {
    does: "[rounds] [seconds] [connections] [logged a second]: creates/s with the request log on against off",
    run: benchRequests,
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
