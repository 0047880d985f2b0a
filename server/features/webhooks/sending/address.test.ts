import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPublicAddress, isSameAddress } from "./address.ts";

/** Every range of IANA's special-purpose registries, and multicast and reserved space: first and last address. */
const SPECIAL = [
  ["0.0.0.0", "0.255.255.255", "this network"],
  ["10.0.0.0", "10.255.255.255", "private use"],
  ["100.64.0.0", "100.127.255.255", "carrier-grade NAT"],
  ["127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0", "169.254.255.255", "link local, cloud metadata"],
  ["172.16.0.0", "172.31.255.255", "private use"],
  ["192.0.0.0", "192.0.0.255", "IETF protocol assignments"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.31.196.0", "192.31.196.255", "AS112"],
  ["192.52.193.0", "192.52.193.255", "AMT"],
  ["192.88.99.0", "192.88.99.255", "6to4 relay"],
  ["192.168.0.0", "192.168.255.255", "private use"],
  ["192.175.48.0", "192.175.48.255", "AS112"],
  ["198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0", "255.255.255.255", "reserved, broadcast"],
  ["168.63.129.16", "168.63.129.16", "a cloud's wire server"],
  ["::", "::", "unspecified"],
  ["::1", "::1", "loopback"],
  ["::7f00:1", "::ffff:ffff", "IPv4-compatible"],
  ["::ffff:0:0", "::ffff:ffff:ffff", "IPv4-mapped"],
  ["64:ff9b::", "64:ff9b::ffff:ffff", "NAT64"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "local NAT64"],
  ["100::", "100::ffff:ffff:ffff:ffff", "discard only"],
  ["100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "dummy prefix"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "IETF protocol assignments, Teredo, ORCHID"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "6to4"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "AS112"],
  ["3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "6bone"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment routing"],
  ["4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "not handed out"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique local"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link local"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site local"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
] as const;

for (const [first, last, what] of SPECIAL)
  test(`§6.1.5 not public: ${what} (${first} … ${last})`, () => {
    assert.equal(isPublicAddress(first), false);
    assert.equal(isPublicAddress(last), false);
  });

test("§6.1.5 the neighbours of every special range in public space are public", () => {
  for (const address of [
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.31.195.255",
    "192.31.197.0",
    "192.52.192.255",
    "192.52.194.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "192.175.47.255",
    "192.175.49.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "168.63.129.15",
    "168.63.129.17",
    "2000::",
    "2001:200::",
    "2001:db7:ffff::",
    "2001:db9::",
    "2001:ffff::",
    "2003::",
    "2620:4f:7fff::",
    "2620:4f:8001::",
    "2606:4700:4700::1111",
    "3ffd:ffff::",
    "3fff:1000::",
  ])
    assert.equal(isPublicAddress(address), true, address);
});

test("§6.1.5 another spelling of an address, or no address, is never public", () => {
  for (const text of [
    "",
    "8.8.8",
    "8.8.8.8.8",
    "08.8.8.8",
    "8.8.8.8 ",
    " 8.8.8.8",
    "0x8.8.8.8",
    "134744072",
    "8.8.8.8/32",
    "8.8.8.8:443",
    "[2606:4700::1]",
    "2606:4700::1%eth0",
    "::ffff:8.8.8.8",
    "::8.8.8.8",
    "0:0:0:0:0:ffff:808:808",
    "shop.com",
    "8．8．8．8",
  ])
    assert.equal(isPublicAddress(text), false, text);
});

test("§6.1.5 no address of a denied IPv4 range is public, plain or inside IPv6", () => {
  const denied = [
    ["10", 8],
    ["127", 8],
    ["192.168", 16],
    ["169.254", 16],
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...denied), fc.ipV4(), ([prefix], tail) => {
      const parts = prefix.split(".");
      const address = [...parts, ...tail.split(".").slice(parts.length)].join(".");
      assert.equal(isPublicAddress(address), false);
      assert.equal(isPublicAddress(`::ffff:${address}`), false);
      assert.equal(isPublicAddress(`64:ff9b::${address}`), false);
    }),
  );
});

test("a peer is the same however its address is spelled", () => {
  assert.equal(isSameAddress("127.0.0.1", "::ffff:127.0.0.1"), true);
  assert.equal(isSameAddress("2606:4700::1", "2606:4700:0:0:0:0:0:1"), true);
  assert.equal(isSameAddress("127.0.0.1", "127.0.0.2"), false);
  assert.equal(isSameAddress("127.0.0.1", ""), false);
});
