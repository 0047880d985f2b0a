import { fileSize } from "@holdfast/ui/fileSize.ts";
import { filled, type Html, html } from "../../../edge/html/page.ts";
import { lastAnswerUntil, maySendFile } from "../../disputes/advance.ts";
import { type Dispute, FILES_MAX } from "../../disputes/dispute.ts";
import { FILE_TYPES, type ShownFile } from "../../disputes/files/file.ts";
import { isAsked } from "../../disputes/question.ts";
import type { CaseCatalogue } from "../languages/language.ts";
import { showTime } from "../page/protection.ts";
import { pathOf } from "../receipt/panel.ts";
import type { ReceiptView } from "../receipt/receipt.ts";
import { showShop } from "./talk.ts";
import type { CaseContent } from "./view.ts";

/** The files of both sides, and the form for a further one. Null if there is neither. */
export function showFiles(texts: CaseCatalogue, view: ReceiptView, { dispute, files }: CaseContent): Html | null {
  const canSend = maySendFile(dispute, "buyer", view.now);
  if (files.length === 0 && !canSend) return null;
  return html`<section class="files" id="files"><h2>${texts.files.title}</h2>
${files.length === 0 ? null : html`<ul>${files.map((file) => showFile(texts, view, file))}</ul>`}
${canSend ? showForm(texts, dispute, view.now) : null}
</section>`;
}

/** A file: a picture is drawn from its own address, which is sent as an attachment and runs nothing; others are links. */
function showFile(
  texts: CaseCatalogue,
  view: ReceiptView,
  { id, side, name, type, size, createdAt, erasedAt }: ShownFile,
): Html {
  const url = `${pathOf(view)}/case/files/${id}`;
  const picture = type.startsWith("image/")
    ? html`<img id="${id}-picture" src="${url}" alt="" loading="lazy">`
    : html`<span class="kind" aria-hidden="true">${texts.files.kinds[type === "text/plain" ? "text" : "pdf"]}</span>`;
  const by = html`${side === "buyer" ? texts.you : showShop(texts, view)} · ${showTime(texts.page, createdAt)}`;
  if (erasedAt !== null)
    return html`<li class="${side}"><span class="kind">${filled(texts.erasedAt, { time: showTime(texts.page, erasedAt) })}</span><span>${by}</span></li>`;
  return html`<li class="${side}"><a id="${id}" href="${url}" download="${name}">${picture}<bdi translate="no">${name}</bdi></a>
<span>${fileSize(size, texts.page.locale)} · ${by}</span></li>`;
}

function showForm(texts: CaseCatalogue, dispute: Dispute, now: Date): Html {
  const isOneWord = lastAnswerUntil(dispute, "buyer", now) !== null;
  const isAfterTalk = dispute.status === "deciding" && !isAsked(dispute, now);
  return html`<div class="needs-script"><p class="under" id="file-text">${texts.files.hint} ${isOneWord ? texts.files.asWord : null} ${isAfterTalk ? texts.files.follow : null}</p>
<p class="under num">${texts.files.count(dispute.buyerFiles, FILES_MAX)}</p>
<form method="dialog" class="write" id="file-form"><div class="field"><label for="file">${texts.files.choose}</label><input id="file" type="file" multiple accept="${FILE_TYPES.join(",")}" aria-describedby="file-text"></div>
<button class="tool" type="submit" id="file-send">${texts.files.send}</button>
<progress id="file-progress" aria-label="${texts.files.progress}" max="1" value="0" hidden></progress>
<p id="file-status" class="progress" role="status"></p></form></div>`;
}
