import { type Html, html } from "../../../edge/html/page.ts";

/** The characters that are shown of either end. */
const SHOWN = 4;

/** An address, a signature or a hash: a screen folds it, while a copy, a print, a reader and a page without a script have all. */
export const showFolded = (text: string): Html =>
  html`<code class="folded" translate="no" dir="ltr">${text.slice(0, SHOWN)}<span>${text.slice(SHOWN, -SHOWN)}</span>${text.slice(-SHOWN)}</code>`;

/** The same with a button that copies all of it. */
export const showCopyable = (text: string, copy: string): Html =>
  html`${showFolded(text)} <button class="copies needs-script" type="button" data-copy="${text}" aria-label="${copy} ${text.slice(0, SHOWN)}…${text.slice(-SHOWN)}">${copy}</button>`;
