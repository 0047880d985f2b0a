import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Claim, decideStep, GRACE_MS, hasProof, parseDomain, proofText, type Verdict } from "./domain.ts";

test("§13.12.1 a domain is a public name of one owner, in the form of DNS", () => {
  for (const [text, domain] of [
    ["shop.com", "shop.com"],
    [" https://Shop.COM/ ", "shop.com"],
    ["kaffee.shop.co.uk", "kaffee.shop.co.uk"],
    ["Bücher.de", "xn--bcher-kva.de"],
    ["ｓｈｏｐ.com", "shop.com"],
    ["user.github.io", "user.github.io"],
    // The first letter is Cyrillic, which the punycode shows.
    ["аpple.com", "xn--pple-43d.com"],
  ] as const)
    assert.equal(parseDomain(text), domain, text);
  for (const text of [
    "",
    "shop",
    "com",
    "co.uk",
    "github.io",
    "localhost",
    "shop.local",
    "shop.internal",
    "shop.example",
    "shop.home.arpa",
    "shop.onion",
    "1.0.0.127.in-addr.arpa",
    "shop.test",
    "shop.corp",
    "127.0.0.1.nip.io",
    "shop.127-0-0-1.sslip.io",
    "shop.localtest.me",
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "[::1]",
    "shop.com.",
    "shop.com:443",
    "shop.com/path",
    "shop.com?x",
    "user@shop.com",
    "http://shop.com",
    "-shop.com",
    "sh_op.com",
    "shop..com",
    "shop .com",
    "shop.com\\evil.com",
    "shop.com\0",
    "%73hop.com",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(127)}com`,
  ])
    assert.equal(parseDomain(text), null, text);
});

test("§13.12.1 whatever is taken is plain ASCII that is read the same again", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.domain(),
        fc.string({ unit: "grapheme" }).map((text) => `${text}.com`),
      ),
      (text) => {
        const domain = parseDomain(text);
        if (domain === null) return;
        assert.match(domain, /^[a-z0-9.-]{4,253}$/);
        assert.equal(parseDomain(domain), domain);
        assert.equal(new URL(`https://${domain}/x`).hostname, domain);
      },
    ),
  );
});

test("§13.12.2 only the whole line of this claim proves it", () => {
  const text = proofText("token");
  for (const lines of [[text], ["other", ` ${text}\t`], ["", text, ""]]) assert.equal(hasProof(lines, "token"), true);
  for (const lines of [[], [""], ["token"], [`x${text}`], [`${text}x`], [text.toUpperCase()], [proofText("token2")]])
    assert.equal(hasProof(lines, "token"), false, String(lines));
});

const NOW = new Date(Date.UTC(2026, 10, 20));
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR_MS = 3_600_000;
const CLAIM: Claim = {
  businessId: "biz_1",
  domain: "shop.com",
  token: "token",
  claimedAt: ago(HOUR_MS),
  provenAt: null,
  failingSince: null,
  checkedAt: null,
  problem: null,
};
const after = (claim: Partial<Claim>, verdict: Verdict, isContested = false) => {
  const { nextCheckAt, ...step } = decideStep({ ...CLAIM, ...claim }, verdict, NOW, isContested);
  return { ...step, waitMs: nextCheckAt === null ? null : nextCheckAt.getTime() - NOW.getTime() };
};

test("§13.12.3 a domain is shown from its first proof on, and looked at daily", () => {
  const proven = { provenAt: NOW, failingSince: null, waitMs: 24 * HOUR_MS };
  assert.deepEqual(after({}, "proven"), { ...proven, becomes: "proven" });
  assert.deepEqual(after({ provenAt: NOW }, "proven"), { ...proven, becomes: null });
  assert.deepEqual(after({ provenAt: NOW, failingSince: ago(6 * 24 * HOUR_MS) }, "proven"), {
    ...proven,
    becomes: null,
  });
  for (const verdict of ["absent", "unknown"] as const) {
    const none = { provenAt: null, failingSince: null, becomes: null };
    assert.deepEqual(after({}, verdict, true), { ...none, waitMs: HOUR_MS / 6 });
    assert.deepEqual(after({ claimedAt: ago(GRACE_MS) }, verdict), { ...none, waitMs: null }, "left to a person");
  }
});

test("§13.12.4 a proof that is gone is shown seven days more; where another has proven the domain, not a moment", () => {
  const kept = { provenAt: CLAIM.claimedAt, becomes: null, waitMs: HOUR_MS };
  const lost = { provenAt: null, failingSince: null, becomes: "lost", waitMs: null };
  const proven = { provenAt: CLAIM.claimedAt };
  for (const verdict of ["absent", "unknown"] as const) {
    assert.deepEqual(after(proven, verdict), { ...kept, failingSince: NOW });
    const since = ago(GRACE_MS - 1);
    assert.deepEqual(after({ ...proven, failingSince: since }, verdict), { ...kept, failingSince: since });
    assert.deepEqual(after({ ...proven, failingSince: ago(GRACE_MS) }, verdict), lost);
  }
  assert.deepEqual(after(proven, "absent", true), lost);
  assert.deepEqual(after(proven, "unknown", true), { ...kept, failingSince: NOW }, "an outage proves nothing");
});
