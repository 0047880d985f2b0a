import type { IncomingMessage } from "node:http";
import { ApiError } from "../../domain/errors.ts";
import { canonicalJson, JsonError, type JsonObject, parseJsonObject } from "../../domain/json.ts";
import { BODY_BYTES_MAX } from "../../domain/limits.ts";
import { valuesOf } from "./headers.ts";

/** A body's members, and a text that is equal for equal bodies: tokens as sent, members sorted (§4.8.8). */
export interface Body {
  readonly members: JsonObject;
  readonly canonical: string;
}

const EMPTY: Body = { members: new Map(), canonical: "{}" };
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface BodyRules {
  /** True if the operation has a payload. */
  readonly required: boolean;
  readonly waitMs: number;
  /** Default `BODY_BYTES_MAX`. */
  readonly bytesMax?: number | undefined;
  /** Tells a client that waits (`Expect: 100-continue`) to send; called once the body is needed. */
  readonly invite: () => void;
}

/** Reads the body of a request that writes: 415, then 413, then 400 (§7.1). */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<Body> {
  const { required, invite, bytesMax = BODY_BYTES_MAX } = rules;
  const announced = request.headers["content-length"];
  const chunked = request.headers["transfer-encoding"] !== undefined;
  const empty = !chunked && (announced === undefined || Number(announced) === 0);
  const wrongType = empty && !required ? null : typeProblem(request);
  if (wrongType !== null) {
    if (required || !chunked) throw wrongType;
    // Some clients send even an empty body in chunks: the type matters only once a first byte has arrived.
    invite();
    await readBytes(request, 0, rules.waitMs, () => wrongType);
    return EMPTY;
  }
  if (announced !== undefined && Number(announced) > bytesMax) throw tooLarge(bytesMax);
  if (!empty) invite();
  const bytes = empty ? Buffer.alloc(0) : await readBytes(request, bytesMax, rules.waitMs, () => tooLarge(bytesMax));
  if (bytes.length === 0 && !required) return EMPTY;
  return parse(bytes);
}

const FORM_BYTES_MAX = 1_024;

/** Reads the body of a small form that a browser sent; null if it is none. */
export async function readForm(request: IncomingMessage, waitMs: number): Promise<URLSearchParams | null> {
  const type = valuesOf(request, "content-type")[0]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return null;
  try {
    const bytes = await readBytes(request, FORM_BYTES_MAX, waitMs, () => tooLarge(FORM_BYTES_MAX));
    return new URLSearchParams(decoder.decode(bytes));
  } catch (error) {
    // It was too large, too late, broken off, or no UTF-8.
    if (error instanceof ApiError || error instanceof TypeError) return null;
    throw error;
  }
}

function typeProblem(request: IncomingMessage): ApiError | null {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity")
    return new ApiError("bad_request", "Send the body without a Content-Encoding.", {}, { status: 415 });
  const types = valuesOf(request, "content-type");
  const [type = "", ...parameters] = (types.length === 1 ? types[0]! : "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charsets = parameters
    .filter((parameter) => parameter.startsWith("charset="))
    .map((parameter) => parameter.slice("charset=".length).replaceAll('"', ""));
  if (type !== "application/json" || charsets.length > 1 || charsets.some((charset) => charset !== "utf-8"))
    return new ApiError(
      "bad_request",
      "Send the body as UTF-8 JSON with one header Content-Type: application/json.",
      {},
      { status: 415 },
    );
  return null;
}

const tooLarge = (bytesMax: number) =>
  new ApiError(
    "bad_request",
    `The body is larger than ${bytesMax} bytes. Send less: letters in UTF-8 instead of \\u escapes, a reference instead of data in metadata.`,
    {},
    { status: 413, closes: true },
  );

function readBytes(
  request: IncomingMessage,
  bytesMax: number,
  waitMs: number,
  beyond: () => ApiError,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const late = () =>
    new ApiError("bad_request", `The body did not arrive within ${waitMs / 1000} seconds.`, {}, { closes: true });
  const timer = setTimeout(() => stop(() => reject(late())), waitMs);
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > bytesMax) stop(() => reject(beyond()));
    else chunks.push(chunk);
  };
  const onEnd = () => stop(() => resolve(Buffer.concat(chunks, size)));
  const onGone = () => stop(() => reject(new ApiError("bad_request", "The connection broke while the body was sent.")));
  const stop = (answer: () => void) => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    request.pause();
    answer();
  };
  // The connection may have broken before anybody listened.
  if (request.destroyed) onGone();
  else request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return promise;
}

function parse(bytes: Buffer): Body {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new ApiError("bad_request", "The body is not valid UTF-8. Encode it as UTF-8.");
  }
  try {
    const members = parseJsonObject(text);
    return { members, canonical: canonicalJson(members) };
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError("bad_request", error.message, {}, { closes: error.passesLimit });
    throw error;
  }
}
