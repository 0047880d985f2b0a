import { test } from "node:test";
import { runOutages } from "./rpc.ts";

test("§4.5 while no node is usable confirm answers in 5 s, all else goes on, the sweep catches up", async () => {
  await runOutages({ outages: ["never answers", "too many requests", "far behind", "half an answer"] });
});
