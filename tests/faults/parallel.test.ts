import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runParallelConfirms } from "./parallel.ts";

test("§4.5.11 fifty confirms and the sweep at once bind a payment exactly once, with one event", async () => {
  await runParallelConfirms({ rounds: inForm({ short: 2, long: 4 }) });
});
