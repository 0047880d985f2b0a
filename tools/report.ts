import type { Readable } from "node:stream";
import { spec } from "node:test/reporters";

const NEWLINE = 10;

/** Writes what happens in node's own words. */
export class Report {
  readonly #spec = new spec();
  /** The line below everything else, on a terminal. */
  #status = "";
  #isShown = false;

  constructor() {
    // The stream is a Transform, whose type says less.
    (this.#spec as unknown as Readable).on("data", (chunk: Buffer) => {
      this.#erase();
      process.stdout.write(chunk);
      // The output of a test may stop within a line.
      if (chunk.at(-1) === NEWLINE) this.#show();
    });
  }

  status(text: string): void {
    const isWithinLine = this.#status !== "" && !this.#isShown;
    this.#erase();
    this.#status = text;
    if (!isWithinLine) this.#show();
  }

  #erase(): void {
    if (this.#isShown) process.stdout.write("\r\x1b[2K");
    this.#isShown = false;
  }

  #show(): void {
    if (this.#status !== "") process.stdout.write(this.#status);
    this.#isShown = this.#status !== "";
  }

  write(event: { type: string; data: unknown }): void {
    this.#spec.write(event);
  }

  line(message: string): void {
    this.write({ type: "test:diagnostic", data: { nesting: 0, message } });
  }

  /** Lists the failures since the last list. */
  listFailures(): void {
    this.write({ type: "test:summary", data: { file: undefined } });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#spec.once("end", () => process.stdout.write("", () => resolve()));
      this.#spec.end();
    });
  }
}
