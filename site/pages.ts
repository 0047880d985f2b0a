// The pages of the website: which document is which page, and where its links lead there. The documents stay as they are.
import { posix } from "node:path";

export interface SitePage {
  /** The path of the document in the repository. */
  readonly document: string;
  readonly group: string;
  /** The path of the page, without slashes at its ends; the first page has none. */
  readonly slug: string;
}

/** The groups of the sidebar, in order, with the documents of each and the folder of their pages. */
const GROUPS: readonly (readonly [group: string, folder: string, documents: RegExp])[] = [
  ["Start", "", /^README\.md$/],
  ["Guides", "guides", /^docs\/how-to\/(.+)\.md$/],
  ["Reference", "reference", /^docs\/([^/]+)\.md$/],
  ["Decisions", "decisions", /^docs\/decisions\/(.+)\.md$/],
  ["Project", "project", /^(ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG|SKILL)\.md$/],
];

/** The pages in the order of the sidebar; a README comes first in its group, and its page is that of the folder. */
export function pagesOf(files: readonly string[]): SitePage[] {
  return GROUPS.flatMap(([group, folder, documents]) => {
    const pages = files.flatMap((document) => {
      const found = documents.exec(document);
      if (found === null) return [];
      const name = (found[1] ?? "README").toLowerCase();
      return [{ document, group, slug: name === "readme" ? folder : posix.join(folder, name) }];
    });
    return pages.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  });
}

/** The sidebar as Starlight declares it; only Decisions is closed at first. */
export const sidebarOf = (pages: readonly SitePage[]) =>
  GROUPS.map(([label]) => ({
    label,
    collapsed: label === "Decisions",
    items: pages.filter(({ group }) => group === label).map(({ slug }) => ({ slug: slug === "" ? "index" : slug })),
  }));

const FENCED = /(^ *```[\s\S]*?^ *```)/gm;

/**
 * A document as a page of the website: the title from its first heading, links between documents as links between pages.
 * Other files are linked under `repositoryUrl`; without one, the link becomes its text and the file's path.
 */
export function draftPage(text: string, page: SitePage, pages: readonly SitePage[], repositoryUrl = ""): string {
  const title = /^# (.+)$/m.exec(text);
  if (title === null) throw new Error(`${page.document} has no first heading, which would be the title of its page.`);
  const toRoot = page.slug === "" ? "./" : "../".repeat(page.slug.split("/").length);
  const fileOf = (link: string): string => posix.join(posix.dirname(page.document), link);

  const rewrite = (whole: string, label: string, link: string): string => {
    if (/^([a-z]+:|#)/.test(link)) return whole;
    const [path = "", anchor] = link.split("#");
    const target = pages.find(({ document }) => document === fileOf(path));
    const place = anchor === undefined ? "" : `#${anchor}`;
    if (target !== undefined) return `[${label}](${toRoot}${target.slug}${target.slug === "" ? "" : "/"}${place})`;
    if (repositoryUrl !== "") return `[${label}](${repositoryUrl}/${fileOf(path)}${place})`;
    return label.replaceAll("`", "") === fileOf(path) ? label : `${label} (\`${fileOf(path)}\`)`;
  };
  const body = text
    // What tells an agent when to read it.
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(title[0], "")
    .split(FENCED)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/\[([^\][]*)\]\(([^)\s]+)\)/g, rewrite)
            .replace(/<img src="([^"]+)"/g, (_, link) => `<img src="${toRoot}${fileOf(link)}"`),
    )
    .join("");
  const name = title[1]!.replaceAll("`", "");
  return `---\ntitle: ${JSON.stringify(name)}\n---\n${body}`;
}
