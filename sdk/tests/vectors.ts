import { createHmac } from "node:crypto";

/** A delivery with the result of its check: `ok`, or the reason of the refusal. */
export interface Vector {
  readonly name: string;
  /** `text` and `bytes` (base64) are the body as a framework gives it; `object` is a body that was parsed. */
  readonly body: { readonly text: string } | { readonly bytes: string } | { readonly object: object };
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** `Headers` of the platform, a request that has them, or a plain record. */
  readonly form: "record" | "headers" | "request";
  readonly secrets: string | readonly string[];
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
  readonly expected: string;
}

export const SECRET = `whsec_${Buffer.from("0123456789abcdef".repeat(2)).toString("base64")}`;
const ROLLED = `whsec_${Buffer.from("fedcba9876543210".repeat(2)).toString("base64")}`;
const OPAQUE = "whsec_from-before-the-standard-form";
const T = 1_795_230_000;
const ID = "evt_test_5szw01a1fc0a6b1e6aa1dfb6bc9487e1991e";
const BODY = '{"object":"event","type":"payment.protected","data":{"object":{"note":"é 😀 \\u00e9"}}}';

export const v1 = (secret: string, body: string | Buffer, t: number | string = T): string =>
  createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
export const standard = (secret: string, body: string | Buffer, t: number = T, id = ID): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(`${id}.${t}.`)
    .update(body)
    .digest("base64")}`;

const own = (header: string) => ({ "Service-Signature": header });
const std = (signature: string, more: object = {}) => ({
  "webhook-id": ID,
  "webhook-timestamp": String(T),
  "webhook-signature": signature,
  ...more,
});
const GOOD = own(`t=${T},v1=${v1(SECRET, BODY)}`);

type Given = Partial<Vector> & Pick<Vector, "expected">;
const vector = (name: string, given: Given): Vector => ({
  name,
  body: { text: BODY },
  headers: GOOD,
  form: "record",
  secrets: SECRET,
  nowSeconds: T,
  ...given,
});
const bytesOf = (body: Buffer) => ({ bytes: body.toString("base64") });
const signed = (body: Buffer) => ({ body: bytesOf(body), headers: own(`t=${T},v1=${v1(SECRET, body)}`) });

const MEGABYTE = Buffer.from(JSON.stringify({ object: "event", text: "ä".repeat(500_000) }));
const WITH_BOM = Buffer.from(`\ufeff${BODY}`);
const NOT_UTF8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);

export const VECTORS: readonly Vector[] = [
  vector("own scheme", { expected: "ok" }),
  vector("own scheme, body as bytes", { body: bytesOf(Buffer.from(BODY)), expected: "ok" }),
  vector("own scheme, Headers", { form: "headers", expected: "ok" }),
  vector("own scheme, a request", { form: "request", expected: "ok" }),
  vector("own scheme, header names in any case", {
    headers: { "SERVICE-SIGNATURE": GOOD["Service-Signature"] },
    expected: "ok",
  }),
  vector("own scheme, an opaque secret", {
    secrets: OPAQUE,
    headers: own(`t=${T},v1=${v1(OPAQUE, BODY)}`),
    expected: "ok",
  }),
  vector("two secrets at the sender, the new one here", {
    headers: own(`t=${T},v1=${v1(SECRET, BODY)},v1=${v1(ROLLED, BODY)}`),
    expected: "ok",
  }),
  vector("two secrets at the sender, the old one here", {
    secrets: ROLLED,
    headers: own(`t=${T},v1=${v1(SECRET, BODY)},v1=${v1(ROLLED, BODY)}`),
    expected: "ok",
  }),
  vector("two secrets here, the old one at the sender", { secrets: [ROLLED, SECRET], expected: "ok" }),
  vector("a later version beside v1", {
    headers: own(`t=${T},v0=abc,v1=${v1(SECRET, BODY)},v2=x`),
    expected: "ok",
  }),
  vector("v1 before t", { headers: own(`v1=${v1(SECRET, BODY)},t=${T}`), expected: "ok" }),
  vector("300 s old", { nowSeconds: T + 300, expected: "ok" }),
  vector("301 s old", { nowSeconds: T + 301, expected: "too_old" }),
  vector("300 s ahead", { nowSeconds: T - 300, expected: "ok" }),
  vector("301 s ahead", { nowSeconds: T - 301, expected: "too_new" }),
  vector("tolerance 0", { toleranceSeconds: 0, nowSeconds: T + 1, expected: "too_old" }),
  vector("tolerance of an hour", { toleranceSeconds: 3_600, nowSeconds: T + 3_600, expected: "ok" }),
  vector("another secret", { secrets: ROLLED, expected: "no_match" }),
  vector("the body changed by one byte", { body: { text: BODY.replace("é", "e") }, expected: "no_match" }),
  vector("the body serialized again", { body: { text: JSON.stringify(JSON.parse(BODY)) }, expected: "no_match" }),
  vector("the time changed", { headers: own(`t=${T + 1},v1=${v1(SECRET, BODY)}`), expected: "no_match" }),
  vector("truncated hex", { headers: own(`t=${T},v1=${v1(SECRET, BODY).slice(0, 62)}`), expected: "no_match" }),
  vector("upper-case hex", { headers: own(`t=${T},v1=${v1(SECRET, BODY).toUpperCase()}`), expected: "no_match" }),
  vector("no v1", { headers: own(`t=${T}`), expected: "no_match" }),
  vector("v1 of another scheme", { headers: own(`t=${T},v0=${v1(SECRET, BODY)}`), expected: "no_match" }),
  vector("no t", { headers: own(`v1=${v1(SECRET, BODY)}`), expected: "bad_header" }),
  vector("t twice", { headers: own(`t=${T},t=${T},v1=${v1(SECRET, BODY)}`), expected: "bad_header" }),
  vector("t with a fraction", { headers: own(`t=${T}.0,v1=${v1(SECRET, BODY, `${T}.0`)}`), expected: "bad_header" }),
  vector("t is no number", { headers: own(`t=now,v1=${v1(SECRET, BODY, "now")}`), expected: "bad_header" }),
  vector("the header twice", {
    headers: { "service-signature": [GOOD["Service-Signature"], GOOD["Service-Signature"]] },
    expected: "bad_header",
  }),
  vector("an empty header", { headers: own(""), expected: "bad_header" }),
  vector("no header", { headers: { "Content-Type": "application/json" }, expected: "no_header" }),
  vector("standard scheme", { headers: std(standard(SECRET, BODY)), expected: "ok" }),
  vector("standard scheme, Headers", { form: "headers", headers: std(standard(SECRET, BODY)), expected: "ok" }),
  vector("standard scheme, two signatures", {
    secrets: ROLLED,
    headers: std(`${standard(SECRET, BODY)} ${standard(ROLLED, BODY)}`),
    expected: "ok",
  }),
  vector("standard scheme, another id", {
    headers: std(standard(SECRET, BODY), { "webhook-id": "evt_test_other" }),
    expected: "no_match",
  }),
  vector("standard scheme, an opaque secret", {
    secrets: OPAQUE,
    headers: std(standard(SECRET, BODY)),
    expected: "no_match",
  }),
  vector("standard scheme, truncated", { headers: std(standard(SECRET, BODY).slice(0, -4)), expected: "no_match" }),
  vector("standard scheme, 301 s old", {
    headers: std(standard(SECRET, BODY)),
    nowSeconds: T + 301,
    expected: "too_old",
  }),
  vector("standard scheme, no id", {
    headers: { "webhook-timestamp": String(T), "webhook-signature": standard(SECRET, BODY) },
    expected: "bad_header",
  }),
  vector("both schemes, one of a secret that is not here", {
    headers: { ...own(`t=${T},v1=${v1(ROLLED, BODY)}`), ...std(standard(SECRET, BODY)) },
    expected: "ok",
  }),
  vector("a body of 1 MB", { ...signed(MEGABYTE), expected: "ok" }),
  vector("a byte order mark", { ...signed(WITH_BOM), expected: "ok" }),
  vector("a byte order mark in a text", {
    body: { text: `\ufeff${BODY}` },
    headers: own(`t=${T},v1=${v1(SECRET, WITH_BOM)}`),
    expected: "ok",
  }),
  vector("bytes that are no UTF-8", { ...signed(NOT_UTF8), expected: "not_json" }),
  vector("a signed list", { ...signed(Buffer.from("[1]")), expected: "not_json" }),
  vector("an empty body", { ...signed(Buffer.alloc(0)), expected: "not_json" }),
  vector("a parsed body", { body: { object: JSON.parse(BODY) as object }, expected: "parsed_body" }),
];
