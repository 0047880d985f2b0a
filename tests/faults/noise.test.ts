import { test } from "node:test";
import { runNoise } from "./noise.ts";

// Some hundred transactions say nothing about memory: that is for the long run, npm run faults -- noise.
test("§1.2 transactions that only name the operator delay no payment beyond 10 s, and are worked off", async () => {
  await runNoise({ transactions: 600, payments: 3, growthMax: 2 });
});
