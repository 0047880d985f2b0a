import { encode } from "uqr";
import { type Html, html } from "../../../edge/html/page.ts";

/**
 * The Solana Pay transaction request of a page, as a link and as a code to scan. Null without https, which the
 * protocol requires: no wallet would follow it. The address has no query, so it needs no escaping and the code stays
 * coarse.
 */
export function requestCode(url: string): { readonly link: string; readonly code: Html } | null {
  if (!url.startsWith("https://")) return null;
  const link = `solana:${url}/request`;
  return { link, code: drawCode(link) };
}

/** Dark on white in both colour schemes: cameras need that contrast. */
function drawCode(text: string): Html {
  const { data, size } = encode(text, { border: 3, ecc: "M" });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return html`<svg viewBox="0 0 ${String(size)} ${String(size)}" role="img" aria-label="QR" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${String(size)}v${String(size)}H0z"/><path fill="#000" d="${runs.join("")}"/></svg>`;
}
