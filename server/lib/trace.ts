import { AsyncLocalStorage } from "node:async_hooks";

/** Facts of a span: words and numbers that hold no secret, no id of a customer and nothing of a body. */
type Attributes = Readonly<Record<string, string | number>>;

/** Runs work as a span below the one that runs now. `ended` gives facts that are known at its end. */
export type RunSpan = <Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  ended?: () => Attributes,
) => Promise<Result>;

let runSpan: RunSpan | null = null;
/** Traces from now on; null: no more. */
export const traceBy = (run: RunSpan | null): void => {
  runSpan = run;
};

/** Traces the work if somebody listens; costs nothing else. */
export const traced: RunSpan = (name, attributes, work, ended) =>
  runSpan === null ? work() : runSpan(name, attributes, work, ended);

/** Runs work later below the span that runs now; null while nothing is traced. */
export const keepSpan = (): (<Result>(work: () => Result) => Result) | null =>
  runSpan === null ? null : AsyncLocalStorage.snapshot();
