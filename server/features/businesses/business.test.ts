import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  fillReturnUrl,
  findColorProblem,
  inkOn,
  isRefundPolicy,
  leadsToLoopback,
  parseIntentReturnUrl,
  parseReturnUrl,
  parseSupportContact,
  supportLink,
} from "./business.ts";

const INTENT = "pi_test_5szw01a1fc06b1cd6aa165e96a8ab2d2e7fc";

test("§2.3.3 a return address is https without credentials, with known placeholders behind the host", () => {
  for (const [given, template] of [
    ["https://shop.example", "https://shop.example/"],
    [
      "HTTPS://Shop.Example:443/a?b={intentId}#{merchantReference}",
      "https://shop.example/a?b={intentId}#{merchantReference}",
    ],
    [
      "https://shop.example:8443/{merchantReference}/{intentId}/x",
      "https://shop.example:8443/{merchantReference}/{intentId}/x",
    ],
    ["https://shop.example/it's?q='", "https://shop.example/it's?q=%27"],
    ["https://shop.example/a/../b", "https://shop.example/b"],
  ])
    assert.equal(parseReturnUrl(given!), template, given);
  for (const wrong of [
    "",
    "https://",
    "https:///",
    "https:shop.example",
    "http://shop.example/",
    "javascript:alert(1)",
    "//shop.example/",
    " https://shop.example/",
    "https://shop.example/ ",
    "https://shop.example/a b",
    "https://shop.example/\n",
    "https://user@shop.example/",
    "https://user:secret@shop.example/",
    "https://@shop.example/",
    "https://{intentId}@shop.example/",
    "https://{merchantReference}/",
    "https://{merchantReference}.shop.example/",
    "https://shop.example{merchantReference}/",
    "https://shop.example:{intentId}/",
    "https://shop.example/{paymentId}",
    "https://shop.example/{intentId",
    "https://shop.example/{{intentId}}",
    "https://shop.example/{intent Id}",
    "https://shop.example\\@evil.example/",
    "https://shop.example/0-intent-id-0",
    'https://shop.example/"><script>',
    "https://shop.example/\ud800",
    `https://shop.example/${"a".repeat(2_048)}`,
  ])
    assert.equal(parseReturnUrl(wrong), null, wrong);
});

test("§2.3.3 whatever the reference holds, a filled address stays at its host and gives the reference back", () => {
  const template = parseReturnUrl(
    "https://shop.example/orders/{merchantReference}/done?i={intentId}&r={merchantReference}#x",
  )!;
  const reference = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(..."./\\%2eE#?&@:'\"<>{}$ \u202e".split(""), "intentId", "{merchantReference}"),
      minLength: 1,
      maxLength: 12,
    }),
  );
  fc.assert(
    fc.property(reference, (merchantReference) => {
      const filled = fillReturnUrl(template, { id: INTENT, merchantReference });
      if (filled === null) return assert.match(merchantReference, /^\.{1,2}$/);
      const url = new URL(filled);
      assert.equal(url.origin, "https://shop.example");
      assert.equal(decodeURIComponent(url.pathname.split("/")[2]!), merchantReference);
      assert.equal(url.pathname.split("/").length, 4);
      assert.deepEqual(
        [...url.searchParams],
        [
          ["i", INTENT],
          ["r", merchantReference],
        ],
      );
      assert.match(filled, /^[!-~]+$/);
    }),
    { numRuns: 2_000, seed: 17 },
  );
  assert.equal(fillReturnUrl(template, { id: INTENT, merchantReference: ".." }), null);
});

test("§4.1.7 an intent's return address has no fragment, and may be http only to loopback", () => {
  assert.equal(parseIntentReturnUrl("HTTPS://Shop.example/{intentId}"), "https://shop.example/{intentId}");
  assert.equal(parseIntentReturnUrl("http://127.1:3000"), "http://127.0.0.1:3000/");
  for (const url of [
    "http://localhost:3000/a",
    "https://localhost/",
    "http://[::1]:80/{merchantReference}",
    "http://shop.localhost:4000/",
  ])
    assert.ok(leadsToLoopback(parseIntentReturnUrl(url)!), url);
  for (const url of ["https://localhost.shop.example/", "https://shop.example/http://localhost/"])
    assert.ok(!leadsToLoopback(parseIntentReturnUrl(url)!), url);
  for (const wrong of [
    "http://shop.example/",
    "http://localhost.evil.example/",
    "http://localhost@evil.example/",
    "https://shop.example/#a",
    "https://user@shop.example/",
    "https://{intentId}.shop.example/",
    "https://shop.example/{order}",
    "javascript:alert(1)",
    "//shop.example/",
    "",
  ])
    assert.equal(parseIntentReturnUrl(wrong), null, wrong);
  const loopback = fillReturnUrl("http://localhost:3000/{merchantReference}", { id: INTENT, merchantReference: "a/b" });
  assert.equal(loopback, "http://localhost:3000/a%2Fb");
});

test("§2.3.7 white or dark text can be read on every colour that is taken, and one where neither can is refused with both figures", () => {
  for (const [color, ink] of [
    ["#000000", "#ffffff"],
    ["#0a6b52", "#ffffff"],
    ["#767676", "#ffffff"],
    ["#ffd24a", "#14211c"],
    ["#ffffff", "#14211c"],
  ]) {
    assert.equal(findColorProblem(color!), null, color);
    assert.equal(inkOn(color!), ink, color);
  }
  assert.match(findColorProblem("#808080")!, /white has a contrast of 3\.9, dark 4\.2, and 4\.5 is needed/);
  for (const wrong of ["", "green", "#0a6", "#0A6B52", "#0a6b52;}", "#0a6b5g"])
    assert.ok(findColorProblem(wrong), wrong);
});

test("§2.3.2 a support contact is an e-mail address or an https address", () => {
  assert.equal(parseSupportContact("Help.Desk+eu@Shop.example"), "Help.Desk+eu@Shop.example");
  assert.equal(supportLink("help@shop.example"), "mailto:help@shop.example");
  assert.equal(parseSupportContact("https://shop.example/help?lang=en"), "https://shop.example/help?lang=en");
  assert.equal(supportLink("https://shop.example/@help"), "https://shop.example/@help");
  for (const wrong of [
    "",
    "help",
    "help@shop",
    "a b@shop.example",
    "help@shop.example?bcc=evil@evil.example",
    "help%0abcc:x@shop.example",
    "mailto:help@shop.example",
    "help@shop.example\n",
    "<help@shop.example>",
    "http://shop.example",
    "https://user:pw@shop.example",
    "javascript:alert(1)//@shop.example",
    "tel:+4930123456",
    `https://shop.example/${"a".repeat(500)}`,
  ])
    assert.equal(parseSupportContact(wrong), null, wrong);
});

test("§2.3.2 a refund policy is text of 1 to 20,000 characters", () => {
  for (const text of ["x", "Rückgabe\r\n\tin 30 Tagen 💶", "💶".repeat(20_000)]) assert.ok(isRefundPolicy(text));
  for (const text of ["", " \n", "a\0b", "\u001b[31m", "a\ud800", "x".repeat(20_001), "💶".repeat(20_001)])
    assert.ok(!isRefundPolicy(text), JSON.stringify(text.slice(0, 10)));
});
