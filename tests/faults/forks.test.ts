import { test } from "node:test";
import { runForks } from "./forks.ts";

test("§3.3 payments dropped by forks and landed again, in any order, break no promise", async () => {
  await runForks({ seed: 5, scenarios: 3, length: 60 });
});
