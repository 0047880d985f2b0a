import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { after, before, test } from "node:test";
import { exchange } from "../harness/http.ts";
import { PROJECT_ROOT, type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

const read = (path: string) => exchange("GET", String(new URL(path, service.apiUrl)));
const LISTED = ["*.md", "{sdk,cli,testing,x402,examples,program,devnet}/*.md", "docs/**/*.md", "tests/realnode/*.md"];

test("/llms.txt lists every document, each is served as Markdown where the repository has it, and links between them hold", async () => {
  const list = await read("/llms.txt");
  assert.deepEqual([list.status, list.headers["content-type"]], [200, "text/plain; charset=utf-8"]);
  const paths = [...list.text.matchAll(/^- \[.+\]\((.+)\)$/gm)].map(([, url]) => new URL(url!).pathname);
  const documents = paths.filter((path) => path.endsWith(".md"));
  const files = globSync(LISTED, { cwd: PROJECT_ROOT }).map((path) => `/${path}`);
  assert.ok(files.length > 50);
  assert.deepEqual([...documents].sort(), files.sort());
  assert.equal(paths[0], "/openapi.json");
  assert.equal(documents[0], "/docs/how-to/integrate-a-shop.md");
  for (const path of documents) {
    const answer = await read(path);
    assert.deepEqual([answer.status, answer.headers["content-type"]], [200, "text/markdown; charset=utf-8"], path);
    assert.equal(answer.text, readFileSync(join(PROJECT_ROOT, path), "utf8"), path);
    for (const [, link] of answer.text.matchAll(/\]\(([^)\s:#]+\.md)(?:#[^)]*)?\)/g))
      assert.ok(documents.includes(posix.join(posix.dirname(path), link!)), `${path} links to ${link}`);
  }
  for (const path of ["/package.json", "/docs/", "/docs/../package.json", "/docs/events.md/", "/server/main.ts"])
    assert.notEqual((await read(path)).status, 200, path);
});
