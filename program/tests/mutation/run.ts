// `node program/tests/mutation/run.ts [part of a name …]`: every guard, comparison, connective, sum, negation, account index and
// assignment of the program changed, one at a time, built, and tested until a test is red. It takes an hour or more of one
// processor and the tools of the build. MUTATION_WORKERS says how many at once; a survivor without an explanation is an error.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXPLAINED } from "./explained.ts";
import { type Mutation, mutate } from "./generate.ts";
import { SOURCES, Workshop } from "./workshop.ts";

/** These files decide nothing: the golden files check layouts, codes and texts. */
const NOT_CHANGED = ["layout.rs", "refusal.rs", "security.rs", "log.rs"];
/** The quick ones first; the model last, since it takes the longest. */
const TESTS = [
  "refusals",
  "table",
  "transitions",
  "decisions",
  "addresses",
  "extensions",
  "tokens",
  "lamports",
  "model",
];
/** The test that most likely fails after a change of this file. */
const FIRST: Readonly<Record<string, string>> = {
  "state.rs": "table",
  "token.rs": "extensions",
  "accounts.rs": "addresses",
};
const WORKERS = Number(process.env.MUTATION_WORKERS ?? 1);

type Fate = "killed" | "not built" | "the same file" | "explained" | "survived";

const wanted = process.argv.slice(2);
const all = readdirSync(SOURCES)
  .filter((file) => !NOT_CHANGED.includes(file))
  .flatMap((file) => mutate(file, readFileSync(join(SOURCES, file), "utf8")));
const mutations = all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const stale = Object.keys(EXPLAINED).filter((name) => !all.some((mutation) => mutation.name === name));
const fates = new Map<Fate, number>();
let next = 0;

async function work(): Promise<void> {
  const workshop = await Workshop.open();
  try {
    const failed = await workshop.build(new Map());
    if (failed !== null) throw new Error(`The program as it is does not build: ${failed}`);
    const original = await workshop.readProgram();
    for (let mutation = mutations[next++]; mutation !== undefined; mutation = mutations[next++]) {
      const startedAt = performance.now();
      const [fate, by] = await tryOut(workshop, mutation, original);
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      const took = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
      console.log(`${fate}${by} · ${mutation.file}:${mutation.line} · ${mutation.name} · ${took}`);
    }
  } finally {
    await workshop.close();
  }
}

async function tryOut(
  workshop: Workshop,
  { name, file, text }: Mutation,
  original: Buffer,
): Promise<[fate: Fate, by: string]> {
  if ((await workshop.build(new Map([[file, text]]))) !== null) return ["not built", ""];
  if ((await workshop.readProgram()).equals(original)) return ["the same file", ""];
  const first = FIRST[file];
  for (const test of first === undefined ? TESTS : [first, ...TESTS.filter((other) => other !== first)]) {
    if (!(await workshop.passes(test))) return ["killed", ` by ${test}`];
  }
  const reason = EXPLAINED[name];
  return reason === undefined ? ["survived", ""] : ["explained", `: ${reason}`];
}

await Promise.all(Array.from({ length: WORKERS }, work));
console.log(`${mutations.length} changes: ${[...fates].map(([fate, count]) => `${count} ${fate}`).join(", ")}.`);
if (wanted.length === 0)
  for (const name of stale) console.error(`explained.ts names a change that there is not: ${name}`);
process.exitCode = (fates.get("survived") ?? 0) > 0 || (wanted.length === 0 && stale.length > 0) ? 1 : 0;
