import { test } from "node:test";
import { runKills } from "./kill.ts";

test("kill -9 at fail-points and at random breaks no promise, and every payment is bound", async () => {
  await runKills({ seed: 4, kills: 4, payments: 12, buyers: 3, chainEvery: 3 });
});
