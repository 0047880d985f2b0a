// `node program/tests/model/run.ts [steps] [seed]`: the model for longer, a million steps unless said otherwise, in turn on every
// kind of token. A line every 10,000 steps says how far it is. It ends at the first violation, with what led to it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { TOKENS } from "../mints.ts";
import { lives } from "./lives.ts";
import { Model } from "./model.ts";

const STEPS_OF_A_LIFE = 160;
const SAID_EVERY = 10_000;
const CHAINS_KEPT = 20;
const [wanted, first] = [Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 1)];
// A chain's memory lies outside of what V8 counts, so by itself it would be freed too late.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const tokens = Object.entries(TOKENS);
const startedAt = performance.now();
const met = new Map<string, number>();
let [steps, said] = [0, 0];

for (let seed = first; steps < wanted; seed += 1) {
  const [name, token] = tokens[seed % tokens.length]!;
  const [life] = fc.sample(lives(STEPS_OF_A_LIFE), { numRuns: 1, seed });
  const model = await Model.create(token);
  for (const [index, step] of life!.entries()) {
    try {
      await model.take(step);
    } catch (error) {
      console.error(`Seed ${seed}, ${name}, after ${JSON.stringify(life!.slice(0, index + 1))}:`);
      throw error;
    }
  }
  for (const [what, times] of model.met) met.set(what, (met.get(what) ?? 0) + times);
  steps += life!.length;
  if (seed % CHAINS_KEPT === 0) {
    collectGarbage();
    await nextTurn();
  }
  if (steps - said >= SAID_EVERY) {
    said = steps;
    const instructions = [...met.values()].reduce((sum, times) => sum + times, 0);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    console.log(
      `${steps} steps, ${instructions} instructions of ${met.size} kinds, ${minutes} min, no violation; seed ${seed}`,
    );
  }
}
console.log(`${steps} steps of seeds from ${first}: no violation.`);
console.log(Object.fromEntries([...met].sort()));
