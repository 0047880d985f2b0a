import assert from "node:assert/strict";
import { test } from "node:test";
import { ReaderPace, UnderWay } from "./places.ts";

test("§13.19.6 a user has two exports under way, a business three and a process six; each that ends makes room", () => {
  const underWay = new UnderWay();
  const begin = (userId: string, businessId: string) => underWay.begin({ userId, businessId });
  const refused = (userId: string, businessId: string, message: RegExp) =>
    assert.throws(() => begin(userId, businessId), { code: "rate_limited", message });
  const ends = [begin("a", "shop"), begin("a", "shop")];
  refused("a", "other", /^You have 2 exports under way/);
  ends.push(begin("b", "shop"));
  refused("c", "shop", /^Members of this business have 3 exports/);
  ends.push(begin("c", "other"), begin("d", "other"), begin("e", "third"));
  refused("f", "fourth", /^Too many exports/);
  ends[0]!();
  ends[0]!();
  begin("a", "fourth");
  refused("f", "fifth", /^Too many exports/);
  for (const end of ends) end();
  for (let count = 0; count < 3; count++) begin(`user ${count}`, "shop");
  refused("g", "shop", /^Members/);
});

test("§13.19.6 a reader that takes less than 16 kB a second for a minute is cut off, and no other", () => {
  const slow = new ReaderPace();
  for (let seconds = 0; seconds < 60; seconds++) slow.add(15_000, 1_000);
  assert.throws(() => slow.add(15_000, 1_000), { name: "AbortError" });
  const steady = new ReaderPace();
  for (let seconds = 0; seconds < 900; seconds++) steady.add(17_000, 1_000);
  const quick = new ReaderPace();
  for (let parts = 0; parts < 100_000; parts++) quick.add(100, 0);
});
