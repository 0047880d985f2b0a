import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { pageOf } from "../../tests/e2e/pages.ts";
import { LANGUAGES, openLanguages } from "../app/languages/languages.ts";
import { renderPage } from "../edge/html/page.ts";
import { buildCheckoutScript } from "./checkoutScript.ts";

/** The bytes of the script that a phone loads before it can pay, and those with its page, in any language. */
const GZIP_BYTES_MAX = 30_000;
const WITH_PAGE_BYTES_MAX = 40_000;

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

test("§12.19 a checkout is small with its script, in every language", async () => {
  const [script] = await buildCheckoutScript();
  const languages = openLanguages(LANGUAGES.map(({ tag }) => tag)).all;
  const sizes = languages.map((language) => {
    const { text } = renderPage(pageOf("waiting", { device: "phone", script, language }));
    return [language.page.tag, gzipSync(script.text).length + gzipSync(text).length] as const;
  });
  assert.deepEqual(
    sizes.filter(([, size]) => size > WITH_PAGE_BYTES_MAX),
    [],
  );
});

test("the same sources give the same script", async () => {
  assert.deepEqual(await buildCheckoutScript(), await buildCheckoutScript());
});
