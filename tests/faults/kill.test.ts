import { test } from "node:test";
import { runKills } from "./kill.ts";

test("kill -9 of the service at fail-points and at random leaves books that hold, with every payment bound", async () => {
  await runKills({ seed: 4, kills: 6, payments: 30, buyers: 3 });
});
