import { test } from "node:test";
import { runDisputes } from "./disputes.ts";

test("§4.18 disputes among forks, cut connections and jumps of the clock lose no word, and each is in the chain's state", async () => {
  await runDisputes({ seed: 3, scenarios: 2, length: 80, payments: 2, kills: 1 });
});
