import type { Report } from "./checker.ts";

/** The measurements of a scenario, and the checker's report at its end. A scenario throws when a promise is broken. */
export interface Figures {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly report: Report | null;
}

export interface Scenario {
  readonly about: string;
  /** The long run; the seed decides everything random. */
  run(seed: number): Promise<Figures>;
}
