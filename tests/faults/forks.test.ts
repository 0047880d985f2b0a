import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runForks } from "./forks.ts";

test("§3.3 payments dropped by forks and landed again, in any order, break no promise", async () => {
  await runForks({ seed: 5, scenarios: inForm({ short: 1, long: 3 }), length: 60 });
});
