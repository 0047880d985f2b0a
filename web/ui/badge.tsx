import type { ReactNode } from "react";

const TONES = {
  good: "bg-good-wash text-good",
  wait: "bg-wait-wash text-wait",
  bad: "bg-bad-wash text-bad",
  info: "bg-info-wash text-info",
  neutral: "bg-hover text-soft",
} as const;

export type Tone = keyof typeof TONES;

/** A state in a word. Its colour repeats the word, and never says it alone. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`inline-block whitespace-nowrap rounded-full px-2 text-small font-semibold ${TONES[tone]}`}>
    {children}
  </span>
);

/** Sentences to be read before the rest of the page. */
export const Notice = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <div role="note" className={`grid gap-1 rounded-small px-4 py-3 ${TONES[tone]}`}>
    {children}
  </div>
);
