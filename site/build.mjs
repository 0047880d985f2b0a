// Builds the website into .data/dist (`npm run build`), or serves what was built (`npm run preview`). It needs no network,
// and what it builds loads nothing from another host. REPOSITORY_URL (such as https://…/blob/main) makes links to code;
// SITE_BASE is the path under which the website is served, if not "/".
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import starlight from "@astrojs/starlight";
import { build, preview } from "astro";
import { draftPage, pagesOf, sidebarOf } from "./pages.ts";

const repository = dirname(import.meta.dirname);
const root = join(import.meta.dirname, ".data");
const pages = pagesOf(globSync("{*.md,docs/**/*.md}", { cwd: repository }));

function writePages() {
  rmSync(root, { recursive: true, force: true });
  for (const page of pages) {
    const path = join(root, "src/content/docs", `${page.slug === "" ? "index" : page.slug}.md`);
    mkdirSync(dirname(path), { recursive: true });
    const text = readFileSync(join(repository, page.document), "utf8");
    writeFileSync(path, draftPage(text, page, pages, process.env.REPOSITORY_URL));
  }
  cpSync(join(import.meta.dirname, "src"), join(root, "src"), { recursive: true });
  cpSync(join(import.meta.dirname, "public"), join(root, "public"), { recursive: true });
  cpSync(join(repository, "docs/images"), join(root, "public/docs/images"), { recursive: true });
}

const settings = {
  root,
  configFile: false,
  base: process.env.SITE_BASE ?? "/",
  integrations: [
    starlight({
      title: "Holdfast",
      sidebar: sidebarOf(pages),
      credits: false,
      favicon: "/favicon.svg",
      customCss: ["/src/site.css"],
    }),
  ],
};
if (process.argv[2] === "preview") await preview(settings);
else {
  writePages();
  await build(settings);
}
