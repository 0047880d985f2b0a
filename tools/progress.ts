import type { Report } from "./report.ts";

/** Measured: all files on two cores that did nothing else. */
const WHOLE_RUN_MINUTES = 10;
const WHOLE_RUN_CORES = 2;
const TERMINAL_MS = 1_000;
const LOG_MS = 30_000;

/** The time that all files took where it was measured. A busy machine takes longer, and more cores take less. */
export const draftEstimate = (files: number, cores: number): string =>
  `${files} test files. All of them took ${WHOLE_RUN_MINUTES} minutes on ${WHOLE_RUN_CORES} idle cores; this machine has ${cores}, and takes longer while it does other things.`;

/** Says how far a run is: on a terminal in its last line, elsewhere in a line now and then. */
export class Progress {
  readonly #report: Pick<Report, "line" | "status">;
  readonly #files: number;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #ended = 0;

  constructor(report: Pick<Report, "line" | "status">, files: number, isTerminal = process.stdout.isTTY) {
    this.#report = report;
    this.#files = files;
    this.#timer = isTerminal
      ? setInterval(() => report.status(this.#draft()), TERMINAL_MS)
      : setInterval(() => report.line(this.#draft()), LOG_MS);
    this.#timer.unref();
  }

  fileEnded(): void {
    this.#ended++;
  }

  /** Leaves the lines that follow alone. */
  stop(): void {
    clearInterval(this.#timer);
    this.#report.status("");
  }

  #draft(): string {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return `${this.#ended} of ${this.#files} files after ${elapsed}`;
  }
}
