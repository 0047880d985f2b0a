import { type ReactNode, useEffect } from "react";
import * as texts from "../catalogue/index.ts";

/** A page: its title, its actions, one sentence about it, and its contents. */
export function Page({
  title,
  text,
  actions,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = texts.shell.pageTitle(title);
  }, [title]);
  return (
    <div className="mx-auto grid w-full max-w-page gap-5 px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-start gap-3">
        <div className="grid min-w-0 flex-1 basis-[280px] gap-1">
          <h1 className="text-title font-semibold">{title}</h1>
          {text === undefined ? null : <p className="max-w-text text-soft">{text}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its own title. */
export const Section = ({
  title,
  text,
  actions,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="grid gap-3">
    <div className="flex flex-wrap items-start gap-3">
      <div className="grid min-w-0 flex-1 basis-[280px] gap-1">
        <h2 className="text-lead font-semibold">{title}</h2>
        {text === undefined ? null : <p className="max-w-text text-soft">{text}</p>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
    {children}
  </section>
);
