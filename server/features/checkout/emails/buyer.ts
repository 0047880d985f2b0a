import { isIntentId } from "../../../domain/ids.ts";
import { isFromPage } from "../../../edge/buyer/door.ts";
import { html } from "../../../edge/html/page.ts";
import type { App, Reply, Request } from "../../../edge/http/app.ts";
import { readForm } from "../../../edge/http/body.ts";
import type { Mailboxes } from "../../buyerEmails/buyerEmail.ts";
import { parseEmail } from "../../staff/user.ts";
import type { BuyerContext } from "../context.ts";
import { noticePage } from "../page/document.ts";
import { queryOf, registerForm, registerPage, type SpeakFor, type Spoken } from "../page/readRoutes.ts";
import { countUse } from "../rates.ts";
import { consentPage, enterPage } from "./document.ts";

/** Addresses that one network enters in a day, and those for one payment. */
const ENTERED_MAX = 20;
const ENTERED_OF_ONE_MAX = 5;
/** Counted as one network: a stranger who paid has many, and each address is asked for a confirmation. */
const ALL_NETWORKS = "all";

/** The pages about emails to a buyer (§4.22): one takes the address after paying, one confirms a mailbox or ends its emails. */
export function registerEmailPages(app: App, ctx: BuyerContext, mailboxes: Mailboxes): void {
  const { database, limit } = ctx;
  /** The order's language; null: there is no such intent. */
  const speakOf = async (id: string, speakFor: SpeakFor): Promise<Spoken | null> => {
    const order = isIntentId(id) ? await mailboxes.languagesOf(id) : null;
    return order && speakFor(order);
  };
  const unknown = (speakFor: SpeakFor) => {
    const { page } = speakFor().language;
    return { status: 404, page: noticePage(page, page.notFoundTitle, page.notFoundText) };
  };
  registerPage(app, "/pay/i/:key/email", ctx, async ({ params }, _reply, speakFor) => {
    const spoken = await speakOf(params.key!, speakFor);
    return spoken === null ? unknown(speakFor) : { status: 200, page: enterPage(spoken, params.key!, null) };
  });
  registerForm(app, "/pay/i/:key/email", ctx, async (request, reply, speakFor) => {
    const id = request.params.key!;
    const form = await readOwn(ctx, request, reply);
    const spoken = await speakOf(id, speakFor);
    if (spoken === null) return unknown(speakFor);
    if (form === null) return { status: 403, page: enterPage(spoken, id, null) };
    const typed = form.get("email") ?? "";
    const email = parseEmail(typed);
    if (email === null) return { status: 422, page: enterPage(spoken, id, typed.slice(0, 254)) };
    const { page, emailPages: texts } = spoken.language;
    const network = [{ name: "email", max: ENTERED_MAX }];
    const payment = [{ name: "email of one", subject: id, max: ENTERED_OF_ONE_MAX }];
    const waitSeconds =
      (await countUse(database, limit.networkFrom(request), network, "day")) ??
      (await countUse(database, ALL_NETWORKS, payment, "day"));
    if (waitSeconds !== null) {
      reply.header("Retry-After", String(waitSeconds));
      return { status: 429, page: noticePage(page, page.unavailableTitle, texts.tooMany) };
    }
    const back = html`<a class="button" href="/pay/i/${id}">${texts.back}</a>`;
    return (await mailboxes.enter(id, email.shown))
      ? { status: 200, page: noticePage(page, texts.enteredTitle, texts.enteredText, back) }
      : { status: 409, page: noticePage(page, texts.enterTitle, texts.notPaidText, back) };
  });

  const show = async (key: string, speakFor: SpeakFor) => {
    const consent = await mailboxes.find(key);
    const spoken = speakFor();
    const { page, emailPages: texts } = spoken.language;
    return consent === undefined
      ? { status: 404, page: noticePage(page, texts.badKeyTitle, texts.badKeyText) }
      : { status: 200, page: consentPage(spoken, key, consent) };
  };
  const keyOf = (request: Request) => queryOf(request).get("key") ?? "";
  registerPage(app, "/pay/emails", ctx, (request, _reply, speakFor) => show(keyOf(request), speakFor));
  registerForm(app, "/pay/emails", ctx, async (request, reply, speakFor) => {
    const form = await readOwn(ctx, request, reply);
    const key = keyOf(request);
    const set = form?.get("set");
    if (set !== "confirmed" && set !== "stopped") return { ...(await show(key, speakFor)), status: 400 };
    await mailboxes.set(key, set);
    return show(key, speakFor);
  });
}

/** The form of a page of ours; null from anywhere else. */
async function readOwn({ checkoutUrl, bodyWaitMs }: BuyerContext, { raw }: Request, reply: Reply) {
  const form = await readForm(raw, bodyWaitMs);
  // An unread body would be parsed as the next request.
  if (!raw.complete) reply.header("connection", "close");
  return isFromPage(raw, new URL(checkoutUrl).origin) ? form : null;
}
