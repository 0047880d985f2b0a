import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { renderPage } from "../html/page.ts";
import type { Json } from "../http/openapi.ts";
import { referencePage } from "./reference/page.ts";

/** The document as text: the served bytes are those of the committed file. */
export const openApiText = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

/** `/openapi.json` and `/docs`: the description of the API for programs and for people, open to all. */
export function registerReference(app: FastifyInstance, document: Json, apiUrl: string): void {
  serve(app, "/openapi.json", "application/json; charset=utf-8", openApiText(document), {});
  const { text, headers } = renderPage(referencePage(document, apiUrl));
  serve(app, "/docs", "text/html; charset=utf-8", text, headers);
}

/** Serves a text that stays the same while the process runs. */
function serve(app: FastifyInstance, path: string, type: string, text: string, headers: Record<string, string>): void {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  app.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({
      ...headers,
      ETag: etag,
      "Cache-Control": "public, max-age=300",
      "X-Content-Type-Options": "nosniff",
    });
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
    if (known.includes(etag) || known.includes("*")) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}
