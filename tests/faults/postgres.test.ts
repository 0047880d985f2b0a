import { test } from "node:test";
import { runDatabaseFaults } from "./postgres.ts";

test("the service survives cut connections and restarts of PostgreSQL under load", async () => {
  await runDatabaseFaults({ seed: 11, terminations: 3, fast: 1, immediate: 1, payments: 15, buyers: 4 });
});
