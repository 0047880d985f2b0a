import { test } from "node:test";
import { runRevertAndKill } from "./reverting.ts";

test("contract §3 the service, killed in the middle of a revert, reverts once; the payment that lands again is bound again", async () => {
  await runRevertAndKill();
});
