import { isOutage, processOutages } from "./outages.ts";

/** `error`: something is broken or needs a person; `warn`: it passes, or other parts make up for it. */
export type Level = "info" | "warn" | "error";

/**
 * Logs a line for a person, and the error behind it. The stack is written too, except for an outage. Without a level a
 * line with an error is an `error`, one with an outage a `warn`, and any other an `info`.
 */
export type Log = (message: string, error?: unknown, level?: Level) => void;

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

let format: LogFormat = "text";
/** Sets the format for the whole process, once its settings are read. */
export const setLogFormat = (wanted: LogFormat): void => {
  format = wanted;
};

/**
 * Writes to standard error, each line with its time. An error's causes are written too; callers never pass secrets in. An
 * outage writes its first line only, however many parts meet it.
 */
export const log: Log = (message, error, level) => {
  if (isOutage(error) && !processOutages.mention(error.outage, error.reason ?? error.message)) return;
  process.stderr.write(`${draftLine(format, new Date(), message, error, level)}\n`);
};

/** Writes for the person who started the process: plain in text; in JSON a line like any other, which is stored. */
export const say = (text: string): void =>
  void process.stdout.write(`${format === "json" ? draftLine(format, new Date(), text) : text}\n`);

/** Writes why the process cannot start, in the same way. */
export const complain = (text: string): void =>
  void process.stderr.write(`${format === "json" ? draftLine(format, new Date(), text, undefined, "error") : text}\n`);

/** An answered request, as its line of the log shows it. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern, which holds no id and no secret; null: no route has the path. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string | null;
}

export const logRequest = (request: AnsweredRequest): void =>
  void process.stderr.write(`${draftRequestLine(format, new Date(), request)}\n`);

export function draftRequestLine(format: LogFormat, now: Date, request: AnsweredRequest): string {
  const { method, route, status, ms, requestId } = request;
  const message = `${method} ${route ?? "(no route)"} ${status} ${ms} ms${requestId === null ? "" : ` ${requestId}`}`;
  if (format === "json") return JSON.stringify({ time: now.toISOString(), level: "info", message, ...request });
  return draftLine(format, now, message);
}

const levelOf = (error: unknown): Level => (error === undefined ? "info" : isOutage(error) ? "warn" : "error");

/** Drafts a line: always a single one in JSON; in text the stack follows on further lines. */
export function draftLine(
  format: LogFormat,
  now: Date,
  message: string,
  error?: unknown,
  level = levelOf(error),
): string {
  const time = now.toISOString();
  const detail = error === undefined ? null : describe(error);
  if (format === "json") return JSON.stringify({ time, level, message, ...(detail === null ? {} : { error: detail }) });
  // An outage's message is usually part of the line already: once is enough.
  const isSaid = detail === null || (isOutage(error) && message.includes(detail));
  return `${time} ${level} ${message}${isSaid ? "" : `\n${detail}`}`;
}

const CAUSES_MAX = 3;

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isOutage(error)) return error.message;
  const lines = [error.stack ?? error.message];
  let cause = error.cause;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    lines.push(`caused by ${cause.stack ?? cause.message}`);
    cause = cause.cause;
  }
  return lines.join("\n");
}
