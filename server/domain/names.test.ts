import assert from "node:assert/strict";
import { test } from "node:test";
import { findNameProblem, isReadable, normalizeName } from "./names.ts";

const TABLE: Readonly<Record<string, readonly [expected: RegExp | null, names: readonly string[]]>> = {
  "names of many languages": [
    null,
    [
      "Café Größe",
      "Fernweh Coffee",
      "a",
      "7-Eleven",
      "Yahoo!",
      "St. Moritz & Söhne",
      "Dr.Oetker",
      "Größe 3.5",
      "v2.0 Labs",
      "فروشگاه می\u200cخواهم",
      "ශ\u0dca\u200dරී Tea",
      "မြို့ Store",
      "लड़कियाँ",
      "Việt Nam Tiệm Phở",
      "שָׁלוֹם",
      "スター・カフェ",
      "Paral·lel",
      "Кофейня Coffee",
      "Καφές Bar",
      "👩\u200d🍳 Kitchen",
      "❤\ufe0f Shop",
      "👍🏽 Deli",
      "Veritas",
      "Verifone",
      "A/B Tea + Cake",
      "e.on-line",
    ],
  ],
  "no line": [
    /1 to 100/,
    ["", " a", "\u200b", "\u3164", "Shop\u202e", "a\u2069b", "a\u2028b", "a\nb", "\ud800", "a".repeat(101)],
  ],
  "invisible characters": [
    /invisible characters/,
    [
      "Pay\u200bPal",
      "PayPal\u200e\u061c",
      "Shop\u{e0041}",
      "Pay\u00adPal",
      "Pay\u200dPal",
      "Pay\u200cPal",
      "a\u034fb",
      "Pay\u3164Pal",
      "Pay\u2800Pal",
      "Shop\ufe0f",
      "\uf8ff Store",
      "👩\u200d Kitchen",
    ],
  ],
  "marks in heaps": [/marks/, [`Z${"\u0301".repeat(98)}`, "Sho\u0331\u0332\u0333p", `က${"\u103a".repeat(5)}`]],
  "mixed alphabets": [
    /mixes alphabets/,
    ["РаyРаl", "Payраl", "PayPaӏ", "Shօp", "ᏢayPal", "Ρayment", "Shop Gооgle", "аpple", "Amazοn"],
  ],
  "signs of a proof": [
    /tick, lock or dot/,
    [
      "PayPal · Shop",
      "PayPal • Shop",
      "PayPal ∙ Shop",
      "PayPal ✓",
      "PayPal ✔\ufe0f",
      "✅ PayPal",
      "PayPal ☑",
      "PayPal √",
      "🔒 PayPal",
      "│PayPal│",
      "PayPal verified domain",
      "VERIFIED PayPal",
      "PayPal (veri\ufb01ed)",
      "𝐕𝐞𝐫𝐢𝐟𝐢𝐞𝐝 PayPal",
      "verifıed",
      "ver1fied",
      "ᴠᴇʀɪꜰɪᴇᴅ PayPal",
      "verlfied",
      "vérifié",
      "Verificado",
      "PayPal・Shop",
      "Café ·",
    ],
  ],
  "an address": [
    /internet address/,
    [
      "paypal.com",
      "PayPal.com Payments",
      "Pay (paypal.com)",
      "www.paypal.com",
      "paypal．com",
      "paypal。com",
      "münchen.de",
      "x.github.io",
      "https://paypal.com",
      "paypal.com-Shop",
      "paypal.com-",
      "PayPal.com.x",
      "paypal\u06d4com",
    ],
  ],
};

for (const [what, [expected, names]] of Object.entries(TABLE))
  test(`§2.3.6 a business is ${expected === null ? "shown by" : "not shown by"} ${what}`, () => {
    for (const name of names) {
      const problem = findNameProblem(normalizeName(name), null);
      if (expected === null) assert.equal(problem, null, name);
      else assert.match(problem ?? "none", expected, JSON.stringify(name));
    }
  });

test("§2.3.6 the proven domain alone may stand in a name, and a spelling has one form", () => {
  assert.equal(findNameProblem("Booking.com", "booking.com"), null);
  for (const other of ["hotels.com", "www.booking.com", "ing.com"])
    assert.match(findNameProblem("Booking.com", other) ?? "none", /internet address/);
  assert.equal(normalizeName("Cafe\u0301"), "Café");
});

test("§4.18.8 a text that others read has no pile of marks and nothing invisible, in any language", () => {
  for (const text of [
    ...TABLE["names of many languages"]![1],
    "Tết Nguyên Đán, ở đâu?\nשָׁלוֹם עולם, 10 €.",
    "1\ufe0f\u20e3 first, soft\u00adware, a\u200bb",
    "ㅎㅎ 안녕 👩\u200d👩\u200d👧\u200d👦",
  ])
    assert.ok(isReadable(text), text);
  for (const text of [
    `T${"\u0336".repeat(3)}ea`,
    "\u200fright",
    "a\u202eb",
    "a\u2800b",
    "a\u{e0041}b",
    "\u115f",
    "a\ue000",
  ])
    assert.ok(!isReadable(text), JSON.stringify(text));
});
