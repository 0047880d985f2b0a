import { filled, type Html, html } from "../../../edge/html/page.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import { showContact } from "../page/document.ts";
import { showTime } from "../page/protection.ts";
import { timeLeftText } from "../page/text.ts";
import { isBound, type ReceiptView, stateOf } from "./receipt.ts";
import { type Story, type Sums, sumsOf, type Way } from "./story.ts";

/** The path of a receipt; the routes of its actions lie below. */
export const pathOf = ({ payment }: Pick<ReceiptView, "payment">): string => `/pay/p/${payment.id}`;
/** The end of a link that keeps the reader's key. */
export const keyOf = ({ key }: Pick<ReceiptView, "key">): string => (key === null ? "" : `?key=${key}`);

/** The panel: the state, the time left, who has the money, and what the reader can do. */
export const showReceiptPanel = (texts: ReceiptCatalogue, view: ReceiptView, story: Story): Html =>
  html`<div class="state ${story.tone}"><span class="mark" aria-hidden="true"></span><h2>${story.title}</h2><p>${story.text}</p></div>
${story.note === null ? null : html`<p class="note ${story.tone === "wait" ? "wait" : "info"}">${story.note}${showReach(texts, view)}</p>`}
${showUnsent(texts, view, story)}
${showClock(texts, view, story)}
${showMoney(texts, sumsOf(texts, view))}
${[story.clock === null ? story.silence : null, story.stillPossible].map((text) => (text === null ? html`` : html`<p class="after">${text}</p>`))}
${showWays(texts, view, story)}`;

/** How to reach the shop, for a reader who may know: also that it has named no way. */
export const showReach = ({ noContact, page }: ReceiptCatalogue, { mine }: Pick<ReceiptView, "mine">): Html | null =>
  mine === null ? null : html` ${mine.supportContact === null ? noContact : showContact(page, mine.supportContact)}`;

/** The way to the order and the shop's contact without the receipt's key: a proof by the wallet that paid. */
export const showUnlock = (texts: ReceiptCatalogue, view: ReceiptView): Html | null =>
  isBound(view) && view.mine === null ? html`<a href="${pathOf(view)}/case?then=receipt">${texts.unlock}</a>` : null;

/** The script shows it where this device keeps words that were not sent. */
const showUnsent = (texts: ReceiptCatalogue, view: ReceiptView, { ways }: Story): Html | null =>
  ways.some(({ action }) => action === "case")
    ? html`<p class="note wait" id="unsent" hidden>${texts.unsent}${showSendBy(texts, view)} <a href="${pathOf(view)}/case${keyOf(view)}">${texts.sendIt}</a></p>`
    : null;

/** Until when a buyer who has opened a dispute can say what is wrong, as far as the opening tells: an agreement ends that time. */
export const showSendBy = (texts: ReceiptCatalogue, view: ReceiptView): Html | null => {
  const { agreement, talkUntil, now } = view;
  return stateOf(view) !== "disputed" || agreement !== null || talkUntil === null || now >= talkUntil
    ? null
    : html` ${filled(texts.sendBy, { time: showTime(texts.page, talkUntil) })}`;
};

function showClock(texts: ReceiptCatalogue, view: ReceiptView, { clock, silence, state }: Story): Html | null {
  if (clock === null) return null;
  const { now } = view;
  const left = clock.until.getTime() - now.getTime();
  const share = 1 - left / (clock.until.getTime() - clock.from.getTime());
  return html`<div class="clock"><span class="label">${clock.label}</span>
<b class="num"><time id="left" datetime="${clock.until.toISOString()}" data-left="${String(left)}">${timeLeftText(texts.page, left)}</time></b>
<svg class="meter" aria-hidden="true"><rect width="${percent(share)}" height="100%"/></svg>
<div class="ends num"><span>${filled(clock.began, { time: showTime(texts.page, clock.from) })}</span><span>${filled(texts.ends, { time: showTime(texts.page, clock.until) })}</span></div>
${silence === null ? null : html`<p>${silence}</p>`}
<p class="look">${state === "protected" && isUnwritten(view) ? `${texts.nobodyWrites} ` : null}<a href="${pathOf(view)}/calendar${keyOf(view)}">${texts.calendar}</a></p></div>`;
}

/** True if no email tells of the end of the time. None tells of a duplicate's. */
const isUnwritten = ({ emailsGo, match }: ReceiptView): boolean => emailsGo === false || match === "duplicate";

/** Two places are more than a screen shows. */
const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

/** One bar says who has the money; the text beside it says the same, so that colour alone says nothing. */
function showMoney(
  texts: ReceiptCatalogue,
  { show, amount, back, paid, backDue, paidDue, inEscrow }: Sums,
): Html | null {
  const free = inEscrow - backDue - paidDue;
  const all = [
    ["buyer", back, texts.toYou],
    ["escrow", backDue, texts.onTheWayToYou],
    ["escrow", free, texts.inEscrow],
    ["escrow", paidDue, texts.onTheWayToShop],
    ["shop", paid, texts.toShop],
  ] as const;
  const parts = all.filter(([, part]) => part > 0n);
  if (parts.length === 0) return null;
  let from = 0n;
  const bars = parts.map(([kind, part]) => {
    const place = html`<rect class="${kind}" x="${shareOf(from, amount)}" width="${shareOf(part, amount)}" height="100%"/>`;
    from += part;
    return place;
  });
  return html`<section class="share" aria-label="${texts.money}"><svg aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="wash" width="6" height="6"/><rect class="stripe" width="3" height="6"/></pattern></defs>${bars}</svg>
<ul>${parts.map(([kind, part, label]) => html`<li class="${kind}"><b class="num" translate="no" dir="ltr">${show(part)}</b> ${label}</li>`)}</ul></section>`;
}

const shareOf = (part: bigint, amount: bigint): string => percent(Number((part * 10_000n) / amount) / 10_000);

const ARROW = html`<svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.6"><path d="m6 3 5 5-5 5"/></svg>`;

/** The script opens a box below the button that was pressed. */
function showWays(texts: ReceiptCatalogue, view: ReceiptView, { ways, hint }: Story): Html | null {
  if (ways.length === 0) return null;
  return html`<div class="acts needs-script">${ways.map((way) => showWay(view, way))}</div>
${hint === null ? null : html`<p class="hint act needs-script">${hint}</p>`}
<p class="without-script note info">${texts.needsScript}</p>`;
}

function showWay(view: ReceiptView, { action, title, text, isFirst }: Way): Html {
  const label = html`<b>${title}</b><span>${text}</span>${ARROW}`;
  return action === "dispute" || action === "case"
    ? html`<a class="act${isFirst ? " first" : ""}" href="${pathOf(view)}/${action}${keyOf(view)}">${label}</a>`
    : html`<button class="act${isFirst ? " first" : ""}" type="button" data-action="${action}">${label}</button>`;
}
