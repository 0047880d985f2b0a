import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { EndpointLease } from "./delivery/endpointLease.ts";
import { ATTEMPTS_MAX, RETRY_WAITS_MS } from "./delivery/schedule.ts";
import { explainError, explainStatus } from "./sending/reasons.ts";
import { readDevHosts } from "./sending/resolver.ts";
import {
  MissingKeyError,
  newKeyRing,
  newSigningSecret,
  openSecret,
  readKeyRing,
  sealSecret,
  showKeyRing,
} from "./sending/secret.ts";
import { signBody, signingKeys, standardHeaders } from "./sending/signature.ts";
import { readEventTypes } from "./webhook.ts";

test("§6.4.1 nine attempts, at exactly the documented waits", () => {
  const waits = [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400];
  assert.deepEqual(
    RETRY_WAITS_MS,
    waits.map((seconds) => seconds * 1_000),
  );
  assert.equal(ATTEMPTS_MAX, 9);
});

test("§6.3.2 v1 is what another maker's verifier makes of the timestamp, a period and the raw body", () => {
  const secret = newSigningSecret();
  const body = '{"grüße":"✓ \\u0000"}';
  const header = signBody(body, [secret], 1_700_000_000);
  const made = new Stripe("sk_unused").webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: 1_700_000_000,
  });
  assert.equal(header, made);
});

test("§6.8 Standard Webhooks headers are for secrets of the standard form, and another maker's verifier takes them", () => {
  const [standard, later] = [newSigningSecret(), newSigningSecret()];
  const opaque = `whsec_${"A_-9".repeat(10)}abc`;
  const body = '{"grüße":"✓"}';
  const now = Math.floor(Date.now() / 1000);
  const headers = (...secrets: string[]) => standardHeaders("evt_1", body, secrets.map(signingKeys), now);
  for (const secret of [standard, later]) new Webhook(secret).verify(body, headers(later, opaque, standard));
  assert.equal(headers(standard, opaque)["webhook-signature"]!.split(" ").length, 1);
  assert.deepEqual(headers(opaque), {});
  assert.deepEqual(Object.keys(headers(standard)), ["webhook-id", "webhook-timestamp", "webhook-signature"]);
  for (const other of [
    `${standard}=`,
    standard.slice(0, -1),
    `whsec_${"A".repeat(40)}`,
    standard.replace("whsec_", ""),
  ])
    assert.equal(signingKeys(other).standard, null, other);
});

test("§6.3.4 one v1 per secret, never none or three", () => {
  assert.equal(signBody("{}", ["whsec_a", "whsec_b"], 1).split(",").length, 3);
  assert.throws(() => signBody("{}", [], 1));
  assert.throws(() => signBody("{}", ["a", "b", "c"], 1));
});

test("secrets are sealed for their endpoint alone, and tampering shows", () => {
  const ring = newKeyRing();
  const sealed = sealSecret(ring, "we_1", "whsec_x");
  assert.equal(openSecret(ring, "we_1", sealed), "whsec_x");
  assert.notEqual(sealSecret(ring, "we_1", "whsec_x"), sealed);
  assert.throws(() => openSecret(ring, "we_2", sealed));
  assert.throws(() => openSecret(newKeyRing(), "we_1", sealed));
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const bent = Buffer.from(bytes);
    bent[at]! ^= 1;
    assert.throws(() => openSecret(ring, "we_1", `v1.${bent.toString("base64url")}`));
  }
});

test("a ring with a newer key opens what the older sealed; without the older it says which is missing", () => {
  const old = newKeyRing();
  const sealed = sealSecret(old, "we_1", "whsec_x");
  const both = { current: 2, keys: new Map([...old.keys, [2, newKeyRing().keys.get(1)!]]) };
  assert.equal(openSecret(both, "we_1", sealed), "whsec_x");
  assert.match(sealSecret(both, "we_1", "whsec_x"), /^v2\./);
  assert.throws(
    () => openSecret({ current: 2, keys: new Map([[2, both.keys.get(2)!]]) }, "we_1", sealed),
    MissingKeyError,
  );
  assert.deepEqual(readKeyRing(JSON.stringify(showKeyRing(both))), both);
  for (const text of ["", "{}", '{"current":1,"keys":{"1":"c2hvcnQ="}}', '{"current":2,"keys":{}}', "[]"])
    assert.throws(() => readKeyRing(text), /webhook keys/);
});

test("an endpoint's concurrency limit starts at 4, grows by one per streak of successes, halves under pressure, within 1 and 64", () => {
  const lease = new EndpointLease("biz_1", "we_1");
  const end = (pressure: "succeeded" | "failed" | "overloaded") => {
    lease.inFlight++;
    lease.ended(pressure);
  };
  assert.equal(lease.concurrencyLimit, 4);
  for (let count = 0; count < 4; count++) end("succeeded");
  assert.equal(lease.concurrencyLimit, 5);
  for (let count = 0; count < 4; count++) end("succeeded");
  end("failed");
  assert.equal(lease.concurrencyLimit, 5, "a failure ends the streak");
  assert.equal(lease.failing, true);
  end("overloaded");
  assert.equal(lease.concurrencyLimit, 2);
  for (let count = 0; count < 9; count++) end("overloaded");
  assert.equal(lease.concurrencyLimit, 1);
  end("succeeded");
  assert.deepEqual([lease.concurrencyLimit, lease.failing], [2, false]);
  for (let count = 0; count < 10_000; count++) end("succeeded");
  assert.equal(lease.concurrencyLimit, 64);
});

test("reasons are in words a merchant understands", () => {
  const coded = (code: string) => Object.assign(new Error("x"), { code });
  const reason = (code: string) => explainError(coded(code), new Date("2026-03-01T12:00:00Z")).text;
  assert.equal(reason("CERT_HAS_EXPIRED"), "the certificate expired on 2026-03-01");
  assert.equal(reason("ECONNREFUSED"), "the connection was refused");
  assert.equal(reason("SOMETHING_NEW"), "no answer could be read");
  assert.equal(explainStatus(301).text, "answered 301; redirects are not followed");
  const answered = (text: string, overloaded: boolean) => ({ text, errorClass: "server_error", overloaded });
  assert.deepEqual(explainStatus(503), answered("answered 503 Service Unavailable", true));
  assert.deepEqual(explainStatus(500), answered("answered 500 Internal Server Error", false));
  const classOf = (code: string) => explainError(coded(code), null).errorClass;
  assert.deepEqual(
    ["ENOTFOUND", "ECONNREFUSED", "CERT_HAS_EXPIRED", "UNABLE_TO_GET_ISSUER_CERT", "SOMETHING_NEW"].map(classOf),
    ["dns", "connection", "tls", "tls", "other"],
  );
  assert.deepEqual(
    [301, 404, 100].map((status) => explainStatus(status).errorClass),
    ["redirect", "client_error", "other"],
  );
});

test("§6.1.7 WEBHOOK_DEV_HOSTS leads to loopback addresses only", () => {
  assert.deepEqual(
    [...readDevHosts('{"hooks.shop-demo.com":"127.0.0.1:8443","b.shop-demo.com":"[::1]:1"}')],
    [
      ["hooks.shop-demo.com", { address: "127.0.0.1", port: 8443 }],
      ["b.shop-demo.com", { address: "::1", port: 1 }],
    ],
  );
  for (const text of [
    "",
    "[]",
    "null",
    '{"a.com":"10.0.0.1:1"}',
    '{"a.com":"127.0.0.1"}',
    '{"a.com":"127.0.0.1:0"}',
    '{"a.com":1}',
  ])
    assert.throws(() => readDevHosts(text), /valid JSON|must be an object|must give/);
});

test("§6.1.1 event types are all, or a chosen set in the document's order", () => {
  assert.equal(readEventTypes(["all"]), null);
  assert.deepEqual(readEventTypes(["payment.refunded", " payment.protected", "payment.refunded"]), [
    "payment.protected",
    "payment.refunded",
  ]);
  assert.throws(() => readEventTypes(["payment.vanished"]), /no event type/);
  assert.throws(() => readEventTypes(["webhook.test"]), /no event type/);
});
