import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildCheckoutScript } from "./checkoutScript.ts";

/** The bytes that a phone loads before it can pay. */
const GZIP_BYTES_MAX = 30_000;

test("the page's script is small, and what only some need is apart from it", async () => {
  const [main, ...others] = await buildCheckoutScript();
  const size = gzipSync(main.text).length;
  assert.ok(size > 1_000 && size <= GZIP_BYTES_MAX, `${size} bytes`);
  assert.match(main.path, /^\/pay\/assets\/checkout-[\w-]+\.js$/);
  assert.equal(main.integrity, `sha256-${createHash("sha256").update(main.text).digest("base64")}`);
  assert.deepEqual(
    others.map(({ path }) => path.replace(/-[\w-]{8}\.js$/, "")),
    ["casePage", "demoWallet", "disputePage", "findPage", "receiptPage", "requestCode"].map(
      (name) => `/pay/assets/${name}`,
    ),
  );
  assert.ok(!main.text.includes("generateKey"), "the demo wallet is not in it");
});

test("the same sources give the same script", async () => {
  assert.deepEqual(await buildCheckoutScript(), await buildCheckoutScript());
});
