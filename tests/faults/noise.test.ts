import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runNoise } from "./noise.ts";

// Some hundred transactions say nothing about memory: that is for the long run, npm run faults -- noise.
test("§1.2 transactions that only name the operator keep no payment from being bound, and are worked off", async () => {
  const size = inForm({ short: { transactions: 200, payments: 2 }, long: { transactions: 600, payments: 3 } });
  await runNoise({ ...size, growthMax: 2 });
});
