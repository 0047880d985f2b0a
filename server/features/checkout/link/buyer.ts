import { isLinkId } from "../../../domain/ids.ts";
import { isAmount, parseTokenAmount, unitsOf } from "../../../domain/money.ts";
import { isFromPage } from "../../../edge/buyer/door.ts";
import type { HtmlPage } from "../../../edge/html/page.ts";
import type { App, Reply, Request } from "../../../edge/http/app.ts";
import { readForm } from "../../../edge/http/body.ts";
import type { Database } from "../../../store/database.ts";
import { linkStateAt } from "../../links/link.ts";
import { ENGLISH } from "../page/catalogue.ts";
import { noticePage, RELOAD_BUTTON } from "../page/document.ts";
import type { PanelSettings } from "../page/panel.ts";
import { type ReadLimit, registerForm, registerPage } from "../page/readRoutes.ts";
import { countUse } from "../rates.ts";
import { LINK_ENGLISH } from "./catalogue.ts";
import { type LinkProblem, linkPage } from "./document.ts";
import type { LinkStarts, SeenLink } from "./start.ts";

export interface LinkPageDeps {
  readonly database: Database;
  readonly checkoutUrl: string;
  readonly siteOperator: PanelSettings["siteOperator"];
  readonly limit: ReadLimit;
  readonly links: LinkStarts;
  readonly bodyWaitMs: number;
}

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
export function registerLinkPage(app: App, deps: LinkPageDeps): void {
  const { database, checkoutUrl, limit, links, bodyWaitMs } = deps;
  const find = async (request: Request): Promise<SeenLink | null> => {
    const id = request.params.key!;
    return isLinkId(id) ? links.find(id) : null;
  };
  const show = (link: SeenLink | null, status = 200, problem: LinkProblem | null = null): Answer =>
    link === null
      ? { status: 404, page: noticePage(ENGLISH.notFoundTitle, LINK_ENGLISH.notFoundText) }
      : { status, page: linkPage(link, problem, deps.siteOperator) };
  registerPage(app, "/pay/l/:key", limit, async (request) => show(await find(request)));
  registerForm(app, "/pay/l/:key", limit, async (request, reply) => {
    const form = await readForm(request.raw, bodyWaitMs);
    // An unread body would be parsed as the next request.
    if (!request.raw.complete) reply.header("connection", "close");
    const link = await find(request);
    if (link === null || form === null) return show(link, 400);
    if (!isFromPage(request.raw, new URL(checkoutUrl).origin)) return show(link, 403);
    if (linkStateAt(link, link.paidSeats, link.now) !== "open") return show(link, 409);
    const typed = (form.get("amount") ?? "").trim();
    const amount = link.amount ?? amountOf(typed, link.decimals);
    if (amount === null && link.price === null) return show(link, 422, { kind: "amount", typed });
    const waitSeconds = await countStart(database, limit.networkFrom(request), link.id);
    if (waitSeconds !== null) return tooMany(reply, waitSeconds);
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

function tooMany(reply: Reply, waitSeconds: number): Answer {
  reply.header("Retry-After", String(waitSeconds));
  const text = waitSeconds > 60 ? LINK_ENGLISH.tooManyToday : ENGLISH.tooManyText;
  return { status: 429, page: noticePage(ENGLISH.unavailableTitle, text, RELOAD_BUTTON) };
}

/** A buyer's amount in smallest units; null if it is none. */
function amountOf(typed: string, decimals: number | null): string | null {
  const parsed = parseTokenAmount(typed);
  const units = parsed === null || decimals === null ? null : unitsOf(parsed, decimals);
  return units !== null && isAmount(units) ? units : null;
}
