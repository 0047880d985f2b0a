import type { IncomingMessage } from "node:http";
import { ApiError, showError } from "../../../domain/errors.ts";
import { showText } from "../../../domain/show.ts";
import { addressOf } from "../../../edge/buyer/door.ts";
import { BuyerError, showBuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit, networkOf } from "../../../edge/buyer/limits.ts";
import type { App, Handler } from "../../../edge/http/app.ts";
import { CONTINUE, checkHeaders, DATA_HEADERS } from "../../../edge/http/headers.ts";
import { MERCHANT_PREFIX } from "../../../edge/merchant/description.ts";
import { STAFF_PREFIX } from "../../../edge/staff/description.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { sha256Of, type Upload } from "../files/file.ts";
import { findUploadByToken } from "../files/queries.ts";
import { inBuyersWords } from "../refusals.ts";
import { keepFile, tokenHashOf } from "./actions.ts";
import { type ContentRefusal, readContent } from "./content/content.ts";

/** All bytes of a file arrive within this time; the server ends any request a little later. */
const BODY_MS = 25_000;
/**
 * Uploads under way in this process, each of at most 5 MB; of one side of one dispute, so that no side takes all; and of one
 * network, so that nobody takes all with slow files of many disputes.
 */
const UNDER_WAY_MAX = 16;
const OF_SIDE_MAX = 2;
const OF_NETWORK_MAX = 4;
/** Requests of one network in a minute. */
const REQUESTS_A_MINUTE = 60;
const TOKEN = /^[\w-]{43}$/;

/** The path before `/uploads` at each address of the deployment: a page uploads to its own. */
export const UPLOAD_PREFIXES = { buyer: "/pay", merchant: MERCHANT_PREFIX, staff: STAFF_PREFIX } as const;

export interface UploadDeps {
  readonly database: Database;
  readonly addressHeader: string | null;
  readonly logError: (message: string, error: unknown) => void;
  /** Tests shorten it. */
  readonly bodyMs?: number;
}

/** §4.20.4: takes the bytes of announced files. The token in the path is all that a request needs. */
export function registerUploads(app: App, deps: UploadDeps): void {
  const limit = new MinuteLimit(REQUESTS_A_MINUTE);
  const underWay = new Set<UnderWay>();
  const handler: Handler = async ({ raw, params }, response) => {
    response.headers({ ...DATA_HEADERS, "cache-control": "no-store", "referrer-policy": "no-referrer" });
    response.type("application/json; charset=utf-8");
    try {
      checkHeaders(raw);
      const network = networkOf(addressOf(raw, deps.addressHeader));
      const waitSeconds = limit.use(network, performance.now());
      if (waitSeconds !== null) throw busy("rate_limited", waitSeconds);
      const token = params.token!;
      const upload = TOKEN.test(token) ? await findUploadByToken(deps.database, tokenHashOf(token)) : null;
      if (upload === null) throw gone();
      checkLength(raw, upload);
      return response.code(201).send(
        await counted(underWay, { upload, network }, () => {
          if (raw.headers.expect?.toLowerCase() === CONTINUE) response.raw.writeContinue();
          return receive(raw, upload, deps);
        }),
      );
    } catch (error) {
      const refused = asRefusal(error, deps.logError);
      // An unread body would be parsed as the next request.
      if (!raw.complete) response.header("connection", "close");
      if (refused.retryAfterSeconds !== null) response.header("retry-after", refused.retryAfterSeconds);
      return response.code(refused.status).send(refused.text);
    }
  };
  for (const prefix of Object.values(UPLOAD_PREFIXES)) app.on("PUT", `${prefix}/uploads/:token`, handler);
}

interface UnderWay {
  readonly side: string;
  readonly network: string;
}

/** Runs an upload where there is a place for it. */
async function counted<Result>(
  underWay: Set<UnderWay>,
  { upload: { businessId, disputeId, side }, network }: { readonly upload: Upload; readonly network: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const own = { side: `${businessId} ${disputeId} ${side}`, network };
  const all = [...underWay];
  const ofSide = all.filter((one) => one.side === own.side).length;
  const ofNetwork = all.filter((one) => one.network === network).length;
  if (ofSide >= OF_SIDE_MAX || ofNetwork >= OF_NETWORK_MAX || all.length >= UNDER_WAY_MAX)
    throw busy("rate_limited", 2);
  underWay.add(own);
  try {
    return await run();
  } finally {
    underWay.delete(own);
  }
}

/** Reads, checks and keeps the bytes; returns the answer's text. */
async function receive(raw: IncomingMessage, upload: Upload, { database, bodyMs = BODY_MS }: UploadDeps) {
  const sent = await readBytes(raw, upload.size, bodyMs);
  if (!sha256Of(sent).equals(upload.sha256))
    throw refused("These are not the bytes that were announced. Send the file again.");
  const content = readContent(sent);
  if (typeof content === "string") throw refused(REFUSALS[content], content === "type" ? 415 : undefined);
  const file = await keepFile(database, upload, content).catch((error: unknown) => {
    throw upload.side === "buyer" ? inBuyersWords(error) : error;
  });
  if (file === null) throw gone();
  const { id, name, type, size, sha256 } = file;
  return `{"object":"dispute_file","id":"${id}","name":${showText(name)},"type":"${type}","size":${size},"sha256":"${sha256.toString("hex")}","sentSha256":"${upload.sha256.toString("hex")}"}`;
}

const REFUSALS: Readonly<Record<ContentRefusal, string>> = {
  type: "Send a PNG, JPEG or WebP picture, a PDF, or plain text.",
  broken: "This picture is broken, or it moves. Save it again, or send a PDF.",
  pixels: "This picture has more than 40 megapixels. Send a smaller one.",
};

const refused = (message: string, status?: 413 | 415): ApiError =>
  new ApiError("bad_request", message, {}, status === undefined ? {} : { status });
const busy = (code: "rate_limited" | "unavailable", retryAfterSeconds: number): ApiError =>
  new ApiError(code, "Too many files are on their way. Try again in a moment.", {}, { retryAfterSeconds });
const gone = (): ApiError =>
  new ApiError("not_found", "This upload has ended, or its file is sent. Choose the file again.");
const tooLong = (): ApiError => refused("The file is longer than announced. Choose it again.", 413);
const tooShort = (): ApiError => refused("The file is shorter than announced. Choose it again.");

/** An announced length tells before the first byte. */
function checkLength({ headers }: IncomingMessage, { size }: Upload): void {
  if (headers["content-encoding"] !== undefined) throw refused("Send the file without a Content-Encoding.", 415);
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) > size) throw tooLong();
  if (announced !== undefined && Number(announced) < size) throw tooShort();
}

/** Exactly so many bytes of the body, into memory that is taken once. */
function readBytes(request: IncomingMessage, size: number, waitMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  const stop = (answer: () => void) => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    request.pause();
    answer();
  };
  const timer = setTimeout(() => stop(() => reject(refused("The file did not arrive in time. Try again."))), waitMs);
  const onData = (chunk: Buffer) => {
    if (at + chunk.length > size) return stop(() => reject(tooLong()));
    at += chunk.copy(bytes, at);
  };
  const onEnd = () => stop(() => (at === size ? resolve(bytes) : reject(tooShort())));
  const onGone = () => stop(() => reject(refused("The connection broke while the file was sent.")));
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return promise;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
}

/** What a page shows its reader is short; a server of a merchant gets the same. */
function asRefusal(error: unknown, logError: UploadDeps["logError"]): Refusal {
  if (error instanceof BuyerError)
    return { status: error.status, text: showBuyerError(error), retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof ApiError)
    return { status: error.status, text: showError(error), retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof DatabaseUnavailableError) {
    const away = busy("unavailable", 1);
    return { status: away.status, text: showError(away), retryAfterSeconds: 1 };
  }
  logError("An upload failed", error);
  const failed = new ApiError("internal_error", "The service failed. Try again.");
  return { status: failed.status, text: showError(failed), retryAfterSeconds: null };
}
