import assert from "node:assert/strict";
import { test } from "node:test";
import { findThisMachine } from "../thisMachine.ts";

const HOSTS: Readonly<Record<string, readonly string[]>> = {
  "shop.test": ["127.0.0.1", "::1"],
  "shop.ddev.site": ["127.0.0.1"],
  "host.docker.internal": ["192.168.65.254"],
  "mixed.test": ["127.0.0.1", "192.0.2.1"],
  "nothing.test": [],
};
const find = async (name: string) => HOSTS[name] ?? Promise.reject(new Error("no such name"));

test("this machine is every name that resolves to loopback alone, each *.localhost without a look-up, and no other", async () => {
  const answers = async (...names: readonly string[]) => Promise.all(names.map((name) => findThisMachine(name, find)));
  assert.deepEqual(await answers("localhost", "myshop.localhost"), [
    ["127.0.0.1", "::1"],
    ["127.0.0.1", "::1"],
  ]);
  assert.deepEqual(await answers("127.0.0.1", "[::1]", "0.0.0.0", "[::]"), [
    ["127.0.0.1"],
    ["::1"],
    ["127.0.0.1"],
    ["::1"],
  ]);
  assert.deepEqual(await answers("shop.test", "shop.ddev.site"), [["127.0.0.1", "::1"], ["127.0.0.1"]]);
  const others = ["host.docker.internal", "mixed.test", "nothing.test", "shop.example", "localhost.evil.example"];
  assert.deepEqual(await answers(...others), [null, null, null, null, null]);
});
