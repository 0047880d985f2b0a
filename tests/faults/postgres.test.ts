import { test } from "node:test";
import { runDatabaseFaults } from "./postgres.ts";

test("PostgreSQL's connections cut, PostgreSQL restarted fast and immediately under load: the service lives, and heals", async () => {
  await runDatabaseFaults({ seed: 11, terminations: 5, fast: 1, immediate: 1, payments: 21, buyers: 4 });
});
