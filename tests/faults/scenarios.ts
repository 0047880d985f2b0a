import type { Report } from "./checker.ts";

/** What a scenario measured, and what the checker said at its end. A scenario throws when a promise is broken. */
export interface Figures {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly report: Report | null;
}

export interface Scenario {
  readonly about: string;
  /** The long run; everything by chance follows from the seed. */
  run(seed: number): Promise<Figures>;
}
