import { type ReactNode, useEffect } from "react";
import * as texts from "../catalogue/index.ts";

interface PageProps {
  readonly title: string;
  /** Replaces the heading of a page whose title is for the browser's tab alone. It has the page's `h1`. */
  readonly heading?: ReactNode;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A page: its title, what can be done on it, one sentence about it, and what it shows. */
export function Page({ title, heading, children, ...rest }: PageProps) {
  useEffect(() => {
    document.title = texts.shell.pageTitle(title);
  }, [title]);
  return (
    <div className="mx-auto grid w-full max-w-page gap-5 px-6 py-5 max-md:px-4">
      <header>
        <Heading {...rest}>{heading ?? <h1 className="text-title font-semibold">{title}</h1>}</Heading>
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its own title. */
export const Section = ({ title, children, ...rest }: Omit<PageProps, "heading">) => (
  <section className="grid gap-3">
    <Heading {...rest}>
      <h2 className="text-lead font-semibold">{title}</h2>
    </Heading>
    {children}
  </section>
);

const Heading = ({ text, actions, children }: Omit<PageProps, "title" | "heading">) => (
  <div className="flex flex-wrap items-start gap-3">
    <div className="grid min-w-0 flex-1 basis-[280px] gap-1">
      {children}
      {text === undefined ? null : <p className="max-w-text text-soft">{text}</p>}
    </div>
    {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
  </div>
);
