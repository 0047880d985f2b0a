import { CommandError, EXIT } from "@holdfast/cli/exit.ts";
import { z } from "zod";
import type { Tools } from "../tools.ts";

const DOCUMENTS_MAX = 200;
const BYTES_MAX = 1_000_000;
const AT_ONCE = 8;
const FETCH_MS_MAX = 20_000;
const TEXT_MAX = 1_500;
/** A word in a heading counts as so many in the text. */
const HEADING_WEIGHT = 4;
/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

interface Section {
  readonly title: string;
  readonly heading: string;
  readonly url: string;
  readonly text: string;
}

/** The documents of each service, which stay as they are while it runs. */
const kept = new Map<string, Promise<readonly Section[]>>();

export function registerSearch(tool: Tools): void {
  tool(
    "search_docs",
    {
      title: "Search the documents",
      description:
        "Searches the service's own documents: how to integrate, events, errors, webhooks, disputes, the specification. Answers the sections that fit best.",
      input: z.strictObject({
        query: z.string().trim().min(2).max(200).describe("a few words"),
        limit: z.int().min(1).max(10).default(4),
      }),
      output: z.object({
        sections: z.array(z.object({ title: z.string(), heading: z.string(), url: z.string(), text: z.string() })),
      }),
    },
    async ({ query, limit }, { instance }) => {
      const { origin } = new URL(instance.url);
      const reading = kept.get(origin) ?? readSections(origin);
      kept.set(origin, reading);
      // A failure is not kept.
      reading.catch(() => kept.delete(origin));
      return { sections: rank(await reading, query, limit) };
    },
  );
}

async function readSections(origin: string): Promise<readonly Section[]> {
  const list = await fetchText(`${origin}/llms.txt`);
  const urls = [...list.matchAll(/^- \[.+\]\((.+\.md)\)$/gm)].map(([, url]) => new URL(url!, origin));
  // The service names its public address, which may be another than the one that it is asked by.
  const own = [...new Set(urls.map(({ pathname }) => `${origin}${pathname}`))].slice(0, DOCUMENTS_MAX);
  const sections: Section[] = [];
  const left = [...own];
  const work = async () => {
    for (let url = left.shift(); url !== undefined; url = left.shift())
      sections.push(...sectionsOf(url, await fetchText(url)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sections;
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS_MAX), redirect: "error" }).catch(
    (error: Error) => {
      throw new CommandError(`${url} was not reached: ${error.message}`, EXIT.unreachable);
    },
  );
  const text = answer.ok ? await answer.text() : null;
  if (text === null || text.length > BYTES_MAX)
    throw new CommandError(`${url} answered ${answer.status}: this address may serve no documents.`, EXIT.refused);
  return text;
}

/** A document, split at its headings. Lines of code that begin with # are no headings. */
export function sectionsOf(url: string, document: string): Section[] {
  const title = /^# (.+)$/m.exec(document)?.[1] ?? url;
  const sections: { heading: string; lines: string[] }[] = [{ heading: title, lines: [] }];
  let isCode = false;
  for (const line of document.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} (.+)$/.exec(line)?.[1];
    if (heading === undefined) sections.at(-1)!.lines.push(line);
    else sections.push({ heading, lines: [] });
  }
  return sections
    .map(({ heading, lines }) => ({ title, heading, url, text: lines.join("\n").trim() }))
    .filter(({ text }) => text !== "");
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The sections that fit best, by BM25: rare words of the question count more, and long sections need more of them. */
export function rank(sections: readonly Section[], query: string, limit: number): Section[] {
  const wanted = [...new Set(wordsOf(query))];
  const counted = sections.map((section) => {
    const heading = wordsOf(`${section.title} ${section.heading}`);
    const words = [...Array.from({ length: HEADING_WEIGHT }, () => heading).flat(), ...wordsOf(section.text)];
    const isIt = (word: string) => (one: string) => one === word || one === `${word}s` || `${one}s` === word;
    return { section, length: words.length, counts: wanted.map((word) => words.filter(isIt(word)).length) };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const weights = wanted.map((_, at) => {
    const having = counted.filter(({ counts }) => counts[at]! > 0).length;
    return Math.log(1 + (sections.length - having + 0.5) / (having + 0.5));
  });
  const scoreOf = (counts: readonly number[], length: number) => {
    const enough = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average);
    return counts.reduce((sum, count, at) => sum + (weights[at]! * count) / (count + enough), 0);
  };
  return counted
    .map(({ section, counts, length }) => ({ section, score: scoreOf(counts, length) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ section }) => ({ ...section, text: section.text.slice(0, TEXT_MAX) }));
}
