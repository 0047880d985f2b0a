import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { Run } from "./run.ts";
import { Shutdown } from "./shutdown.ts";

test("a part that fails leaves the stops of those that run, the last first, and a stop meanwhile ends the start", async () => {
  const done: string[] = [];
  const shutdown = new Shutdown(() => undefined, []);
  const stops: (() => Promise<unknown>)[] = [];
  shutdown.add = (_name, stop) => void stops.unshift(stop);
  const run = new Run(readConfig({ ROLE: "api" }), shutdown);
  assert.deepEqual([run.isApi, run.isWorker], [true, false]);
  const stopOf = (name: string) => async () => void done.push(`${name} stopped`);
  await run.runs("one", Promise.resolve(stopOf("one")));
  await run.runs("two", undefined);
  assert.equal(await run.made(Promise.resolve("three")), "three");
  await run.runs("four", stopOf("four"));
  await assert.rejects(run.runs("five", Promise.reject(new Error("five fails"))), /five fails/);
  for (const stop of stops) await stop();
  assert.deepEqual(done, ["four stopped", "one stopped"]);

  shutdown.begun = true;
  await assert.rejects(run.made(Promise.resolve("six")), /stopped during the start/);
  await assert.rejects(run.runs("seven", stopOf("seven")), /stopped during the start/);
  assert.equal(stops.length, 3, "what had begun is stopped too");
});
