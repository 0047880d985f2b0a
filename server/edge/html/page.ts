import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** Text that is safe inside HTML; only {@link html} makes it. */
export interface Html {
  readonly html: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/** Builds HTML from a template. Every value that is not HTML already is escaped, so a merchant's text cannot become markup. */
export function html(
  template: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | null)[]
): Html {
  let text = template[0]!;
  values.forEach((value, index) => {
    text +=
      (value === null
        ? ""
        : typeof value === "string"
          ? escapeText(value)
          : "html" in value
            ? value.html
            : value.map((part) => part.html).join("")) + template[index + 1]!;
  });
  return { html: text };
}

/** A whole page. Its styles are inside and allowed by their hash; it has no script, no frame and no third party. */
export interface HtmlPage {
  readonly title: string;
  readonly styles: string;
  readonly body: Html;
  /** Seconds after which the browser loads the page again; null: never. */
  readonly refreshSeconds: number | null;
}

/** A page as it is sent, with headers that forbid scripts, frames and other servers. */
export function renderPage(page: HtmlPage): { readonly text: string; readonly headers: Record<string, string> } {
  const hash = createHash("sha256").update(page.styles).digest("base64");
  const refresh =
    page.refreshSeconds === null ? null : html`<meta http-equiv="refresh" content="${String(page.refreshSeconds)}">`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${page.title}</title>
<style>${{ html: page.styles }}</style>
</head>
<body>
${page.body}
</body>
</html>
`;
  return {
    text: document.html,
    headers: {
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
    },
  };
}

export function sendPage(reply: FastifyReply, status: number, page: HtmlPage): FastifyReply {
  const { text, headers } = renderPage(page);
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({ ...headers, "Cache-Control": "no-store" })
    .send(text);
}
