import type { UnknownEvent } from "./events.ts";
import type { WebhookEvent } from "./schema.ts";

export { type FulfillOptions, shouldFulfill } from "./fulfill.ts";

/** The reason why a delivery is refused. */
export type WebhookErrorReason =
  | "no_header"
  | "bad_header"
  | "no_match"
  | "too_old"
  | "too_new"
  | "parsed_body"
  | "not_json";

const MESSAGES: Readonly<Record<WebhookErrorReason, string>> = {
  no_header: "The request has neither Service-Signature nor webhook-signature.",
  bad_header: "The signature header is malformed, or given twice.",
  no_match:
    "No signature matches. Check that the secret is this endpoint's, and that the body is exactly what arrived, byte for byte.",
  too_old: "The signature's time is too long ago: a replay, or this machine's clock is ahead.",
  too_new: "The signature's time is in the future: this machine's clock is behind.",
  parsed_body:
    "The body is an object: it was parsed before. Give the bytes as they arrived, such as those of express.raw(), request.arrayBuffer() or request.text().",
  not_json: "The body is signed, but it is no JSON object.",
};

export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}

/** The headers of a request, in the form of any framework; or the request itself. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly headers: { get(name: string): string | null } }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds by which the signature's time may differ from now, in either direction; 300 if left out. */
  readonly toleranceSeconds?: number | undefined;
  /** The time of the check; now if left out. */
  readonly now?: Date | undefined;
}

/** A signature's time and the signatures of one scheme, with the message that they sign before the body. */
interface Signed {
  readonly prefix: string;
  readonly time: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
  readonly keyOf: (secret: string) => Uint8Array<ArrayBuffer> | null;
}

const encoder = new TextEncoder();
const TIME = /^\d{1,12}$/;

/**
 * Checks the signature of a delivery, by `Service-Signature` or by the headers of Standard Webhooks, and returns its event.
 * `secrets`: the endpoint's signing secret; while it is rolled, the old and the new one. Throws {@link WebhookError}.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent | UnknownEvent> {
  const known = typeof secrets === "string" ? [secrets] : secrets;
  if (known.length === 0 || known.some((secret) => typeof secret !== "string" || secret === ""))
    throw new TypeError("Give the endpoint's signing secret.");
  if (!(toleranceSeconds >= 0)) throw new TypeError("toleranceSeconds must be a number from 0.");
  const bytes = bytesOf(body);
  const schemes = listSigned(readerOf(headers));
  for (const signed of schemes) {
    if (!(await matches(signed, bytes, known))) continue;
    const ageSeconds = now.getTime() / 1000 - Number(signed.time);
    if (ageSeconds > toleranceSeconds) throw new WebhookError("too_old");
    if (ageSeconds < -toleranceSeconds) throw new WebhookError("too_new");
    return parseEvent(bytes);
  }
  throw new WebhookError("no_match");
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return encoder.encode(body);
  // Not by instanceof: test runners and sandboxes have classes of their own.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body as ArrayBuffer);
  throw new WebhookError("parsed_body");
}

function parseEvent(bytes: Uint8Array): WebhookEvent | UnknownEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof event === "object" && event !== null && !Array.isArray(event)) return event as WebhookEvent;
  } catch {
    // The body is no JSON; the error below says so.
  }
  throw new WebhookError("not_json");
}

type Reader = (name: string) => string | null;

function readerOf(headers: WebhookHeaders): Reader {
  const given = "headers" in headers && typeof headers.headers === "object" ? headers.headers : headers;
  if ("get" in given && typeof given.get === "function") return (name) => (given as Headers).get(name);
  const entries = Object.entries(given as Readonly<Record<string, string | readonly string[] | undefined>>);
  return (name) => {
    const found = entries.filter(([one, value]) => one.toLowerCase() === name && value !== undefined);
    return found.length === 0 ? null : found.flatMap(([, value]) => value).join(", ");
  };
}

/** Reads the headers of both schemes. A header that is given twice is joined with ", ", as HTTP does, and is malformed. */
function listSigned(read: Reader): Signed[] {
  const own = read("service-signature");
  const standard = read("webhook-signature");
  if (own === null && standard === null) throw new WebhookError("no_header");
  const signed = [own === null ? null : parseOwn(own), standard === null ? null : parseStandard(standard, read)];
  const found = signed.filter((one) => one !== null);
  if (found.length === 0) throw new WebhookError("bad_header");
  return found;
}

/** `t=<unix seconds>,v1=<hex>,v1=<hex>`. Versions other than v1 are for later. */
function parseOwn(header: string): Signed | null {
  const parts = header.split(",").map((part) => part.trim().split("=", 2) as [string, string | undefined]);
  const [time, ...others] = parts.filter(([name]) => name === "t").map(([, value]) => value ?? "");
  if (time === undefined || others.length > 0 || !TIME.test(time)) return null;
  const signatures = parts.flatMap(([name, value = ""]) =>
    name === "v1" && /^[0-9a-f]{64}$/.test(value) ? [bytesOfHex(value)] : [],
  );
  return { prefix: `${time}.`, time, signatures, keyOf: (secret) => encoder.encode(secret) };
}

/** `v1,<base64> v1,<base64>`, over id, time and body. */
function parseStandard(header: string, read: Reader): Signed | null {
  const [id, time] = [read("webhook-id"), read("webhook-timestamp")];
  if (id === null || id === "" || /[, ]/.test(id) || time === null || !TIME.test(time)) return null;
  const signatures = header.split(" ").flatMap((part) => {
    const bytes = /^v1,[A-Za-z0-9+/]{43}=$/.test(part) ? bytesOfBase64(part.slice(3)) : null;
    return bytes === null ? [] : [bytes];
  });
  const keyOf = (secret: string) => (secret.startsWith("whsec_") ? bytesOfBase64(secret.slice(6)) : null);
  return { prefix: `${id}.${time}.`, time, signatures, keyOf };
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text === "" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The platform compares the signatures, in constant time. */
async function matches(
  { prefix, signatures, keyOf }: Signed,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const start = encoder.encode(prefix);
  const message = new Uint8Array(start.length + body.length);
  message.set(start);
  message.set(body, start.length);
  for (const secret of secrets) {
    const bytes = keyOf(secret);
    if (bytes === null) continue;
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, signature, message)) return true;
  }
  return false;
}
