import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";

export type Fact = readonly [title: string, value: ReactNode];

/** The facts of one object, a line each; null: left out. `inColumn`: beside the rest of a page, with a line between them. */
export const Facts = ({
  facts,
  inColumn = false,
}: {
  readonly facts: readonly (Fact | null)[];
  readonly inColumn?: boolean;
}) => (
  <dl className={`m-0 grid ${inColumn ? "" : "gap-2"}`}>
    {facts.map((fact) =>
      fact === null ? null : (
        <div
          key={fact[0]}
          className={
            inColumn ? "grid grid-cols-[120px_minmax(0,1fr)] gap-3 border-t border-line py-2" : "flex flex-wrap gap-x-3"
          }
        >
          <dt className={`text-soft ${inColumn ? "" : "min-w-[120px]"}`}>{fact[0]}</dt>
          <dd className="m-0 min-w-0 [overflow-wrap:anywhere]">{fact[1]}</dd>
        </div>
      ),
    )}
  </dl>
);

/** A value for programs. */
export const code = (text: string) => (
  <code translate="no" className="break-all">
    {text}
  </code>
);
export const badge = (tone: Tone, word: ReactNode) => <Badge tone={tone}>{word}</Badge>;
export const time = (at: string | null, none?: string) => <Time at={at} {...(none === undefined ? {} : { none })} />;
/** A fact that some objects do not have. */
export const timeIfAny = (title: string, at: string | null): Fact | null => (at === null ? null : [title, time(at)]);
