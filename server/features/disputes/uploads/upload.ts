import type { IncomingMessage } from "node:http";
import { ApiError, type ErrorCode, showError } from "../../../domain/errors.ts";
import { newRequestId } from "../../../domain/ids.ts";
import { showText } from "../../../domain/show.ts";
import { addressOf, ENGLISH, type RefusingLanguages } from "../../../edge/buyer/door.ts";
import { BuyerError, ENGLISH_REFUSALS, type Refusals, type Say, showBuyerError } from "../../../edge/buyer/error.ts";
import { FairPlaces } from "../../../edge/buyer/fairPlaces.ts";
import { NetworkLimit, networkOf, networksOf } from "../../../edge/buyer/limits.ts";
import type { App, Handler } from "../../../edge/http/app.ts";
import { CONTINUE, checkHeaders, DATA_HEADERS } from "../../../edge/http/headers.ts";
import { STAFF_PREFIX } from "../../../edge/staff/description.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { FILE_BYTES_MAX, sha256Of, type Upload } from "../files/file.ts";
import { findUploadByToken } from "../files/queries.ts";
import { inBuyersWords } from "../refusals.ts";
import { keepFile, tokenHashOf } from "./actions.ts";
import { readContent } from "./content/content.ts";

/** All bytes of a file arrive within this time; the server ends any request a little later. */
const BODY_MS = 25_000;
/** The memory of all uploads under way in this process. A small file counts as this much at least. */
const BYTES_MAX = 16 * FILE_BYTES_MAX;
const BYTES_MIN = 65_536;
/** Requests of one network in a minute. */
const REQUESTS_A_MINUTE = 60;
const TOKEN = /^[\w-]{43}$/;

/** Outside the API: an address without a key does not follow its rules. */
export const UPLOADS = "/pay/uploads";
/** For the staff's pages, which send to their own host alone. */
const STAFF_UPLOADS = `${STAFF_PREFIX}/uploads`;

/** Below the checkout's address, or its path alone. */
export const uploadUrl = (checkoutUrl: string, token: string): string => `${checkoutUrl}${UPLOADS}/${token}`;
export const staffUploadPath = (token: string): string => `${STAFF_UPLOADS}/${token}`;

export interface UploadDeps {
  readonly database: Database;
  readonly addressHeader: string | null;
  readonly logError: (message: string, error: unknown) => void;
  /** Those of buyers' pages; default: English alone. */
  readonly languages?: RefusingLanguages;
  /** Tests shorten it. */
  readonly bodyMs?: number;
  readonly bytesMax?: number;
}

/** §4.20.4: takes the bytes of announced files. The token in the path is all that a request needs. */
export function registerUploads(app: App, deps: UploadDeps): void {
  const limit = new NetworkLimit(REQUESTS_A_MINUTE);
  const places = new FairPlaces(deps.bytesMax ?? BYTES_MAX);
  const handler: Handler = async ({ raw, params }, response) => {
    const languages = raw.url!.startsWith(STAFF_UPLOADS) ? ENGLISH : (deps.languages ?? ENGLISH);
    let { refusals } = languages.choose({ accepted: raw.headers["accept-language"] });
    response.headers({ ...DATA_HEADERS, "cache-control": "no-store", "referrer-policy": "no-referrer" });
    response.type("application/json; charset=utf-8");
    const requestId = newRequestId(new Date());
    response.header("request-id", requestId);
    try {
      checkHeaders(raw);
      const network = networkOf(addressOf(raw, deps.addressHeader));
      const waitSeconds = limit.use(network);
      if (waitSeconds !== null) throw busy("rate_limited", waitSeconds);
      const token = params.token!;
      const upload = TOKEN.test(token) ? await findUploadByToken(deps.database, tokenHashOf(token)) : null;
      if (upload === null) throw gone();
      if (upload.side !== "buyer") refusals = ENGLISH_REFUSALS;
      checkLength(raw, upload);
      return response.code(201).send(
        await counted(places, { upload, network }, (ended, keep) => {
          if (raw.headers.expect?.toLowerCase() === CONTINUE) response.raw.writeContinue();
          return receive(raw, upload, { ended, keep }, deps);
        }),
      );
    } catch (error) {
      const refused = asRefusal(error, refusals, (unexpected) =>
        deps.logError(`An upload failed (Request-Id ${requestId})`, unexpected),
      );
      // An unread body would be parsed as the next request.
      if (!raw.complete) response.header("connection", "close");
      if (refused.retryAfterSeconds !== null) response.header("retry-after", refused.retryAfterSeconds);
      return response.code(refused.status).send(refused.text);
    }
  };
  for (const path of [UPLOADS, STAFF_UPLOADS]) app.on("PUT", `${path}/:token`, handler);
}

/** Runs an upload where there is room for it. The signal ends one that makes room for others, until it calls `keep`. */
async function counted<Result>(
  places: FairPlaces,
  { upload, network }: { readonly upload: Upload; readonly network: string },
  run: (ended: AbortSignal, keep: () => void) => Promise<Result>,
): Promise<Result> {
  const { businessId, disputeId, side, size } = upload;
  const ended = new AbortController();
  const holder = {
    parties: [`${disputeId} ${side}`, disputeId, businessId, ...networksOf(network)],
    size: Math.max(size, BYTES_MIN),
    end: () => ended.abort(),
  };
  const leave = places.take(holder);
  if (leave === null) throw busy("rate_limited", 2);
  try {
    return await run(ended.signal, () => places.keep(holder));
  } finally {
    leave();
  }
}

/** Reads, checks and keeps the bytes; returns the answer's text. */
async function receive(
  raw: IncomingMessage,
  upload: Upload,
  { ended, keep }: { readonly ended: AbortSignal; readonly keep: () => void },
  { database, bodyMs = BODY_MS }: UploadDeps,
) {
  const sent = await readBytes(raw, upload.size, ended, bodyMs);
  // Nothing stops it any more, so its memory is not free before its end.
  keep();
  if (!sha256Of(sent).equals(upload.sha256)) throw refused((texts) => texts.files.changed);
  const content = readContent(sent);
  if (typeof content === "string")
    throw refused((texts) => texts.files.content[content], content === "type" ? 415 : undefined);
  const file = await keepFile(database, upload, content).catch((error: unknown) => {
    throw upload.side === "buyer" ? inBuyersWords(error) : error;
  });
  if (file === null) throw gone();
  const { id, name, type, size, sha256 } = file;
  return `{"object":"dispute_file","id":"${id}","name":${showText(name)},"type":"${type}","size":${size},"sha256":"${sha256.toString("hex")}","sentSha256":"${upload.sha256.toString("hex")}"}`;
}

/** A refusal with the codes of the merchant API, whoever sends the file; its sentence is in the language of the sender. */
class UploadError extends ApiError {
  readonly say: Say;
  constructor(code: ErrorCode, say: Say, options: ConstructorParameters<typeof ApiError>[3] = {}) {
    super(code, say(ENGLISH_REFUSALS), {}, options);
    this.say = say;
  }
}

const refused = (say: Say, status?: 413 | 415) =>
  new UploadError("bad_request", say, status === undefined ? {} : { status });
const busy = (code: "rate_limited" | "unavailable", retryAfterSeconds: number) =>
  new UploadError(code, (texts) => texts.files.busy, { retryAfterSeconds });
const gone = () => new UploadError("not_found", (texts) => texts.files.ended);
const tooLong = () => refused((texts) => texts.files.tooLong, 413);
const tooShort = () => refused((texts) => texts.files.tooShort);

/** An announced length tells before the first byte. */
function checkLength({ headers }: IncomingMessage, { size }: Upload): void {
  if (headers["content-encoding"] !== undefined) throw refused((texts) => texts.files.encoded, 415);
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) > size) throw tooLong();
  if (announced !== undefined && Number(announced) < size) throw tooShort();
}

/** Exactly so many bytes of the body, into memory that is taken once. */
function readBytes(request: IncomingMessage, size: number, ended: AbortSignal, waitMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  const stop = (answer: () => void) => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    ended.removeEventListener("abort", onEnded);
    request.pause();
    answer();
  };
  const timer = setTimeout(() => stop(() => reject(refused((texts) => texts.files.late))), waitMs);
  const onData = (chunk: Buffer) => {
    if (at + chunk.length > size) return stop(() => reject(tooLong()));
    at += chunk.copy(bytes, at);
  };
  const onEnd = () => stop(() => (at === size ? resolve(bytes) : reject(tooShort())));
  const onGone = () => stop(() => reject(refused((texts) => texts.files.broken)));
  const onEnded = () => stop(() => reject(busy("rate_limited", 2)));
  ended.addEventListener("abort", onEnded);
  // The connection may have broken before anybody listened.
  if (request.destroyed) onGone();
  else request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return promise;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
}

/** What a page shows its reader is short; a server of a merchant gets the same. */
function asRefusal(error: unknown, refusals: Refusals, unexpected: (error: unknown) => void): Refusal {
  if (error instanceof BuyerError) return { ...shownOf(error), text: showBuyerError(error, error.say(refusals)) };
  if (error instanceof UploadError) return { ...shownOf(error), text: showError(error, error.say(refusals)) };
  if (error instanceof ApiError) return { ...shownOf(error), text: showError(error) };
  if (error instanceof DatabaseUnavailableError) return asRefusal(busy("unavailable", 1), refusals, unexpected);
  unexpected(error);
  return asRefusal(new UploadError("internal_error", (texts) => texts.files.failed), refusals, unexpected);
}

const shownOf = ({ status, retryAfterSeconds }: Omit<Refusal, "text">) => ({ status, retryAfterSeconds });
