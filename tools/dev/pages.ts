import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer, type Plugin, type ViteDevServer } from "vite";
import { html } from "../../server/edge/html/page.ts";
import { dashboardDocument, dashboardHeaders } from "../../server/edge/staff/dashboard.ts";
import { compileStyles } from "../../server/process/dashboardBuild.ts";

const ROOT = dirname(dirname(import.meta.dirname));

export interface PagesSettings {
  /** The folder of `dashboard/` and `ui/`, inside the project's. */
  readonly web: string;
  /** The folder for the packages as the browser gets them. */
  readonly cache: string;
  readonly host: string;
  readonly port: number;
  /** The path of the pages' address; every other path there is the service's. */
  readonly base: string;
  readonly serviceUrl: string;
}

/** Serves the dashboard from its sources: a saved file shows at once, and a part of a page keeps its state. */
export async function servePages({ web, base, ...settings }: PagesSettings): Promise<ViteDevServer> {
  const [dashboard, ui] = [join(web, "dashboard"), join(web, "ui")];
  // The whole run has one nonce: the development server puts it on the scripts and styles that it adds.
  const nonce = randomBytes(16).toString("base64");
  const server = await createServer({
    configFile: false,
    root: dashboard,
    base: `${base}/`,
    appType: "custom",
    cacheDir: settings.cache,
    logLevel: "warn",
    html: { cspNonce: nonce },
    optimizeDeps: { entries: ["main.tsx"] },
    plugins: [react(), stylesOf(dashboard, ui), documentOf(base, nonce), checkoutOf(web, base, settings.serviceUrl)],
    server: {
      host: settings.host,
      port: settings.port,
      strictPort: true,
      cors: false,
      fs: { allow: [ROOT] },
      // The Host header stays as it is: the service answers for the dashboard's address alone.
      proxy: { [`^/(?!${base.slice(1)}(/|$))`]: { target: settings.serviceUrl, xfwd: true } },
    },
  });
  return server.listen();
}

/** The styles as the service builds them, made again when a file changes that may name a class. */
const stylesOf = (dashboard: string, ui: string): Plugin => ({
  name: "holdfast:styles",
  enforce: "pre",
  transform: {
    filter: { id: /\/styles\.css(\?|$)/ },
    async handler() {
      for (const folder of [dashboard, ui])
        for (const name of await readdir(folder, { recursive: true }))
          if (/\.(tsx?|css)$/.test(name)) this.addWatchFile(join(folder, name));
      return compileStyles(dashboard, ui);
    },
  },
});

/** The service's own document under its own policy, which lets in the development server's inline script as well. */
const documentOf = (base: string, nonce: string): Plugin => ({
  name: "holdfast:document",
  configureServer: ({ middlewares, transformIndexHtml }) => {
    middlewares.use((request, response, next) => {
      const url = request.url ?? "/";
      const isPage = `${url}/`.startsWith(`${base}/`) && request.headers.accept?.includes("text/html");
      if (!isPage) return next();
      const head = html`<link rel="stylesheet" href="/styles.css">
<script type="module" src="/main.tsx"></script>`;
      transformIndexHtml(url, dashboardDocument(base, { isLocal: true, company: null }, head).html)
        .then((page) => {
          for (const [name, value] of Object.entries(dashboardHeaders(nonce)))
            response.setHeader(name, value.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`));
          response.setHeader("Content-Type", "text/html; charset=utf-8").end(page);
        })
        .catch(next);
    });
  },
});

/** The service's checkout pages, with their script from its sources. */
const checkoutOf = (web: string, base: string, serviceUrl: string): Plugin => ({
  name: "holdfast:checkout",
  configureServer: ({ middlewares }) => {
    const scripts = ["@vite/client", `@fs${web}/checkout/main.ts`];
    const tags = scripts.map((path) => `<script type="module" src="${base}/${path}"></script>`).join("\n");
    middlewares.use((request, response, next) => {
      const url = request.url ?? "/";
      if (!url.startsWith("/pay/") || !request.headers.accept?.includes("text/html")) return next();
      fetch(serviceUrl + url, { headers: { accept: "text/html" }, redirect: "manual" })
        .then(async (page) => {
          const text = await page.text();
          const headers = [...page.headers].filter(([name]) => !/^(content-(length|encoding)|connection)$/.test(name));
          response.writeHead(page.status, headers.flat());
          response.end(text.replace(/<script type="module" src="\/pay\/assets\/[^>]*><\/script>/, tags));
        })
        .catch(next);
    });
  },
});
