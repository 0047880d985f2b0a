import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonicalJson, hashTerms, type Terms, termsText } from "@holdfast/escrow-client";

interface Case {
  readonly name: string;
  readonly terms: Terms;
  readonly text: string;
  readonly hash: string;
}

const cases = JSON.parse(readFileSync(new URL("../golden/terms.json", import.meta.url), "utf8")) as Case[];

for (const { name, terms, text, hash } of cases) {
  test(`${name}: the terms have this text and this hash`, async () => {
    assert.equal(termsText(terms), text);
    assert.equal(await hashTerms(terms), hash);
  });
}

test("neither the order of the fields nor what else an object carries changes the hash", async () => {
  const { terms, hash } = cases[0]!;
  const reversed = Object.fromEntries(Object.entries(terms).reverse()) as unknown as Terms;
  const more = { ...terms, business: { ...terms.business, id: "bus_1" }, metadata: { order: "1" } };
  assert.deepEqual([await hashTerms(reversed), await hashTerms(more)], [hash, hash]);
});

test("each field changes the hash", async () => {
  const { terms, hash } = cases.at(-1)!;
  const hashes = new Set([hash]);
  for (const field of Object.keys(terms).filter((name) => name !== "v" && name !== "business")) {
    hashes.add(await hashTerms({ ...terms, [field]: "other" }));
  }
  hashes.add(await hashTerms({ ...terms, business: { ...terms.business, name: "other" } }));
  hashes.add(await hashTerms({ ...terms, business: { ...terms.business, domain: "other" } }));
  assert.equal(hashes.size, 13);
});

test("canonical JSON is that of RFC 8785, by its own examples, and refuses what it refuses", () => {
  const sample = {
    numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27],
    string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  assert.equal(
    canonicalJson(sample),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const sorted = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 };
  assert.equal(canonicalJson(sorted), '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}');
  for (const wrong of ["\ud800", Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => canonicalJson(wrong), TypeError);
  }
});
