import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { draftPage, pagesOf, sidebarOf } from "../site/pages.ts";
import { listFiles, readText } from "./checks/files.ts";

const ROOT = dirname(import.meta.dirname);
const files = listFiles(ROOT);
const pages = pagesOf(files);

test("the sidebar of the website has every document exactly once", () => {
  const documents = files.filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path));
  assert.ok(documents.length > 60);
  assert.deepEqual(pages.map(({ document }) => document).sort(), documents.sort());
  const slugs = sidebarOf(pages).flatMap(({ items }) => items.map(({ slug }) => slug));
  assert.deepEqual([...new Set(slugs)], slugs);
  assert.equal(slugs.length, documents.length);
});

test("every document is a page with a title, whose links lead to pages", () => {
  const slugs = new Set(pages.map(({ slug }) => slug));
  for (const page of pages) {
    const text = draftPage(readText(ROOT, page.document), page, pages);
    assert.match(text, /^---\ntitle: ".+"\n---\n/);
    for (const [, link] of text.replace(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g))
      if (!/^https:/.test(link!))
        assert.ok(slugs.has(join("/", page.slug, link!).slice(1, -1)), `${page.slug}: ${link}`);
  }
});

test("a link to code leads to the repository's address, or names the file where there is none", () => {
  const page = { document: "docs/how-to/a.md", group: "Guides", slug: "guides/a" };
  const other = { document: "docs/b.md", group: "Reference", slug: "reference/b" };
  const text = "# A `b`\n\n[B](../b.md#c), [code](../../sdk/README.md)\n\n```md\n[B](../b.md)\n```\n";
  const fenced = "\n\n```md\n[B](../b.md)\n```\n";
  const top = '---\ntitle: "A b"\n---\n\n\n[B](../../reference/b/#c), ';
  assert.equal(draftPage(text, page, [page, other]), `${top}code (\`sdk/README.md\`)${fenced}`);
  const linked = draftPage(text, page, [page, other], "https://code.example/blob/main");
  assert.equal(linked, `${top}[code](https://code.example/blob/main/sdk/README.md)${fenced}`);
});
