import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runLies, SOME_LIES } from "./lies.ts";

test("§3.1.11, §3.1.12 whatever one of two nodes says, payments are booked meanwhile; whatever all say, soon after", async () => {
  await runLies(inForm({ short: { names: SOME_LIES, lastsMs: 1_000 }, long: { names: null, lastsMs: 5_000 } }));
});
