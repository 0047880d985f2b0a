import { type Html, html } from "../../html/page.ts";

/** Shows the parts of Markdown that descriptions use: paragraphs, `code` and **weight**. */
export const showProse = (text: string): readonly Html[] =>
  text.split("\n\n").map((paragraph) => html`<p>${showInline(paragraph)}</p>`);

/** Shows the text of a paragraph, without its tags. */
export const showInline = (text: string): readonly Html[] =>
  text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) =>
      part.startsWith("`")
        ? html`<code translate="no">${part.slice(1, -1)}</code>`
        : part.startsWith("**")
          ? html`<strong>${part.slice(2, -2)}</strong>`
          : html`${part}`,
    );
