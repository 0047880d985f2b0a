import { readFigure } from "@holdfast/ui/amount.ts";
import { isLinkId } from "../../../domain/ids.ts";
import { isAmount, parseTokenAmount, unitsOf } from "../../../domain/money.ts";
import { isFromPage } from "../../../edge/buyer/door.ts";
import type { HtmlPage } from "../../../edge/html/page.ts";
import type { App, Reply, Request } from "../../../edge/http/app.ts";
import { readForm } from "../../../edge/http/body.ts";
import type { Database } from "../../../store/database.ts";
import { linkStateAt } from "../../links/link.ts";
import type { BuyerContext } from "../context.ts";
import type { Language } from "../languages/language.ts";
import { noticePage, reloadButton } from "../page/document.ts";
import { registerForm, registerPage, type SpeakFor } from "../page/readRoutes.ts";
import { countUse } from "../rates.ts";
import { type LinkProblem, linkPage } from "./document.ts";
import type { LinkStarts, SeenLink } from "./start.ts";

/**
 * The intents that one network may make per minute and per day. Each is an event for the shop, so there are fewer than builds;
 * no limit is shared by all networks, since strangers would use it up for its buyers.
 */
async function countStart(database: Database, network: string, linkId: string): Promise<number | null> {
  const waitSeconds = await countUse(database, network, [
    { name: "link", max: 30 },
    { name: "link of one", subject: linkId, max: 10 },
  ]);
  // A press that the minute refuses does not count in the day.
  return waitSeconds ?? countUse(database, network, [{ name: "link of one, a day", subject: linkId, max: 200 }], "day");
}

/** `GET /pay/l/{id}` shows a payment link; `POST` makes an intent for one payer, and leads to its page (§13.21). */
export function registerLinkPage(app: App, ctx: BuyerContext, links: LinkStarts): void {
  const { database, checkoutUrl, limit, bodyWaitMs } = ctx;
  const find = async (request: Request): Promise<SeenLink | null> => {
    const id = request.params.key!;
    return isLinkId(id) ? links.find(id) : null;
  };
  const shower =
    (speakFor: SpeakFor) =>
    (link: SeenLink | null, status = 200, problem: LinkProblem | null = null): Answer => {
      const { language, choices } = speakFor({ locale: link?.locale, business: link?.business.locale });
      const { link: texts } = language;
      return link === null
        ? { status: 404, page: noticePage(texts.page, texts.page.notFoundTitle, texts.notFoundText) }
        : { status, page: linkPage(texts, link, problem, { siteOperator: ctx.siteOperator, choices }) };
    };
  registerPage(app, "/pay/l/:key", ctx, async (request, _reply, speakFor) => shower(speakFor)(await find(request)));
  registerForm(app, "/pay/l/:key", ctx, async (request, reply, speakFor) => {
    const show = shower(speakFor);
    const form = await readForm(request.raw, bodyWaitMs);
    // An unread body would be parsed as the next request.
    if (!request.raw.complete) reply.header("connection", "close");
    const link = await find(request);
    if (link === null || form === null) return show(link, 400);
    if (!isFromPage(request.raw, new URL(checkoutUrl).origin)) return show(link, 403);
    if (linkStateAt(link, link.paidSeats, link.now) !== "open") return show(link, 409);
    const typed = (form.get("amount") ?? "").trim();
    const { language } = speakFor({ locale: link.locale, business: link.business.locale });
    const amount = link.amount ?? amountOf(language, typed, link.decimals);
    if (amount === null && link.price === null) return show(link, 422, { kind: "amount", typed });
    const waitSeconds = await countStart(database, limit.networkFrom(request), link.id);
    if (waitSeconds !== null) return tooMany(language, reply, waitSeconds);
    const started = await links.start(link, amount);
    if (started.kind === "made") {
      reply.redirect(`/pay/i/${started.intentId}`, 303);
      return null;
    }
    if (started.kind === "unpriced") return show(link, 503, { kind: "unpriced" });
    return started.kind === "closed" ? show(await find(request), 409) : show(link, 409, { kind: "refused" });
  });
}

interface Answer {
  readonly status: number;
  readonly page: HtmlPage;
}

function tooMany({ link, page }: Language, reply: Reply, waitSeconds: number): Answer {
  reply.header("Retry-After", String(waitSeconds));
  const text = waitSeconds > 60 ? link.tooManyToday : page.tooManyText;
  return { status: 429, page: noticePage(page, page.unavailableTitle, text, reloadButton(page)) };
}

/** A buyer's amount in smallest units; null if it is none. */
function amountOf({ page: { locale } }: Language, typed: string, decimals: number | null): string | null {
  const figure = readFigure(locale, typed);
  const parsed = figure === null ? null : parseTokenAmount(figure);
  const units = parsed === null || decimals === null ? null : unitsOf(parsed, decimals);
  return units !== null && isAmount(units) ? units : null;
}
