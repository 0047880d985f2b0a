import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inForm } from "../../tests/harness/form.ts";
import { TOKENS } from "./mints.ts";
import { lives } from "./model/lives.ts";
import { Model } from "./model/model.ts";

/** With `MODEL_RUNS` and `MODEL_SEED` in the environment: more runs, and other ones. `MODEL_SHRINK`: a failure is made short, for minutes. */
const RUNS = Number(process.env.MODEL_RUNS ?? inForm({ short: 4, long: 15 }));
const SEED = Number(process.env.MODEL_SEED ?? 20_261_800);
const STEPS_MAX = 60;

for (const [index, [name, token]] of Object.entries(TOKENS).entries()) {
  test(`${name}: whatever happens around it, the program does what the table says and moves nothing else (${RUNS} lives)`, async (t) => {
    const met = new Map<string, number>();
    const property = fc.asyncProperty(lives(STEPS_MAX), async (actions) => {
      const model = await Model.create(token);
      for (const one of actions) await model.take(one);
      for (const [what, times] of model.met) met.set(what, (met.get(what) ?? 0) + times);
    });
    await fc.assert(property, {
      numRuns: RUNS,
      seed: SEED + index,
      endOnFailure: process.env.MODEL_SHRINK === undefined,
    });
    t.diagnostic(`${[...met.values()].reduce((sum, times) => sum + times, 0)} instructions, ${met.size} kinds`);
    for (const needed of ["create done", "P refund done", "P pay_out done"]) {
      assert.ok((met.get(needed) ?? 0) > 0, `${needed}: never met`);
    }
    if (process.env.MODEL_SHOW) console.log(Object.fromEntries([...met].sort()));
  });
}
