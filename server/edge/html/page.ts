import { createHash } from "node:crypto";
import type { Reply } from "../http/app.ts";

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

/** A text as HTML, with parts of the page in its gaps `{…}`. */
export const filled = (text: string, parts: Readonly<Record<string, Html | string>>): Html =>
  text
    .split(/\{(\w+)\}/)
    .map((part, at) => html`${at % 2 === 0 ? part : (parts[part] ?? null)}`)
    .reduce((all, one) => html`${all}${one}`);

/** A script of our own, and its data. It is loaded only from this site, and only if its hash is right. */
export interface PageScript {
  /** A path of this site. */
  readonly path: string;
  /** `sha256-…` of the script. */
  readonly integrity: string;
  /** The script reads it from the element `data`. */
  readonly data: unknown;
}

/** A whole page. Its styles are inline and allowed by their hash; it has no frame and loads nothing of other sites. */
export interface HtmlPage {
  readonly title: string;
  readonly styles: string;
  readonly body: Html;
  readonly script: PageScript | null;
  /** True if its forms may be sent, to this site alone. Default: none may. */
  readonly hasForm?: boolean;
  /** True if it shows pictures of this site. Default: it loads none. */
  readonly hasPictures?: boolean;
  readonly language?: string;
  readonly direction?: "ltr" | "rtl";
}

/** Abilities of a browser that no page of ours uses. */
export const NO_PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=()";

/** Renders a page, with headers that forbid frames, other servers, and every script but its own. */
export function renderPage(page: HtmlPage): { readonly text: string; readonly headers: Record<string, string> } {
  const {
    title,
    styles,
    body,
    script,
    hasForm = false,
    hasPictures = false,
    language = "en",
    direction = "ltr",
  } = page;
  const hash = createHash("sha256").update(styles).digest("base64");
  const document = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: styles }}</style>
${script === null ? null : html`<script type="module" src="${script.path}" integrity="${script.integrity}" crossorigin></script>\n`}</head>
<body>
${body}
${script === null ? null : html`<script type="application/json" id="data">${dataText(script.data)}</script>\n`}</body>
</html>
`;
  const pictures = [...(hasPictures ? ["'self'"] : []), ...(script === null ? [] : ["data:"])].join(" ");
  const allowed = `${script === null ? "" : "script-src 'self'; connect-src 'self'; "}${pictures === "" ? "" : `img-src ${pictures}; `}`;
  return {
    text: document.html,
    headers: {
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; ${allowed}base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin",
      // Wallets open windows of their own, and talk to the page.
      "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
      "Permissions-Policy": NO_PERMISSIONS,
    },
  };
}

/** Writes JSON that cannot end its element, whatever text it holds. */
const dataText = (data: unknown): Html => ({ html: JSON.stringify(data).replaceAll("<", "\\u003c") });

export function sendPage(reply: Reply, status: number, page: HtmlPage): Reply {
  const { text, headers } = renderPage(page);
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({ ...headers, "Cache-Control": "no-store" })
    .send(text);
}
