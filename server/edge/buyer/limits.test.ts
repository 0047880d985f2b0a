import assert from "node:assert/strict";
import { test } from "node:test";
import { MinuteLimit, networkOf, siteOf } from "./limits.ts";

test("§4.14.7 a key has a limit of uses a minute; then it waits until the minute ends", () => {
  let nowMs = 0;
  const limit = new MinuteLimit(2, 10, () => nowMs);
  const useAt = (key: string, atMs: number) => {
    nowMs = atMs;
    return limit.use(key);
  };
  assert.deepEqual(
    [0, 10_000, 20_000, 59_999, 60_000].map((atMs) => useAt("a", atMs)),
    [null, null, 40, 1, null],
  );
  assert.equal(useAt("b", 20_000), null);
});

test("a flood of keys is forgotten, not kept", () => {
  const limit = new MinuteLimit(1, 10, () => 0);
  for (let key = 0; key < 1_000; key++) assert.equal(limit.use(String(key)), null);
  assert.equal(limit.use("999"), 60, "the latest are still known");
  assert.equal(limit.use("0"), null, "the oldest begin again");
});

test("a clock of the machine that is set back keeps nobody out", (context) => {
  const limit = new MinuteLimit(1);
  assert.equal(limit.use("a"), null);
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() - 600_000 });
  assert.ok(limit.use("a")! <= 60);
});

test("§4.14.7 a network is an IPv4 address or the first half of an IPv6 address, however they are spelled", () => {
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["192.0.2.1:54321", "192.0.2.1"],
    ["[2001:db8:1:2::9]:54321", "2001:db8:1:2"],
    ["[2001:db8:1:2::9]", "2001:db8:1:2"],
    ["[::ffff:192.0.2.1]:80", "192.0.2.1"],
    ["not an address", "not an address"],
  ])
    assert.equal(networkOf(address!), network, address);
  assert.deepEqual(["2001:db8:1:2", "192.0.2.1", ""].map(siteOf), ["2001:db8:1", "192.0.2.1", ""]);
});
