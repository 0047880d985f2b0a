import { renderPage } from "../html/page.ts";
import type { App } from "../http/app.ts";
import { registerFixedText } from "../http/fixedText.ts";
import { type Json, openApiText } from "../http/openapi.ts";
import { type ReferenceUrls, referencePage } from "./reference/page.ts";

/** Serves an OpenAPI document. */
export const registerDocument = (app: App, path: string, document: Json): void =>
  registerFixedText(app, path, "application/json; charset=utf-8", openApiText(document), {});

/** Serves `/openapi.json` and `/docs`, the public description of the API for programs and for people. */
export function registerReference(app: App, document: Json, urls: ReferenceUrls): void {
  registerDocument(app, "/openapi.json", document);
  const { text, headers } = renderPage(referencePage(document, urls));
  registerFixedText(app, "/docs", "text/html; charset=utf-8", text, headers);
}
