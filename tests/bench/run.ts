import { benchCreates } from "./creates.ts";

/** npm run bench -- <name> [numbers]: each prints a Markdown table. */
const BENCHES: Readonly<Record<string, { does: string; run: (args: readonly string[]) => Promise<void> }>> = {
  creates: { does: "[rounds] [seconds] [connections] [businesses]: creates/s against pgbench", run: benchCreates },
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
