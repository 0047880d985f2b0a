import type { ReactNode } from "react";

/** The facts of one object, a line each. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [title: string, value: ReactNode])[] }) => (
  <dl className="m-0 grid gap-2">
    {facts.map(([title, value]) => (
      <div key={title} className="flex flex-wrap gap-x-3">
        <dt className="min-w-[120px] text-soft">{title}</dt>
        <dd className="m-0 min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
