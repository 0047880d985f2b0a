import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { type Part, Run, startParts } from "./run.ts";
import { Shutdown } from "./shutdown.ts";

test("the parts of a role start in order, and one that fails leaves the stops of those that had begun", async () => {
  const done: string[] = [];
  const part = (name: string, roles: Part["roles"], fails = false): Part => ({
    name,
    roles,
    start: async () => {
      if (fails) throw new Error(`${name} fails`);
      done.push(name);
      return async () => void done.push(`${name} stopped`);
    },
  });
  const shutdown = new Shutdown(() => undefined, []);
  const stops: (() => Promise<unknown>)[] = [];
  shutdown.add = (_name, stop) => void stops.unshift(stop);
  const run = new Run(readConfig({ ROLE: "api" }), shutdown);
  const parts = [
    part("one", ["api", "all"]),
    part("two", ["worker"]),
    part("three", ["api"]),
    part("four", ["api"], true),
  ];
  await assert.rejects(startParts([...parts, part("five", ["api"])], run), /four fails/);
  for (const stop of stops) await stop();
  assert.deepEqual(done, ["one", "three", "three stopped", "one stopped"]);

  shutdown.begun = true;
  await assert.rejects(startParts(parts.slice(0, 3), run), /stopped during the start/);
  assert.deepEqual(done.slice(4), ["one"]);
});
