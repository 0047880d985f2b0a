import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { isText, readText } from "./files.ts";

const EXTENSION = /\.(ts|mjs|js|json|jsonc|md|sql|toml|sh|so|rs|yml|yaml|css|html)$/;
/** Files that a run or the reader writes, so they are not in the repository. */
const NOT_OURS =
  /^(\.data|DATA_DIR|node_modules)(\/|$)|(^|\/)(ready\.json|postgres\.log|owner\.lock|create-operator\.ts|receiver\.mjs)$/;
/** Documents of past states, whose paths may no longer exist. */
const HISTORY = new Set(["CHANGELOG.md"]);

const FENCED = /^ *```[\s\S]*?^ *```/gm;

/** The names between backticks that are meant as paths: with a folder of ours, an extension of ours, or a closing slash. */
function pathsIn(text: string, folders: ReadonlySet<string>): string[] {
  const names = [...text.replace(FENCED, "").matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!.replace(/[.,;:]+$/, ""));
  return names.filter((name) => {
    if (!/^[\w.*@{},-]+(\/[\w.*@{},-]+)*\/?$/.test(name) || NOT_OURS.test(name)) return false;
    return EXTENSION.test(name) || name.endsWith("/") || (name.includes("/") && folders.has(name.split("/")[0]!));
  });
}

/** Every path, link and import that a document names and no file has. */
export function checkPaths(root: string, files: readonly string[]): string[] {
  const all = new Set(files.flatMap(withParents));
  const folders = new Set([...all].filter((path) => !path.includes("/")));
  const read = (path: string) => readText(root, path);
  return files
    .filter((path) => path.endsWith(".md") && !HISTORY.has(path) && existsSync(join(root, path)))
    .flatMap((document) => {
      const text = read(document);
      const folder = posix.dirname(document);
      const names = pathsIn(text, folders).filter((name) => !isThere(name, folder, all));
      const imports = [...text.matchAll(/\bfrom "\.\/([^"]+)"/g)]
        .map(([, path]) => path!)
        .filter((path) => !all.has(path));
      const links = linksIn(text).filter((link) => !leadsSomewhere(link, document, all, read));
      return [
        ...names.map((name) => `${document} names \`${name}\`, which does not exist.`),
        ...imports.map((path) => `${document} imports ${path}, which does not exist.`),
        ...links.map((link) => `${document} links to ${link}, which does not exist.`),
      ];
    });
}

/** Places in documents of ours that another file names, such as the page of an alert. Tests name some that do not exist. */
export function checkPlaces(root: string, files: readonly string[]): string[] {
  const all = new Set(files);
  const read = (path: string) => readText(root, path);
  return files
    .filter((path) => isText(path) && !/\.(md|json|test\.ts)$/.test(path) && existsSync(join(root, path)))
    .flatMap((path) => {
      const places = new Set(read(path).match(/(?<![\w/.-])docs\/[\w/-]+\.md(#[\w-]+)?/g));
      return [...places]
        .filter((place) => !leadsSomewhere(place, "README.md", all, read))
        .map((place) => `${path} names ${place}, which does not exist.`);
    });
}

/** A name may start at the root or at the document's folder; without its folders it may stand for a file anywhere. */
function isThere(written: string, folder: string, all: ReadonlySet<string>): boolean {
  const name = written.replace(/\/$/, "");
  const candidates = [posix.normalize(name), posix.join(folder, name)];
  if (candidates.some((path) => path === "." || all.has(path))) return true;
  if (name.startsWith(".")) return false;
  const paths = [...all];
  if (!/[*{]/.test(name)) return paths.some((path) => path.endsWith(`/${name}`));
  return paths.some((path) => posix.matchesGlob(path, name) || posix.matchesGlob(path, `**/${name}`));
}

const linksIn = (text: string): string[] =>
  [...text.replace(FENCED, "").matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
    .map(([, link, image]) => (link ?? image)!)
    .filter((link) => !/^[a-z]+:/.test(link));

function leadsSomewhere(
  link: string,
  document: string,
  all: ReadonlySet<string>,
  read: (path: string) => string,
): boolean {
  const [path, anchor] = link.split("#");
  const target = path === "" ? document : posix.join(posix.dirname(document), path!);
  if (!all.has(target)) return false;
  return anchor === undefined || headingsOf(read(target)).has(anchor);
}

/** The anchors that Git hosts make of a document's headings. */
const headingsOf = (text: string): Set<string> =>
  new Set(
    [...text.replace(FENCED, "").matchAll(/^#+ +(.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

const withParents = (path: string): string[] =>
  path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
