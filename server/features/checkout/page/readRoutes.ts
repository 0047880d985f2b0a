import { ApiError, showError } from "../../../domain/errors.ts";
import { addressOf } from "../../../edge/buyer/door.ts";
import { NetworkLimit, networkOf } from "../../../edge/buyer/limits.ts";
import { type HtmlPage, sendPage } from "../../../edge/html/page.ts";
import type { App, Handler, Reply, Request } from "../../../edge/http/app.ts";
import { DATA_HEADERS } from "../../../edge/http/headers.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { ENGLISH } from "./catalogue.ts";
import { noticePage, RELOAD_BUTTON } from "./document.ts";
import type { LiveStates } from "./liveStates.ts";

/** Reads per network and minute, of pages, states and streams together: many buyers share one network behind a mobile carrier. */
const READS_PER_MINUTE = 1_200;

/** The limit of reads that all pages of buyers share. */
export class ReadLimit {
  readonly #limit = new NetworkLimit(READS_PER_MINUTE);
  readonly #addressHeader: string | null;

  constructor(addressHeader: string | null) {
    this.#addressHeader = addressHeader;
  }

  networkFrom(request: Request): string {
    return networkOf(addressOf(request.raw, this.#addressHeader));
  }

  /** Counts a read before it is made. Null if it is allowed; else the seconds until the next one is. */
  count(request: Request): number | null {
    return this.#limit.use(this.networkFrom(request));
  }
}

/** The query of a request, which the router left in its path. */
export const queryOf = ({ raw }: Request): URLSearchParams =>
  new URLSearchParams(raw.url?.split("?").slice(1).join("?"));

/** Answers with a page; null: the reply was sent. */
type PageFor = (request: Request, reply: Reply) => Promise<{ readonly status: number; readonly page: HtmlPage } | null>;

/** Serves a page within the limit. While the database cannot answer, the page says so. */
export const registerPage = (app: App, path: string, limit: ReadLimit, pageFor: PageFor): void =>
  app.get(path, serving(limit, pageFor));

/** Serves the form of a page in the same way. */
export const registerForm = (app: App, path: string, limit: ReadLimit, pageFor: PageFor): void =>
  app.on("POST", path, serving(limit, pageFor));

const serving =
  (limit: ReadLimit, pageFor: PageFor): Handler =>
  async (request, reply) => {
    const waitSeconds = limit.count(request);
    if (waitSeconds !== null) {
      reply.header("Retry-After", String(waitSeconds));
      return sendPage(reply, 429, noticePage(ENGLISH.unavailableTitle, ENGLISH.tooManyText, RELOAD_BUTTON));
    }
    try {
      const answer = await pageFor(request, reply);
      return answer === null ? reply : sendPage(reply, answer.status, answer.page);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      reply.header("Retry-After", "2");
      return sendPage(reply, 503, noticePage(ENGLISH.unavailableTitle, ENGLISH.unavailableText, RELOAD_BUTTON));
    }
  };

/** The objects whose states are served: by the parameter `key` of a path, if it could be one. */
interface StateRoutes {
  readonly live: Pick<LiveStates<never>, "read" | "follow">;
  readonly isKey: (text: string) => boolean;
  readonly notFound: string;
  /** Returns false for a request that may not read the object; default: whoever has the link may. */
  readonly admits?: (key: string, cookie: string | undefined) => Promise<boolean>;
  /** Further headers of every answer; default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves the states of objects below their pages: `path/state` as JSON, and `path/events` as a stream. */
export function registerStates(app: App, path: string, limit: ReadLimit, routes: StateRoutes): void {
  const { live, isKey, notFound, headers = {}, admits = async () => true } = routes;
  const sendJson = (reply: Reply, status: number, text: string): Reply =>
    reply
      .code(status)
      .type("application/json; charset=utf-8")
      .headers({ ...DATA_HEADERS, ...headers, "cache-control": "no-store" })
      .send(text);
  const refuse = (reply: Reply, code: RefusalCode, waitSeconds = 2): Reply => {
    if (code !== "not_found") reply.header("Retry-After", String(waitSeconds));
    const error = new ApiError(code, code === "not_found" ? notFound : REFUSALS[code]);
    return sendJson(reply, error.status, showError(error));
  };
  const serve = (name: string, answer: (key: string, request: Request, reply: Reply) => Promise<Reply>) =>
    app.get(`${path}/${name}`, async (request, reply) => {
      const waitSeconds = limit.count(request);
      if (waitSeconds !== null) return refuse(reply, "rate_limited", waitSeconds);
      const key = request.params.key!;
      try {
        const isAdmitted = isKey(key) && (await admits(key, request.headers.cookie));
        return isAdmitted ? await answer(key, request, reply) : refuse(reply, "not_found");
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        return refuse(reply, "unavailable");
      }
    });
  serve("state", async (key, _request, reply) => {
    const text = await live.read(key);
    return text === null ? refuse(reply, "not_found") : sendJson(reply, 200, text);
  });
  serve("events", async (key, request, reply) => {
    const open = () => {
      const stream = reply.hijack();
      stream.writeHead(200, { ...EVENT_STREAM, ...headers });
      return stream;
    };
    const mayRead = routes.admits === undefined ? null : () => admits(key, request.headers.cookie);
    const outcome = await live.follow(key, limit.networkFrom(request), open, mayRead);
    return outcome === "open" ? reply : refuse(reply, outcome === "busy" ? "unavailable" : outcome);
  });
}

type RefusalCode = "not_found" | keyof typeof REFUSALS;
const REFUSALS = {
  unavailable: ENGLISH.unavailableText,
  rate_limited: ENGLISH.tooManyText,
} as const;

const EVENT_STREAM = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Accel-Buffering": "no",
} as const;
