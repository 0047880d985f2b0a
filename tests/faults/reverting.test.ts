import { test } from "node:test";
import { runRevertAndKill } from "./reverting.ts";

test("§3.3.2 the service, killed in the middle of a revert, reverts once; the payment that lands again is bound again", async () => {
  await runRevertAndKill();
});
