import { test } from "node:test";
import { runKills } from "./kill.ts";

test("kill -9 of the service at fail-points and at random leaves books that hold, with every payment bound", async () => {
  await runKills({ seed: 4, kills: 4, payments: 24, buyers: 3, chainEvery: 3 });
});
