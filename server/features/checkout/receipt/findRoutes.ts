import { ChainUnavailableError } from "../../../chain/port.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { type BuyerRoute, buyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { App } from "../../../edge/http/app.ts";
import { ok } from "../../../edge/http/route.ts";
import type { PageContext } from "../context.ts";
import { ENGLISH } from "../languages/english.ts";
import { noticePage, reloadButton } from "../page/document.ts";
import { queryOf, registerPage } from "../page/readRoutes.ts";
import { amountText, inOne } from "../page/text.ts";
import type { Finder, Finding, FoundPayment } from "./find.ts";
import { type FindScript, findPage } from "./findPage.ts";
import { FIND_PAYMENTS, FOUND_PAYMENTS } from "./schema.ts";

/** `GET /pay`: the page that finds payments (§14.7). */
export function registerFindPage(app: App, ctx: PageContext, finder: Finder, script: FindScript | null): void {
  registerPage(app, "/pay", ctx, async (request, reply, speakFor) => {
    const { language, choices } = speakFor();
    const { receipt: texts, page } = language;
    const settings = { script, choices };
    const query = queryOf(request).get("query")?.trim() ?? "";
    if (query === "") return { status: 200, page: findPage(texts, "", null, settings) };
    const found = await finder.find(query, ctx.limit.networkFrom(request)).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return { kind: "away" } as const;
      throw error;
    });
    if (found.kind === "page") {
      reply.redirect(found.path, 303);
      return null;
    }
    if (found.kind === "limited") {
      reply.header("Retry-After", String(found.waitSeconds));
      return { status: 429, page: noticePage(page, page.unavailableTitle, page.tooManyText, reloadButton(page)) };
    }
    if (found.kind === "away") reply.header("Retry-After", "2");
    return { status: found.kind === "away" ? 503 : 200, page: findPage(texts, query, found, settings) };
  });
}

/** `POST /pay/find`: the same for a page's script, and for a connected wallet. */
export const findRoutes = (finder: Finder): BuyerRoute[] => [
  buyerRoute("POST", "/pay/find", FIND_PAYMENTS, async ({ read, network }) => {
    const { query, account } = read();
    if (account !== null) return ok(showFinding(await finder.findOfAccount(account, network)));
    if (query !== null) return ok(showFinding(await finder.find(query, network)));
    throw new BuyerError("invalid_request", (texts) => texts.noQuery);
  }),
];

function showFinding(finding: Finding): JsonText {
  switch (finding.kind) {
    case "limited":
      throw tooMany(finding.waitSeconds);
    case "invalid":
      throw new BuyerError("invalid_request", (texts) => texts.notFindable);
    case "page":
      return showFound([], false, finding.path);
    case "nothing":
      return showFound([], false, null);
    case "list":
      return showFound(finding.payments, finding.isMore, null);
  }
}

const showFound = (payments: readonly FoundPayment[], hasMore: boolean, page: string | null): JsonText =>
  showObject(
    FOUND_PAYMENTS.show({
      page,
      payments: payments.map(({ address, decimals, ...found }) => ({
        ...found,
        payment: address,
        page: `/pay/p/${address}`,
        amountInWords: inOne(amountText(ENGLISH.page, found.amount, found.asset ?? "", decimals)),
      })),
      hasMore,
    }),
  );
