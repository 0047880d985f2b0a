import { Time } from "@holdfast/ui/time.tsx";

const TIMESTAMP = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** The sentences about an endpoint's state, with their times in the reader's zone. */
export const StateText = ({ text }: { readonly text: string }) => (
  <p className="max-w-text">
    {text.split(TIMESTAMP).map((part) => (TIMESTAMP.test(part) ? <Time key={part} at={part} /> : part))}
  </p>
);
