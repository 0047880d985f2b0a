import { renderPage } from "../html/page.ts";
import type { App } from "../http/app.ts";
import { registerFixedText } from "../http/fixedText.ts";
import { type Json, openApiText } from "../http/openapi.ts";
import { referencePage } from "./reference/page.ts";

/** Serves `/openapi.json` and `/docs`, the public description of the API for programs and for people. */
export function registerReference(app: App, document: Json, apiUrl: string): void {
  registerFixedText(app, "/openapi.json", "application/json; charset=utf-8", openApiText(document), {});
  const { text, headers } = renderPage(referencePage(document, apiUrl));
  registerFixedText(app, "/docs", "text/html; charset=utf-8", text, headers);
}
