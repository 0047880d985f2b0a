import assert from "node:assert/strict";
import { test } from "node:test";
import { DEADLINE_MS_DEFAULT } from "../../server/chain/solana/limits.ts";
import { inForm } from "../harness/form.ts";
import { runOutages } from "./rpc.ts";

test("§4.5 while no node is usable confirm answers by its limit of 5 s, all else goes on, the sweep catches up", async () => {
  assert.equal(DEADLINE_MS_DEFAULT, 5_000);
  const outages = ["never answers", "half an answer", "too many requests", "far behind"] as const;
  await runOutages({ outages: outages.slice(0, inForm({ short: 2, long: 4 })) });
});
