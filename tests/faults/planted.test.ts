import assert from "node:assert/strict";
import { test } from "node:test";
import { BUGS } from "./planted/bugs.ts";
import { plant } from "./planted/tree.ts";
import { SteppedService } from "./steppedService.ts";

test("the scenarios of planted bugs break no promise without the bugs", async () => {
  for (const scenario of new Set(BUGS.map((bug) => bug.scenario))) {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    await scenario(stepped);
    await stepped.assertSound();
  }
});

test("the checker names the promise that each planted bug breaks", { concurrency: 2 }, async (t) => {
  await Promise.all(
    BUGS.map(({ what, breaks }, number) =>
      t.test(what, async () => {
        const violated = await plant(number);
        assert.ok(
          violated.includes(breaks),
          `${breaks} is broken, and the checker names: ${violated.join() || "nothing"}`,
        );
      }),
    ),
  );
});
