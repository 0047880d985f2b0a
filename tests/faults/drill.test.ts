import { test } from "node:test";
import { runDrill } from "./drill.ts";

test("what a service needs and has not is in its figures, and one line of its log", async () => {
  await runDrill({ database: ["immediate"], allNodes: false, refill: false, alerts: false });
});
