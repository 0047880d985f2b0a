import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runKills } from "./kill.ts";

test("kill -9 at fail-points and at random breaks no promise, and every payment is bound", async () => {
  const short = { kills: 2, payments: 6, buyers: 2, chainEvery: 2 };
  const long = { kills: 4, payments: 12, buyers: 3, chainEvery: 3 };
  await runKills({ seed: 4, ...inForm({ short, long }) });
});
