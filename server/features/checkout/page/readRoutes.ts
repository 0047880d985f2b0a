import { ApiError, showError } from "../../../domain/errors.ts";
import type { WantedLanguage } from "../../../edge/buyer/languages.ts";
import { type HtmlPage, sendPage } from "../../../edge/html/page.ts";
import type { App, Handler, Reply, Request } from "../../../edge/http/app.ts";
import { DATA_HEADERS } from "../../../edge/http/headers.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import type { PageContext } from "../context.ts";
import type { Catalogue, Language, LanguageChoice } from "../languages/language.ts";
import { noticePage, reloadButton } from "./document.ts";
import type { LiveStates } from "./liveStates.ts";

/** The query of a request, which the router left in its path. */
export const queryOf = ({ raw }: Request): URLSearchParams =>
  new URLSearchParams(raw.url?.split("?").slice(1).join("?"));

/** The language of a page, and the others that its reader may choose. */
export interface Spoken {
  readonly language: Language;
  readonly choices: readonly LanguageChoice[];
}

/** The languages that an order asks for. */
type OrderLanguage = Pick<WantedLanguage, "locale" | "business">;

/** The cookies with the language that a reader chose, for good and for this visit: a tag alone, the same for all who choose it. */
const [CHOSEN, OF_VISIT] = ["holdfast_language", "holdfast_language_of_visit"];
const CHOSEN_SECONDS = 31_536_000;
const readCookie = (header: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9-]+)`).exec(header ?? "")?.[1];
/** The parameter of an address that chooses. */
const PARAMETER = "language";

function speak({ languages }: PageContext, request: Request, order: OrderLanguage): Spoken {
  const { cookie, "accept-language": accepted } = request.headers;
  const chosen = readCookie(cookie, CHOSEN);
  // Whoever asks to be paid knows the language of the order, unless its reader has just said another.
  const language = languages.find(readCookie(cookie, OF_VISIT)) ?? languages.choose({ ...order, chosen, accepted });
  const others = languages.all.filter(({ tag }) => tag !== language.tag);
  const choices = others.map(({ tag, name }) => {
    const query = queryOf(request);
    query.set(PARAMETER, tag);
    return { tag, name, href: `?${query}` };
  });
  return { language, choices };
}

/** Keeps the language that the address chooses, and leads to the address without it; false: it chooses none. */
function keepChoice({ languages }: PageContext, request: Request, reply: Reply): boolean {
  const query = queryOf(request);
  const chosen = languages.find(query.get(PARAMETER));
  if (chosen === null) return false;
  query.delete(PARAMETER);
  const path = request.raw.url!.split("?", 1)[0]!;
  reply.header("set-cookie", [
    `${CHOSEN}=${chosen.tag}; Path=/pay; Max-Age=${CHOSEN_SECONDS}; SameSite=Lax; HttpOnly`,
    `${OF_VISIT}=${chosen.tag}; Path=/pay; SameSite=Lax; HttpOnly`,
  ]);
  reply.redirect(query.size === 0 ? path : `${path}?${query}`, 303);
  return true;
}

/** Chooses the language for an order, or without one. */
export type SpeakFor = (order?: OrderLanguage) => Spoken;

/** Answers with a page; null: the reply was sent. */
type PageFor = (
  request: Request,
  reply: Reply,
  speakFor: SpeakFor,
) => Promise<{ readonly status: number; readonly page: HtmlPage } | null>;

/** Serves a page within the limit. While the database cannot answer, the page says so. */
export const registerPage = (app: App, path: string, ctx: PageContext, pageFor: PageFor): void =>
  app.get(path, serving(ctx, pageFor));

/** Serves the form of a page in the same way. */
export const registerForm = (app: App, path: string, ctx: PageContext, pageFor: PageFor): void =>
  app.on("POST", path, serving(ctx, pageFor));

const serving =
  (ctx: PageContext, pageFor: PageFor): Handler =>
  async (request, reply) => {
    const waitSeconds = ctx.limit.count(request);
    const speakFor: SpeakFor = (order = {}) => speak(ctx, request, order);
    const { page: texts } = speakFor().language;
    reply.header("Vary", "Accept-Language, Cookie");
    if (waitSeconds !== null) {
      reply.header("Retry-After", String(waitSeconds));
      return sendPage(reply, 429, noticePage(texts, texts.unavailableTitle, texts.tooManyText, reloadButton(texts)));
    }
    if (keepChoice(ctx, request, reply)) return reply;
    try {
      const answer = await pageFor(request, reply, speakFor);
      return answer === null ? reply : sendPage(reply, answer.status, answer.page);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      reply.header("Retry-After", "2");
      const page = noticePage(texts, texts.unavailableTitle, texts.unavailableText, reloadButton(texts));
      return sendPage(reply, 503, page);
    }
  };

/** The objects whose states are served: by the parameter `key` of a path, if it could be one. */
interface StateRoutes {
  readonly live: Pick<LiveStates<never>, "read" | "follow">;
  readonly isKey: (text: string) => boolean;
  readonly notFound: (texts: Language) => string;
  /** Returns false for a request that may not read the object; default: whoever has the link may. */
  readonly admits?: (key: string, cookie: string | undefined) => Promise<boolean>;
  /** Further headers of every answer; default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves the states of objects below their pages: `path/state` as JSON, and `path/events` as a stream. */
export function registerStates(app: App, path: string, ctx: PageContext, routes: StateRoutes): void {
  const { live, isKey, notFound, headers = {}, admits = async () => true } = routes;
  const sendJson = (reply: Reply, status: number, text: string): Reply =>
    reply
      .code(status)
      .type("application/json; charset=utf-8")
      .headers({ ...DATA_HEADERS, ...headers, "cache-control": "no-store" })
      .send(text);
  const refuse = (request: Request, reply: Reply, code: RefusalCode, waitSeconds = 2): Reply => {
    if (code !== "not_found") reply.header("Retry-After", String(waitSeconds));
    const { language } = speak(ctx, request, {});
    const error = new ApiError(code, code === "not_found" ? notFound(language) : language.page[REFUSALS[code]]);
    return sendJson(reply, error.status, showError(error));
  };
  const serve = (name: string, answer: (key: string, request: Request, reply: Reply) => Promise<Reply>) =>
    app.get(`${path}/${name}`, async (request, reply) => {
      const waitSeconds = ctx.limit.count(request);
      if (waitSeconds !== null) return refuse(request, reply, "rate_limited", waitSeconds);
      const key = request.params.key!;
      try {
        const isAdmitted = isKey(key) && (await admits(key, request.headers.cookie));
        return isAdmitted ? await answer(key, request, reply) : refuse(request, reply, "not_found");
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        return refuse(request, reply, "unavailable");
      }
    });
  serve("state", async (key, request, reply) => {
    const text = await live.read(key);
    return text === null ? refuse(request, reply, "not_found") : sendJson(reply, 200, text);
  });
  serve("events", async (key, request, reply) => {
    const open = () => {
      const stream = reply.hijack();
      stream.writeHead(200, { ...EVENT_STREAM, ...headers });
      return stream;
    };
    const mayRead = routes.admits === undefined ? null : () => admits(key, request.headers.cookie);
    const outcome = await live.follow(key, ctx.limit.networkFrom(request), open, mayRead);
    return outcome === "open" ? reply : refuse(request, reply, outcome === "busy" ? "unavailable" : outcome);
  });
}

type RefusalCode = "not_found" | keyof typeof REFUSALS;
const REFUSALS = {
  unavailable: "unavailableText",
  rate_limited: "tooManyText",
} as const satisfies Record<string, keyof Catalogue>;

const EVENT_STREAM = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Accel-Buffering": "no",
} as const;
