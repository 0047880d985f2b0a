import { isIntentId } from "../../../domain/ids.ts";
import { isFromPage } from "../../../edge/buyer/door.ts";
import { html } from "../../../edge/html/page.ts";
import type { App, Reply, Request } from "../../../edge/http/app.ts";
import { readForm } from "../../../edge/http/body.ts";
import type { Database } from "../../../store/database.ts";
import type { Mailboxes } from "../../buyerEmails/buyerEmail.ts";
import { parseEmail } from "../../staff/user.ts";
import { ENGLISH } from "../languages/english.ts";
import { noticePage } from "../page/document.ts";
import { type PageDeps, queryOf, registerForm, registerPage } from "../page/readRoutes.ts";
import { countUse } from "../rates.ts";
import { EMAIL_ENGLISH as texts } from "./catalogue.ts";
import { consentPage, enterPage } from "./document.ts";

export interface EmailPageDeps extends PageDeps {
  readonly database: Database;
  readonly checkoutUrl: string;
  readonly mailboxes: Mailboxes;
  readonly bodyWaitMs: number;
}

/** Addresses that one network enters in a day, and those for one payment. */
const ENTERED_MAX = 20;
const ENTERED_OF_ONE_MAX = 5;

/** The pages about emails to a buyer (§4.22): one takes the address after paying, one confirms a mailbox or ends its emails. */
export function registerEmailPages(app: App, deps: EmailPageDeps): void {
  const { database, limit, mailboxes } = deps;
  const unknown = {
    status: 404,
    page: noticePage(ENGLISH.page, ENGLISH.page.notFoundTitle, ENGLISH.page.notFoundText),
  };
  registerPage(app, "/pay/i/:key/email", deps, async ({ params }) =>
    isIntentId(params.key!) ? { status: 200, page: enterPage(params.key!, null) } : unknown,
  );
  registerForm(app, "/pay/i/:key/email", deps, async (request, reply) => {
    const id = request.params.key!;
    const form = await readOwn(deps, request, reply);
    if (!isIntentId(id)) return unknown;
    if (form === null) return { status: 403, page: enterPage(id, null) };
    const typed = form.get("email") ?? "";
    const email = parseEmail(typed);
    if (email === null) return { status: 422, page: enterPage(id, typed.slice(0, 254)) };
    const rates = [
      { name: "email", max: ENTERED_MAX },
      { name: "email of one", subject: id, max: ENTERED_OF_ONE_MAX },
    ];
    const waitSeconds = await countUse(database, limit.networkFrom(request), rates, "day");
    if (waitSeconds !== null) {
      reply.header("Retry-After", String(waitSeconds));
      return { status: 429, page: noticePage(ENGLISH.page, ENGLISH.page.unavailableTitle, texts.tooMany) };
    }
    const back = html`<a class="button" href="/pay/i/${id}">${texts.back}</a>`;
    return (await mailboxes.enter(id, email.shown))
      ? { status: 200, page: noticePage(ENGLISH.page, texts.enteredTitle, texts.enteredText, back) }
      : { status: 409, page: noticePage(ENGLISH.page, texts.enterTitle, texts.notPaidText, back) };
  });

  const badKey = { status: 404, page: noticePage(ENGLISH.page, texts.badKeyTitle, texts.badKeyText) };
  const show = async (key: string) => {
    const consent = await mailboxes.find(key);
    return consent === undefined ? badKey : { status: 200, page: consentPage(key, consent) };
  };
  const keyOf = (request: Request) => queryOf(request).get("key") ?? "";
  registerPage(app, "/pay/emails", deps, (request) => show(keyOf(request)));
  registerForm(app, "/pay/emails", deps, async (request, reply) => {
    const form = await readOwn(deps, request, reply);
    const key = keyOf(request);
    const set = form?.get("set");
    if (set !== "confirmed" && set !== "stopped") return { ...(await show(key)), status: 400 };
    await mailboxes.set(key, set);
    return show(key);
  });
}

/** The form of a page of ours; null from anywhere else. */
async function readOwn({ checkoutUrl, bodyWaitMs }: EmailPageDeps, { raw }: Request, reply: Reply) {
  const form = await readForm(raw, bodyWaitMs);
  // An unread body would be parsed as the next request.
  if (!raw.complete) reply.header("connection", "close");
  return isFromPage(raw, new URL(checkoutUrl).origin) ? form : null;
}
