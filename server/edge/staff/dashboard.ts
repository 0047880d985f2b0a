import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Log } from "../../lib/log.ts";
import { type Html, html, NO_PERMISSIONS, sendPage } from "../html/page.ts";
import type { App, Handler, Reply } from "../http/app.ts";
import { STAFF_PREFIX } from "./description.ts";

/** Encodings that browsers accept, the smallest first. They ask for brotli on https and on this machine. */
const ENCODINGS: readonly (readonly [name: string, compress: (text: Buffer) => Promise<Buffer>])[] = [
  // 11, the default, takes four times as long as 9 for 7 % less.
  ["br", (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })],
  ["gzip", promisify(gzip)],
];

/** The built pages of the dashboard. Names carry a hash of their text. */
export interface DashboardFiles {
  readonly script: string;
  readonly style: string;
  /** Scripts that the first one needs. */
  readonly preloads: readonly string[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export interface DashboardDeps {
  readonly dashboardUrl: string;
  /** True if `test` is the local chain: then a page shows all parts of the design. */
  readonly isLocal: boolean;
  /** The name of the company by whose provider users sign in; null: none. */
  readonly company: string | null;
  readonly build: () => Promise<DashboardFiles>;
  readonly log: Log;
}

interface Served {
  readonly type: string;
  readonly body: Buffer;
  readonly compressed: ReadonlyMap<string, Buffer>;
}

interface Dashboard extends Pick<DashboardFiles, "script" | "style" | "preloads"> {
  readonly served: ReadonlyMap<string, Served>;
  readonly integrity: string;
}

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const basePathOf = (dashboardUrl: string): string => new URL(dashboardUrl).pathname.replace(/\/+$/, "");

/** Returns true if a route's pattern belongs to the dashboard, or to its API. */
export function isStaffRoute(route: string, dashboardUrl: string): boolean {
  const base = basePathOf(dashboardUrl);
  return (
    route.startsWith(`${STAFF_PREFIX}/`) ||
    [base === "" ? "/" : base, `${base}/*`, `${base}/assets/:name`].includes(route)
  );
}

/**
 * Serves the dashboard's pages at the dashboard's address (§13): one document for all of them, and files that never change
 * under their names. The first request builds them, so that a start waits for nothing, and a process without visitors
 * builds nothing.
 */
export function registerDashboard(app: App, { dashboardUrl, build, log, ...shown }: DashboardDeps): void {
  const base = basePathOf(dashboardUrl);
  let opened: Promise<Dashboard | null> | null = null;
  let failure = "";
  const openOnce = () =>
    (opened ??= build()
      .then(open)
      .catch((error: unknown) => {
        opened = null; // The next request builds again: the cause may have passed by then.
        if (String(error) !== failure) log("The dashboard's pages could not be built; its address says so.", error);
        failure = String(error);
        return null;
      }));
  const showDocument: Handler = async (_request, reply) => {
    const dashboard = await openOnce();
    return dashboard === null ? sendUnbuilt(reply) : sendDocument(reply, dashboard, base, shown);
  };
  app.get(base === "" ? "/" : base, showDocument);
  app.get(`${base}/*`, showDocument);
  app.get(`${base}/assets/:name`, async (request, reply) => {
    const file = (await openOnce())?.served.get(request.params.name!);
    if (file === undefined) return reply.code(404).type("text/plain; charset=utf-8").send("Not found.\n");
    const encoding = chooseEncoding(String(request.headers["accept-encoding"] ?? ""));
    reply.headers({
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      Vary: "Accept-Encoding",
      ...(encoding === null ? {} : { "Content-Encoding": encoding }),
    });
    return reply.type(file.type).send(encoding === null ? file.body : file.compressed.get(encoding));
  });
}

/** A file as each encoding sends it, by the encoding's name. */
export const compressText = async (text: Buffer): Promise<ReadonlyMap<string, Buffer>> =>
  new Map(await Promise.all(ENCODINGS.map(async ([name, compress]) => [name, await compress(text)] as const)));

/** The first encoding that a browser's `Accept-Encoding` names and does not refuse (`;q=0`). */
function chooseEncoding(accepted: string): string | null {
  const named = accepted.split(",").map((one) => one.trim().split(/\s*;\s*q=/));
  const taken = named.filter(([, weight]) => weight === undefined || Number(weight) > 0).map(([name]) => name);
  return ENCODINGS.find(([name]) => taken.includes(name))?.[0] ?? null;
}

async function open({ files, script, style, preloads }: DashboardFiles): Promise<Dashboard> {
  const served = await Promise.all(
    files.map(async ({ name, text }): Promise<[string, Served]> => {
      const body = Buffer.from(text);
      return [name, { type: name.endsWith(".css") ? CSS : SCRIPT, body, compressed: await compressText(body) }];
    }),
  );
  const main = files.find(({ name }) => name === script)!;
  const integrity = `sha256-${createHash("sha256").update(main.text).digest("base64")}`;
  return { served: new Map(served), script, style, preloads, integrity };
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='7' fill='%230a6b52'/%3E%3C/svg%3E";

/** The deployment's facts that pages have before they ask. */
type Shown = Pick<DashboardDeps, "isLocal" | "company">;

/** The one document of all pages. `head` loads their style and scripts. */
export const dashboardDocument = (base: string, { isLocal, company }: Shown, head: Html): Html => html`<!doctype html>
<html lang="en" data-base="${base}"${isLocal ? html` data-local` : null}${company === null ? null : html` data-company="${company}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Holdfast</title>
<link rel="icon" href="${ICON}">
${head}
</head>
<body>
<div id="root"></div>
<noscript>The dashboard needs JavaScript.</noscript>
</body>
</html>
`;

/** The headers of that document. The nonce alone allows styles that a script adds. */
export const dashboardHeaders = (nonce: string): Record<string, string> => ({
  "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": NO_PERMISSIONS,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
});

function sendDocument(reply: Reply, dashboard: Dashboard, base: string, shown: Shown): Reply {
  const { script, style, preloads, integrity } = dashboard;
  const nonce = randomBytes(16).toString("base64");
  const assets = `${base}/assets`;
  const head = html`<link rel="stylesheet" href="${assets}/${style}">
${preloads.map((name) => html`<link rel="modulepreload" href="${assets}/${name}">\n`)}<script type="module" src="${assets}/${script}" integrity="${integrity}" nonce="${nonce}"></script>`;
  const page = dashboardDocument(base, shown, head);
  return reply.type("text/html; charset=utf-8").headers(dashboardHeaders(nonce)).send(page.html);
}

const sendUnbuilt = (reply: Reply): Reply =>
  sendPage(reply, 503, {
    title: "The dashboard is not built",
    styles: "body{font:16px/24px system-ui,sans-serif;max-width:60ch;margin:15vh auto;padding:0 16px}",
    body: html`<h1>The dashboard is not built</h1>
<p>The log of this process says why. Where the packages that build it are missing, run <code translate="no">npm run build</code> in an installation of the same version that has them, and copy its folder <code translate="no">build</code>.</p>`,
    script: null,
  });
