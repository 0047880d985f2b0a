import { test } from "node:test";
import { runDatabaseFaults } from "./postgres.ts";

test("PostgreSQL's connections cut, PostgreSQL restarted fast and immediately under load: the service lives, and heals", async () => {
  await runDatabaseFaults({ seed: 11, terminations: 6, fast: 1, immediate: 1, payments: 24, buyers: 4 });
});
