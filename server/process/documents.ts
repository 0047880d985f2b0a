import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "../edge/http/app.ts";
import { registerFixedText } from "../edge/http/fixedText.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Document {
  /** Its path from the root of the repository, at which it is served: so links between documents hold. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The documents with which a shop is integrated, in the order of reading. */
const FIRST = [
  "SKILL.md",
  "docs/how-to/integrate-a-shop.md",
  "sdk/README.md",
  "cli/README.md",
  "mcp/README.md",
  "testing/README.md",
  "examples/README.md",
  "docs/events.md",
  "docs/errors.md",
  "docs/how-to/receive-webhooks.md",
  "docs/how-to/run-your-own-checkout.md",
  "docs/how-to/give-back-a-part.md",
  "docs/specification.md",
];
const LINK = /\]\(([^)\s:#]+\.md)(?:#[^)]*)?\)/g;

/**
 * Reads the README and every document to which links lead from there. A file that no document names, such as an operator's
 * own notes in the folder, is never served; nor is one that was left out of an image.
 */
function readDocuments(): Document[] {
  const found = new Map<string, Document | null>();
  const paths = ["README.md"];
  for (const path of paths) {
    if (path.startsWith("..") || found.has(path)) continue;
    const text = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null;
    found.set(path, text === null ? null : { path, title: /^# (.+)$/m.exec(text)?.[1] ?? path, text });
    for (const [, link] of (text ?? "").matchAll(LINK)) paths.push(posix.join(posix.dirname(path), link!));
  }
  const documents = [...found.values()].filter((one) => one !== null);
  return documents.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Serves every document as Markdown, and `/llms.txt`, which lists them for programs that read. */
export function registerDocuments(app: App, apiUrl: string): void {
  const documents = readDocuments();
  const line = ({ path, title }: Document) => `- [${title}](${new URL(`/${path}`, apiUrl)})`;
  const first = FIRST.flatMap((path) => documents.filter((one) => one.path === path));
  const others = documents.filter((one) => !first.includes(one));
  const text = [
    "# Holdfast",
    "> Payment intents with buyer protection on Solana: a merchant's server asks for a payment over HTTP, the buyer pays into an escrow program, and signed events tell every step.",
    `The API is under ${apiUrl}, JSON in and out, with \`Authorization: Bearer <key>\`; requests from browsers are refused. Amounts are strings of digits, in the token's smallest unit. Fulfil an order once per intent, on \`payment_intent.paid\`, when \`environment\` is the one you sell in, \`payment.status\` \`protected\`, \`outcome\` null, \`refundTotal\` "0" and \`overLimit\` false, and no later event of the payment says otherwise. Read the intent and check the same again before you ship goods that cannot be called back.`,
    "## Integrate",
    [`- [The API as OpenAPI 3.1](${new URL("/openapi.json", apiUrl)})`, ...first.map(line)].join("\n"),
    "## Optional",
    others.map(line).join("\n"),
  ].join("\n\n");
  registerFixedText(app, "/llms.txt", "text/plain; charset=utf-8", `${text}\n`, {});
  for (const one of documents) registerFixedText(app, `/${one.path}`, "text/markdown; charset=utf-8", one.text, {});
}
