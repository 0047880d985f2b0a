import assert from "node:assert/strict";
import { test } from "node:test";
import { allowanceOf, MinuteLimit, NetworkLimit, networkOf, networksOf, siteOf } from "./limits.ts";

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

test("§4.14.7 64 networks of one /48 leave each network within it and beside it its share", () => {
  const limit = new NetworkLimit(20);
  const { share, wider } = allowanceOf(20);
  const use = (address: string) => limit.use(networkOf(address), "payment", 0) === null;
  const strangers = Array.from({ length: 64 }, (_, at) => `2001:db8:5:${at.toString(16)}::1`);
  const passed = strangers.map((address) => Array.from({ length: 30 }, () => use(address)).filter(Boolean).length);
  assert.deepEqual([passed[0], passed[1], passed[2], passed[63]], [20, 20, share, share], "56 bits have twice as much");
  for (const honest of ["2001:db8:5:ff::1", "2001:db8:5:ff00::1", "2001:db8:6::1", "192.0.2.1"])
    for (let uses = 0; uses < share; uses++) assert.ok(use(honest), honest);
  assert.ok(use("2001:db8:6::1"), "beside them nothing is used up");
  assert.ok(!use("2001:db8:5:ff00::1"), `48 bits have ${wider[1]} together`);
  assert.equal(limit.use(networkOf(strangers[0]!), "another payment", 0), null);
});

test("§4.14.7 strangers who come at all seconds of a minute take no more than those who come at once", () => {
  const limit = new NetworkLimit(20);
  const asks = (address: string, atMs: number) => limit.use(networkOf(address), "", atMs) === null;
  for (let at = 0; at < 64; at++)
    for (const second of [at / 2, 59, 61, 119])
      for (let uses = 0; uses < 10; uses++) asks(`2001:db8:5:${at.toString(16)}::1`, second * 1_000);
  for (let uses = 0; uses < 3; uses++) assert.ok(asks("2001:db8:5:ff::1", 119_000));
});

test("§4.14.7 all of one /48 are bounded, whatever number of networks it has", () => {
  const limit = new NetworkLimit(20);
  let passed = 0;
  for (let at = 0; at < 1_000; at++)
    for (let uses = 0; uses < 5; uses++) if (limit.use(`2001:db8:5:${at.toString(16)}`, "", 0) === null) passed++;
  assert.equal(passed, allowanceOf(20).widest[1]);
});

test("§4.14.7 all 256 networks of one /56 leave their share to the others of their /48", () => {
  const limit = new NetworkLimit(20);
  const { share } = allowanceOf(20);
  for (let at = 0; at < 256; at++)
    for (let uses = 0; uses < 30; uses++) limit.use(`2001:db8:5:${(0x100 + at).toString(16)}`, "", 0);
  for (const honest of ["2001:db8:5:2", "2001:db8:5:f00"])
    for (let uses = 0; uses < share; uses++) assert.equal(limit.use(honest, "", 0), null, honest);
});

test("§4.14.7 the networks around a network are 56 and 48 bits of IPv6, 28 and 24 of IPv4", () => {
  for (const [network, around] of [
    ["2001:db8:1:2a3", ["2001:db8:1:2/56", "2001:db8:1/48"]],
    ["2001:db8:0:0", ["2001:db8:0:0/56", "2001:db8:0/48"]],
    ["192.0.2.33", ["192.0.2.2/28", "192.0.2/24"]],
    ["not an address", []],
  ] as const)
    assert.deepEqual(networksOf(network), [network, ...around]);
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
