import { test } from "node:test";
import { runRevertAndKill } from "./revertAndKill.ts";

test("§3.3.2 a service killed in the middle of a revert reverts once; a payment that lands again is bound", async () => {
  await runRevertAndKill();
});
