import { closableAt } from "../../../chain/acts.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import { filled, type Html, html } from "../../../edge/html/page.ts";
import { contactPlace, supportLink } from "../../businesses/business.ts";
import { clusterOf } from "../../chains/chain.ts";
import { answerOf, type Fulfillment } from "../../fulfillments/fulfillment.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import { showCopyable, showFolded } from "../page/address.ts";
import { showTime } from "../page/protection.ts";
import { type ReceiptView, rentPayerOf, stateOf } from "./receipt.ts";

const EXPLORER = "https://explorer.solana.com";

/** The facts behind the story. */
export function showReceiptDetails(texts: ReceiptCatalogue, view: ReceiptView, url: string): Html {
  const { payment, terms, mine, arbiterLabel, programId, operator } = view;
  const row = (name: string, value: Html | string | null) =>
    value === null ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const address = (value: string | null) => (value === null ? null : showCopyable(value, texts.copyAddress));
  // Nobody knows what a payment named that was closed before it was read.
  const isUnread = view.match === "closed" || view.match === "vanished";
  const symbol = payment.asset === null ? null : symbolOf(payment.asset);
  return html`<dl class="facts">
${mine === null ? null : row(texts.reference, html`<bdi translate="no">${mine.merchantReference}</bdi>, <a href="/pay/i/${mine.intentId}">${texts.openOrder}</a>`)}
${mine === null ? null : row(texts.contact, mine.supportContact === null ? texts.noContact : html`<a href="${supportLink(mine.supportContact)}" rel="noopener noreferrer"><bdi translate="no" dir="ltr">${contactPlace(mine.supportContact)}</bdi></a>`)}
${mine === null ? null : showDeliveries(texts, mine.fulfillments)}
${row(texts.paidBy, address(payment.sender))}
${row(texts.paidTo, address(payment.recipient))}
${row(texts.payment, html`${address(payment.id)}${explorerLink(texts, view, "address", payment.id)}`)}
${payment.signature === null ? null : row(texts.transaction, html`${address(payment.signature)}${explorerLink(texts, view, "tx", payment.signature)}`)}
${row(texts.arbiter, payment.arbiter === null ? null : html`${arbiterLabel.name === null ? null : html`<bdi translate="no">${arbiterLabel.name}</bdi> `}${address(payment.arbiter)}`)}
${row(texts.token, payment.asset === null ? null : html`${symbol === null ? null : `${symbol} `}${address(payment.asset)}`)}
${isUnread ? null : row(texts.terms, showTerms(texts, payment.termsHash, terms.verdict))}
${row(texts.checked, html`${showTime(texts.page, payment.checkedAt)}${payment.observedSlot === 0 ? null : html`, <span class="num">${texts.checkedAt(new Intl.NumberFormat(texts.page.locale).format(payment.observedSlot))}</span>`}`)}
<div class="printed"><dt>${texts.printed}</dt><dd><span translate="no" dir="ltr">${url}</span></dd></div>
<div class="printed"><dt>${texts.printedAt}</dt><dd>${showTime(texts.page, view.at)}</dd></div>
${row(texts.program, address(programId))}
${row(texts.operator, address(operator))}
</dl>
${showDeposits(texts, view)}`;
}

/** What the shop says of the delivery, with the time at which it said so: rows of a list of facts. */
export const showDeliveries = (texts: ReceiptCatalogue, fulfillments: readonly Fulfillment[]): readonly Html[] =>
  fulfillments.map(({ carrier, trackingNumber, link, sentAt, deliveredAt, delivery, recordedAt }) => {
    const timed = (text: string, time: Date) => filled(text, { time: showTime(texts.page, time) });
    const number = trackingNumber === null ? null : html`<bdi translate="no" dir="ltr">${trackingNumber}</bdi>`;
    // The link names its host alone: the shop's words beside it could name another.
    const follow =
      link === null
        ? null
        : html` <a href="${link}" rel="noopener noreferrer nofollow">${filled(texts.trackAt, { host: html`<bdi translate="no" dir="ltr">${new URL(link).host}</bdi>` })}</a>`;
    return html`<div><dt>${texts.delivery}</dt><dd>${carrier === null ? null : html`<bdi translate="no">${carrier}</bdi> `}${number}${follow}${
      sentAt === null ? null : html`<br>${timed(texts.sentAt, sentAt)}`
    }${deliveredAt === null ? null : html`<br>${timed(texts.deliveredAt, deliveredAt)}`}${
      delivery === null
        ? null
        : html`<br>${filled(texts.signedAnswer, { hash: showCopyable(answerOf(delivery), texts.copyAddress) })}`
    }<br><small>${timed(texts.shopSays, recordedAt)}</small></dd></div>`;
  });

export function explorerLink(
  { explorer }: ReceiptCatalogue,
  { genesisHash }: ReceiptView,
  kind: "address" | "tx",
  id: string,
): Html | null {
  const cluster = clusterOf(genesisHash);
  if (cluster === null) return null;
  const query = cluster === "mainnet-beta" ? "" : `?cluster=${cluster}`;
  return html` <a class="explorer" href="${EXPLORER}/${kind}/${id}${query}" target="_blank" rel="noopener noreferrer">${explorer}</a>`;
}

function showTerms(
  texts: ReceiptCatalogue,
  hash: string | null,
  verdict: ReceiptView["terms"]["verdict"],
): Html | string {
  if (verdict === "none" || hash === null) return texts.termsNone;
  if (verdict === "unknown") return html`${texts.termsUnknown} ${showCopyable(hash, texts.copyAddress)}`;
  return html`<a href="/pay/terms/${hash}">${texts.termsLink}</a><br>${verdict === "matches" ? texts.termsMatch : texts.termsDiffer}`;
}

/** The network's deposits: what comes back, when, to whom, and what never does. */
function showDeposits(texts: ReceiptCatalogue, view: ReceiptView): Html | null {
  const { payment, cost, now } = view;
  if (stateOf(view) === "vanished") return null;
  const payer = rentPayerOf(payment);
  const solOf = (lamports: bigint | null | undefined) => {
    if (lamports === null || lamports === undefined) return null;
    const figure = new Intl.NumberFormat(texts.page.locale, { maximumSignificantDigits: 2 }).format(
      Number(lamports) / 1e9,
    );
    return texts.about(`${figure} SOL`);
  };
  const rest = cost && cost.lamports - cost.backLamports - cost.tombstoneLamports;
  const [vault, record, tombstone] = [solOf(cost?.backLamports), solOf(rest), solOf(cost?.tombstoneLamports)];
  const from = closableAt(payment);
  const whenRecord = payment.recordClosed
    ? texts.recordBack
    : from === null
      ? texts.recordLater(record)
      : now >= from
        ? texts.recordDue(record)
        : filled(texts.recordFrom(record), { time: showTime(texts.page, from) });
  return html`<section class="deposits"><h3>${texts.deposits}</h3>
<p>${payer === null ? texts.depositsUnknown : payer === payment.sender ? texts.depositsOfBuyer : filled(texts.depositsOfOther, { wallet: showFolded(payer) })}</p>
<ul><li>${from === null ? texts.vaultComes(vault) : texts.vaultBack(vault)}</li><li>${whenRecord}</li><li>${texts.tombstone(tombstone)}</li></ul>
${payer === payment.sender ? html`<p>${texts.shopAccount}</p>` : null}
${cost === null ? null : html`<p>${texts.byThisMoment}</p>`}${
  from !== null && !payment.recordClosed ? html`<p>${texts.saveText}</p>` : null
}</section>`;
}
