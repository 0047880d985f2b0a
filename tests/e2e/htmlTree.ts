/** An element of a page as the server rendered it. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: Element | null;
  readonly children: (Element | string)[];
}

const VOID = new Set(["br", "hr", "img", "input", "link", "meta"]);
const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|([^<]+)/gi;
const ATTRIBUTE = /([^\s=/]+)(?:="([^"]*)")?/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const decode = (text: string): string => text.replace(/&(#?\w+);/g, (whole, name) => CHARACTERS[name] ?? whole);

/** Reads a page in the form in which the server writes pages: every element but the void ones has its end. Throws for others. */
export function parseHtml(text: string): Element {
  const root: Element = { tag: "", attributes: {}, parent: null, children: [] };
  let open = root;
  for (const [, slash, tag, rest, content] of text.replace(/^<!doctype html>/, "").matchAll(TOKEN)) {
    if (content !== undefined) open.children.push(decode(content));
    else if (slash) {
      if (open.tag !== tag || open.parent === null) throw new Error(`</${tag}> ends <${open.tag}>.`);
      open = open.parent;
    } else {
      const found = [...rest!.matchAll(ATTRIBUTE)].map(([, name, value = ""]) => [name, decode(value)]);
      const element: Element = { tag: tag!, attributes: Object.fromEntries(found), parent: open, children: [] };
      open.children.push(element);
      if (!VOID.has(tag!) && !rest!.endsWith("/")) open = element;
    }
  }
  if (open !== root) throw new Error(`<${open.tag}> has no end.`);
  return root;
}

/** The elements below one, in the order of the document. A template's are none of it until a script takes them in. */
export const elementsOf = (root: Element): Element[] =>
  root.tag === "template"
    ? []
    : root.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elementsOf(child)]));

/** The text that a reader gets: without styles, data, and what is hidden from screen readers. */
export const textOf = (element: Element): string =>
  element.tag === "style" || element.tag === "script" || element.attributes["aria-hidden"] === "true"
    ? ""
    : element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");

/** The name of a link, button or picture, as a screen reader says it. */
export const nameOf = (element: Element): string =>
  (element.attributes["aria-label"] ?? element.attributes.alt ?? textOf(element)).replaceAll(/\s+/g, " ").trim();

export const isWithin = (element: Element, fits: (ancestor: Element) => boolean): boolean =>
  fits(element) || (element.parent !== null && isWithin(element.parent, fits));
