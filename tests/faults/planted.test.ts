import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { PROJECT_ROOT } from "../harness/service.ts";
import { BUGS } from "./planted/bugs.ts";
import { MENDED } from "./planted/findings.ts";
import { isFound, plant } from "./planted/plant.ts";
import { SteppedService } from "./steppedService.ts";

const SHORT = new Set(["primaries", "sequences", "parts"]);
const numbers = BUGS.keys().filter((number) => inForm({ short: SHORT.has(BUGS[number]!.breaks), long: true }));

test("each planted bug edits code that stands once in its file", () => {
  for (const [file, from] of [...BUGS.flatMap(({ edits }) => edits), ...MENDED.map(({ edit }) => edit)]) {
    const text = readFileSync(join(PROJECT_ROOT, file), "utf8");
    assert.equal(text.split(from).length, 2, `${file}: ${from}`);
  }
});

test("the scenarios of planted bugs break no promise without the bugs", async () => {
  for (const scenario of new Set(BUGS.map((bug) => bug.scenario))) {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    await scenario(stepped);
    await stepped.assertSound();
  }
});

test("the checker names the promise that each planted bug breaks", { concurrency: 2 }, async (t) => {
  await Promise.all(
    [...numbers].map((number) => {
      const { what, breaks } = BUGS[number]!;
      return t.test(what, async () => {
        const violated = await plant(number);
        assert.ok(
          violated.includes(breaks),
          `${breaks} is broken, and the checker names: ${violated.join() || "nothing"}`,
        );
      });
    }),
  );
});

/** Mistakes of pure rules, whose tests take no time. */
const PURE = /limits|unavailable|loop/;
const mended = inForm({ short: MENDED.filter(({ edit: [file] }) => PURE.test(file)), long: MENDED });

test("a test is red when a mistake comes back that an attack found", async (t) => {
  for (const one of mended)
    await t.test(one.what, async () => assert.ok(await isFound(one), `${one.test.join(": ")} is green`));
});
