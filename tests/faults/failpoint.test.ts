import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig } from "../../server/process/config.ts";
import { FAILPOINTS } from "./kill.ts";

const LIVE = {
  rpcUrls: "https://rpc.example.com",
  programId: "So11111111111111111111111111111111111111112",
  operator: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
};
const live = (members = {}) => ({ LIVE_CHAIN: JSON.stringify({ ...LIVE, ...members }) });
const problemOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return "";
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
};

test("a live chain takes no fail-point and no quicker revert rule", () => {
  const { holdfastFailpoint, chains } = readConfig(live());
  const { revertSlots, revertApartMs } = chains[0]!;
  assert.deepEqual([holdfastFailpoint, revertSlots, revertApartMs], [null, 300, 30_000]);
  assert.match(problemOf({ ...live(), HOLDFAST_FAILPOINT: "sweep.after_read" }), /HOLDFAST_FAILPOINT/);
  assert.match(problemOf(live({ revertSlots: 299 })), /revertSlots/);
  assert.match(problemOf(live({ revertApartMs: 29_999 })), /revertApartMs/);
  assert.equal(problemOf(live({ revertSlots: 400, revertApartMs: 60_000 })), "");
});

test("a fail-point is a name, or a name and a count", () => {
  assert.deepEqual(readConfig({ HOLDFAST_FAILPOINT: "sweep.after_read" }).holdfastFailpoint, {
    name: "sweep.after_read",
    count: 1,
  });
  assert.deepEqual(readConfig({ HOLDFAST_FAILPOINT: "a.b:12" }).holdfastFailpoint, { name: "a.b", count: 12 });
  for (const wrong of ["a.b:0", "a.b:", ":1", "A", "a b"])
    assert.match(problemOf({ HOLDFAST_FAILPOINT: wrong }), /HOLDFAST_FAILPOINT must be/);
});

/** Reached in tests of their own: a revert needs a fork, the relay a buyer at the checkout, and x402 an agent. */
const KILLED_ELSEWHERE = ["revert.before_commit", "relay.after_send", "agent.after_submit"];

test("the tests kill at every fail-point in the code", () => {
  const root = join(import.meta.dirname, "../..");
  const places = readdirSync(join(root, "server"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => [...readFileSync(join(root, "server", path), "utf8").matchAll(/\bfailpoint\("([^"]+)"\)/g)])
    .map((match) => match[1]!);
  assert.deepEqual(places.toSorted(), [...FAILPOINTS, ...KILLED_ELSEWHERE].toSorted());
});
