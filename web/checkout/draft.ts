import { keep, kept, readJson } from "./storage.ts";

/** What a buyer writes down about a payment, before it can be sent to anybody. It never leaves this browser by itself. */
export interface Draft {
  /** The name of the reason; empty: none is chosen. */
  readonly reason: string;
  readonly text: string;
  readonly want: "all" | "part";
  /** The amount of the part, as typed. */
  readonly part: string;
}

export const EMPTY_DRAFT: Draft = { reason: "", text: "", want: "all", part: "" };
const TEXT_MAX = 5_000;
const PART_MAX = 40;

/** The place of one payment's draft in this browser. */
export class DraftStore {
  readonly name: string;

  constructor(path: string) {
    this.name = `holdfast draft ${path}`;
  }

  /** Returns null if nothing is kept. */
  load(): Draft | null {
    return parseDraft(kept("localStorage", this.name));
  }

  /** Returns false if this browser keeps nothing. */
  save(draft: Draft): boolean {
    return keep("localStorage", this.name, JSON.stringify(draft));
  }

  remove(): void {
    keep("localStorage", this.name, null);
  }
}

/** Reads what another version of this page may have written, or an extension changed. */
export function parseDraft(text: string | null): Draft | null {
  const read = readJson(text);
  if (read === null || typeof read !== "object") return null;
  const of = (name: string, max: number): string => {
    const value = (read as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value.slice(0, max) : "";
  };
  const want = of("want", PART_MAX) === "part" ? "part" : "all";
  return { reason: of("reason", PART_MAX), text: of("text", TEXT_MAX), want, part: of("part", PART_MAX) };
}
