import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** Colours of all pages: which text stands on which background, and that each pair can be read (WCAG 2.2 AA, 1.4.3). */
const ROOT = join(import.meta.dirname, "../..");
const RATIO_MIN = 4.5;

/** Texts that are drawn on one background alone, as on a button. Other texts may stand on every background. */
const ONLY_ON: Readonly<Record<string, string>> = { "accent-ink": "accent", card: "ink" };
/** Backgrounds of marks and bars, which hold no text, unless the same class names set its colour. */
const MARKS = new Set(["accent", "bad", "ink", "info", "line"]);
/** The only files where such a background is set without a text, since nothing is written on it. */
const MARKED = [
  "web/checkout/checkout.css",
  "web/checkout/receipt.css",
  "web/dashboard/desk/sides.tsx",
  "web/dashboard/desk/timeline.tsx",
  "web/dashboard/payments/paymentColumns.tsx",
  "web/dashboard/payments/paymentTimeline.tsx",
  "web/dashboard/shell/sidebar.tsx",
  "web/dashboard/signIn/frame.tsx",
  "web/ui/shareBar.tsx",
];

type Colours = Readonly<Record<string, string>>;
/** What class names of one literal, or one rule of a style sheet, set together. */
interface Place {
  readonly path: string;
  readonly texts: readonly string[];
  readonly backgrounds: readonly string[];
}

const TOKENS = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

/** The colours of both schemes by their names. */
function coloursOf(tokens: string): Readonly<Record<"light" | "dark", Colours>> {
  const [light = "", dark = ""] = tokens
    .split("@media (prefers-color-scheme: dark)")
    .map((part) => Object.fromEntries([...part.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, ...pair]) => pair)));
  return { light: light as Colours, dark: { ...(light as Colours), ...(dark as Colours) } };
}

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

/** The places of a source with class names, or of a style sheet. */
function placesOf(path: string, source: string, colours: Colours): Place[] {
  const isStyle = /\.css$|styles\.ts$/.test(path);
  const names = Object.keys(colours).join("|");
  const texts = isStyle
    ? /(?<![\w-])color: var\(--([\w-]+)\)/g
    : new RegExp(`(?<![\\w-])text-(?:\\[var\\(--)?(${names})(?![\\w-])`, "g");
  const backgrounds = isStyle
    ? /(?<![\w-])background(?:-color)?:[^;]*var\(--([\w-]+)\)/g
    : new RegExp(`(?<![\\w-])bg-(?:\\[[^\\]]*var\\(--)?(${names})(?![\\w-])`, "g");
  const parts = isStyle
    ? (source.match(/[^{}]*\{[^{}]*\}/g) ?? [])
    : [...(source.match(/"[^"\n]*"/g) ?? []), ...(source.replaceAll(/\$\{[^}]*\}/g, "").match(/`[^`]*`/g) ?? [])];
  return parts
    .map((part) => ({ path, texts: namesIn(part, texts), backgrounds: namesIn(part, backgrounds) }))
    .filter(({ texts, backgrounds }) => texts.length + backgrounds.length > 0);
}

const SOURCES = globSync("web/{ui,dashboard,checkout}/**/*.{ts,tsx,css}", { cwd: ROOT })
  .filter((path) => !/node_modules|\.test\.ts$/.test(path))
  .map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);

function luminance(colour: string): number {
  const long = colour.length === 4 ? colour.replaceAll(/\w/g, "$&$&") : colour;
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function ratio(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Every text on every background on which it may stand, as "text on background". */
function pairsOf(places: readonly Place[]): string[] {
  const texts = unique(places.flatMap(({ texts }) => texts)).filter((name) => ONLY_ON[name] === undefined);
  const backgrounds = unique(places.flatMap(({ backgrounds }) => backgrounds)).filter((name) => !MARKS.has(name));
  return unique([
    ...texts.flatMap((text) => backgrounds.map((background) => `${text} on ${background}`)),
    // On a mark, a literal that sets both colours: the text of a button, or of a message.
    ...places.flatMap(({ texts, backgrounds }) =>
      backgrounds.filter((one) => MARKS.has(one)).flatMap((one) => texts.map((text) => `${text} on ${one}`)),
    ),
  ]);
}

function unreadable(tokens: string, sources: typeof SOURCES): string[] {
  const { light, dark } = coloursOf(tokens);
  const pairs = pairsOf(sources.flatMap(([path, source]) => placesOf(path, source, light)));
  return Object.entries({ light, dark }).flatMap(([scheme, colours]) =>
    pairs
      .map((pair) => [pair, ratio(...(pair.split(" on ").map((name) => colours[name]!) as [string, string]))] as const)
      .filter(([, found]) => found < RATIO_MIN)
      .map(([pair, found]) => `${scheme}: ${pair} ${found.toFixed(2)}`),
  );
}

const PLACES = SOURCES.flatMap(([path, source]) => placesOf(path, source, coloursOf(TOKENS).light));

test("every text of every page can be read on every background where it stands, light and dark", () => {
  assert.deepEqual(unreadable(TOKENS, SOURCES), []);
  const pairs = pairsOf(PLACES);
  for (const pair of ["ink on paper", "soft on card", "faint on hover", "accent-ink on accent", "card on ink"])
    assert.ok(pairs.includes(pair), pair);
  assert.equal(ratio("#000", "#ffffff"), 21);
  // The API reference has colours of its own.
  const path = "server/edge/merchant/reference/styles.ts";
  const reference = readFileSync(join(ROOT, path), "utf8");
  assert.ok(placesOf(path, reference, coloursOf(reference).light).length > 10);
  assert.deepEqual(unreadable(reference, [[path, reference]]), []);
});

test("a colour that is too pale, and a class name that combines what cannot be read, are found", () => {
  const pale = TOKENS.replace("--soft: #55645d", "--soft: #8a9a92");
  assert.ok(unreadable(pale, SOURCES).includes("light: soft on card 2.95"), unreadable(pale, SOURCES).join());
  const dim = TOKENS.replace("--wait: #e0b050", "--wait: #5c4718");
  assert.ok(unreadable(dim, SOURCES).some((one) => one.startsWith("dark: wait on wait-wash")));
  for (const planted of ['"rounded-full text-edge"', '"bg-accent text-soft"', "`hover:bg-edge $" + "{size}`"])
    assert.notDeepEqual(unreadable(TOKENS, [...SOURCES, ["web/dashboard/planted.tsx", planted]]), [], planted);
  const rule = ".planted { background: var(--card); color: var(--line); }";
  assert.notDeepEqual(unreadable(TOKENS, [...SOURCES, ["web/checkout/planted.css", rule]]), []);
});

test("a text of one background is set together with it, and a mark without a text only where nothing is written", () => {
  const astray = PLACES.flatMap(({ path, texts, backgrounds }) =>
    texts.filter((text) => ![undefined, ...backgrounds].includes(ONLY_ON[text])).map((text) => `${path}: ${text}`),
  );
  assert.deepEqual(astray, []);
  const bare = PLACES.filter(
    ({ texts, backgrounds }) => texts.length === 0 && backgrounds.some((one) => MARKS.has(one)),
  );
  assert.deepEqual(unique(bare.map(({ path }) => path)), MARKED);
});
