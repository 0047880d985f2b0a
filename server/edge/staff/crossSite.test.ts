import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { sessionCookie } from "./cookies.ts";
import { refuseCrossSite } from "./crossSite.ts";

const ORIGIN = "https://dash.shop.example";

function isRefused(method: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    refuseCrossSite({ method, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage, ORIGIN);
    return false;
  } catch (error) {
    assert.equal((error as { code: string }).code, "cross_site_request");
    assert.match((error as Error).message, new RegExp(`a page of ${ORIGIN}, .* sets DASHBOARD_URL`));
    return true;
  }
}

test("§13.4.1 a write says that it comes from the dashboard, in every header it has and in one at least", () => {
  for (const method of ["POST", "PATCH", "DELETE", "PUT", "OPTIONS"]) {
    assert.equal(isRefused(method, { Origin: ORIGIN }), false);
    assert.equal(isRefused(method, { "Sec-Fetch-Site": "same-origin" }), false);
    assert.equal(isRefused(method, { Origin: ORIGIN, "sec-fetch-site": "same-origin" }), false);
    assert.equal(isRefused(method, {}), true);
    for (const site of ["cross-site", "same-site", "none", "", "Same-Origin"])
      assert.equal(isRefused(method, { "Sec-Fetch-Site": site, Origin: ORIGIN }), true, site);
    for (const origin of [
      "null",
      "",
      "https://evil.example",
      "http://dash.shop.example",
      `${ORIGIN}:444`,
      `${ORIGIN}.evil.example`,
      "https://evil.dash.shop.example",
      `${ORIGIN}, https://evil.example`,
    ])
      assert.equal(isRefused(method, { Origin: origin, "Sec-Fetch-Site": "same-origin" }), true, origin);
    assert.equal(isRefused(method, { Origin: ORIGIN, origin: "https://evil.example" }), true, "given twice");
  }
});

test("§13.4.1 a read may say nothing, and nothing untrue", () => {
  for (const method of ["GET", "HEAD"]) {
    assert.equal(isRefused(method, {}), false);
    assert.equal(isRefused(method, { "Sec-Fetch-Site": "none" }), false);
    assert.equal(isRefused(method, { "Sec-Fetch-Site": "same-origin" }), false);
    for (const site of ["cross-site", "same-site"]) assert.equal(isRefused(method, { "Sec-Fetch-Site": site }), true);
    assert.equal(isRefused(method, { Origin: "https://evil.example" }), true);
  }
});

test("§13.1.7 the cookie by https and by http on localhost", () => {
  const secret = "s".repeat(43);
  const secure = sessionCookie("https://dash.shop.example/dashboard");
  assert.equal(
    secure.set(secret, 60),
    `__Host-holdfast_session=${secret}; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=60`,
  );
  const plain = sessionCookie("http://localhost:3000/dashboard");
  assert.equal(plain.set(secret, 60), `holdfast_session=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`);
  const read = (cookie: string) => secure.read({ headers: { cookie } } as IncomingMessage);
  assert.equal(read(`a=b; __Host-holdfast_session=${secret}; c=d`), secret);
  for (const cookie of [
    "",
    `holdfast_session=${secret}`,
    "__Host-holdfast_session=short",
    `x__Host-holdfast_session=${secret}`,
  ])
    assert.equal(read(cookie), null, cookie);
});
