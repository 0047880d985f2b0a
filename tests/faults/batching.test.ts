import { test } from "node:test";
import { runBatching } from "./batching.ts";

test("a service that shares statements between calls answers and writes what one does that shares none", async () => {
  await runBatching({ seed: Number(process.env.BATCHING_SEED ?? 1), stories: 2, rounds: 6, groups: 16 });
});
