import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback as isLoopbackOfReceipt } from "../receipt/loopback.ts";
import { isLoopback as isLoopbackOfServer } from "../server/lib/loopback.ts";

const HERE = ["localhost", "LocalHost", "shop.localhost", "a.b.localhost", "127.0.0.1", "127.1.2.3", "[::1]", "::1"];
const ELSEWHERE = [
  ...[
    "",
    "localhost.shop.example",
    "notlocalhost",
    "127.evil.example",
    "127.0.0.1.shop.example",
    "10.0.0.1",
    "0.0.0.0",
  ],
  ...["[::2]", "shop.test", ".localhost", "a..localhost", "localhost:3000", "x@localhost"],
];

test("the service, its receipts and the command line have one rule for this machine", () => {
  for (const isLoopback of [isLoopbackOfServer, isLoopbackOfReceipt]) {
    assert.deepEqual(
      HERE.filter((host) => !isLoopback(host)),
      [],
    );
    assert.deepEqual(ELSEWHERE.filter(isLoopback), []);
  }
});
