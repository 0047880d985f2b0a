import { test } from "node:test";
import { runLies } from "./lies.ts";

test("§3.1.11, §3.1.12 whatever one of two nodes says, payments are booked meanwhile; whatever all say, soon after", async () => {
  await runLies({ lastsMs: 5_000 });
});
