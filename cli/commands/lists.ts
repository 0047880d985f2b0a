import { type Command, InvalidArgumentError, Option } from "commander";
import type { Common } from "../output.ts";

export interface ListOptions extends Common {
  readonly limit: number;
  readonly all?: boolean;
}

/** Parses a whole number from 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}

/** Parses the sequence of an event. */
export function parseSequence(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError("Expected the sequence of an event, or 0.");
  return text;
}

export const addListOptions = (command: Command): Command =>
  command
    .addOption(new Option("--limit <n>", "how many at most").argParser(parseCount).default(20))
    .option("--all", "all of them, page by page");

/** The items of a list up to the limit. */
export async function* listed<Item>(
  list: AsyncIterable<Item>,
  { limit, all = false }: Pick<ListOptions, "limit" | "all">,
): AsyncGenerator<Item, void, undefined> {
  let count = 0;
  for await (const item of list) {
    yield item;
    if (!all && ++count >= limit) return;
  }
}
