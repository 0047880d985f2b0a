import { readFileSync } from "node:fs";
import { DocumentCheck } from "./document.ts";
import type { Answer } from "./http.ts";

let check: DocumentCheck | null = null;

/** Requests whose refusals have the form of their protocol. */
const OWN_FORM = /\/(?:request|x402)(?:\/|$)/;

/** Compares an answer of the buyers' door with its document: status, type and body. */
export function checkBuyerAnswer(method: string, path: string, answer: Omit<Answer, "request">): void {
  check ??= new DocumentCheck(
    JSON.parse(readFileSync(new URL("../../docs/openapi-checkout.json", import.meta.url), "utf8")),
  );
  if (check.template(path) !== null && !OWN_FORM.test(path)) check.check(method, path, { request: path, ...answer });
}
