import { createHash } from "node:crypto";
import type { App } from "./app.ts";
import { DATA_HEADERS } from "./headers.ts";

/** Serves a text that never changes while the process runs. */
export const registerFixedText = (
  app: App,
  path: string,
  type: string,
  text: string,
  headers: Record<string, string>,
): void => registerFixedBytes(app, path, type, Buffer.from(text), headers);

export function registerFixedBytes(
  app: App,
  path: string,
  type: string,
  body: Buffer,
  headers: Record<string, string> = {},
): void {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  app.get(path, (request, reply) => {
    reply.headers({
      ...DATA_HEADERS,
      "cross-origin-resource-policy": "same-origin",
      ...headers,
      ETag: etag,
      "Cache-Control": "public, max-age=300",
    });
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
    if (known.includes(etag) || known.includes("*")) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}
