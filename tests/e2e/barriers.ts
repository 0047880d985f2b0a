import { type Element, elementsOf, isWithin, nameOf } from "./htmlTree.ts";

const NAMED = new Set(["a", "button", "summary", "h1", "h2", "h3", "legend"]);
const FIELDS = new Set(["input", "textarea", "select"]);
const REFERENCES = ["for", "aria-labelledby", "aria-describedby", "aria-controls"] as const;
const LISTS: Readonly<Record<string, readonly string[]>> = { ul: ["li"], ol: ["li"], dl: ["dt", "dd", "div"] };

/** Returns what keeps people from reading a page by ear or by keyboard, as far as the page's text shows it. */
export function barriersOf(root: Element): string[] {
  const all = elementsOf(root);
  const of = (tag: string) => all.filter((element) => element.tag === tag);
  const found = all.flatMap((element) => barriersAt(element));
  if (!of("html")[0]?.attributes.lang) found.push("the page has no language");
  for (const tag of ["title", "main", "h1"])
    if (of(tag).length !== 1) found.push(`the page has ${of(tag).length} <${tag}>`);
  if (of("title").some((title) => nameOf(title) === "")) found.push("the title is empty");
  const levels = all.flatMap(({ tag }) => (/^h[1-6]$/.test(tag) ? [Number(tag[1])] : []));
  if (levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)) found.push(`headings skip: ${levels}`);
  const ids = all.flatMap(({ attributes }) => attributes.id ?? []);
  if (new Set(ids).size < ids.length) found.push(`an id stands twice: ${ids.sort()}`);
  for (const { attributes } of all)
    for (const name of REFERENCES)
      for (const id of attributes[name]?.split(" ") ?? [])
        if (!ids.includes(id)) found.push(`${name} names ${id}, which is not there`);
  const labels = new Set(of("label").map(({ attributes }) => attributes.for));
  for (const field of all)
    if (FIELDS.has(field.tag) && !labels.has(field.attributes.id ?? "-") && !isLabelled(field))
      found.push(`a field has no label: ${field.attributes.name ?? field.attributes.id}`);
  return found;
}

const isLabelled = (field: Element): boolean =>
  "aria-label" in field.attributes || isWithin(field, ({ tag }) => tag === "label");

const isReadable = ({ tag, attributes }: Element): boolean =>
  tag === "main" || tag === "head" || attributes.role === "status" || tag === "script";

function barriersAt(element: Element): string[] {
  const { tag, attributes, children } = element;
  const found: string[] = [];
  if (NAMED.has(tag) && nameOf(element) === "") found.push(`a <${tag}> has no name`);
  if (tag === "img" && attributes.alt === undefined) found.push("a picture has no text");
  if (tag === "svg" && attributes["aria-hidden"] !== "true" && !(attributes.role === "img" && nameOf(element) !== ""))
    found.push("a drawing has no name");
  if (Number(attributes.tabindex ?? 0) > 0) found.push(`the Tab key leads to a <${tag}> first`);
  for (const child of children) {
    const isText = typeof child === "string";
    if (isText && child.trim() !== "" && !isWithin(element, isReadable)) found.push(`no part has "${child.trim()}"`);
    if (isText ? tag in LISTS && child.trim() !== "" : LISTS[tag]?.includes(child.tag) === false)
      found.push(`a <${tag}> has ${isText ? "text" : `a <${child.tag}>`} between its items`);
  }
  return found;
}
