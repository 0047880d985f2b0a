import { ChainUnavailableError } from "../../../chain/port.ts";
import type { JsonText } from "../../../domain/show.ts";
import { type BuyerRoute, buyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { App } from "../../../edge/http/app.ts";
import { ok } from "../../../edge/http/route.ts";
import { ENGLISH } from "../page/catalogue.ts";
import { noticePage, RELOAD_BUTTON } from "../page/document.ts";
import { queryOf, type ReadLimit, registerPage } from "../page/readRoutes.ts";
import { amountText, inOne } from "../page/text.ts";
import type { Finder, Finding, FoundPayment } from "./find.ts";
import { type FindScript, findPage } from "./findPage.ts";

/** `GET /pay`: the page that finds payments (§14.7). */
export function registerFindPage(app: App, limit: ReadLimit, finder: Finder, script: FindScript | null): void {
  registerPage(app, "/pay", limit, async (request, reply) => {
    const query = queryOf(request).get("query")?.trim() ?? "";
    if (query === "") return { status: 200, page: findPage("", null, script) };
    const found = await finder.find(query, limit.networkFrom(request)).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return { kind: "away" } as const;
      throw error;
    });
    if (found.kind === "page") {
      reply.redirect(found.path, 303);
      return null;
    }
    if (found.kind === "limited") {
      reply.header("Retry-After", String(found.waitSeconds));
      return { status: 429, page: noticePage(ENGLISH.unavailableTitle, ENGLISH.tooManyText, RELOAD_BUTTON) };
    }
    if (found.kind === "away") reply.header("Retry-After", "2");
    return { status: found.kind === "away" ? 503 : 200, page: findPage(query, found, script) };
  });
}

/** `POST /pay/find`: the same for a page's script, and for a connected wallet. */
export const findRoutes = (finder: Finder): BuyerRoute[] => [
  buyerRoute("POST", "/pay/find", { from: "page" }, async ({ input, network }) => {
    const [query, account] = [input.get("query")?.value, input.get("account")?.value];
    if (typeof account === "string") return ok(showFinding(await finder.findOfAccount(account, network)));
    if (typeof query === "string") return ok(showFinding(await finder.find(query, network)));
    throw new BuyerError("invalid_request", "Send a query, or the account of a wallet.");
  }),
];

function showFinding(finding: Finding): JsonText {
  switch (finding.kind) {
    case "limited":
      throw tooMany(finding.waitSeconds);
    case "invalid":
      throw new BuyerError("invalid_request", "This is neither a signature nor an address nor an order.");
    case "page":
      return showFound([], false, finding.path);
    case "nothing":
      return showFound([], false, null);
    case "list":
      return showFound(finding.payments, finding.isMore, null);
  }
}

/** `page`: the path of the one page that was meant. */
const showFound = (payments: readonly FoundPayment[], hasMore: boolean, page: string | null): JsonText =>
  JSON.stringify({
    object: "found_payments",
    page,
    payments: payments.map(({ address, environment, amount, asset, decimals, createdAt, state }) => ({
      payment: address,
      page: `/pay/p/${address}`,
      environment,
      amount,
      asset,
      amountInWords: inOne(amountText(ENGLISH, amount, asset ?? "", decimals)),
      createdAt: createdAt?.toISOString() ?? null,
      state,
    })),
    hasMore,
  }) as JsonText;
