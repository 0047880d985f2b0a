import { type ReactNode, useEffect } from "react";
import * as texts from "../catalogue/index.ts";

/** A page before the sign-in: one card, without navigation. */
export function SignInFrame({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = texts.shell.pageTitle(title);
  }, [title]);
  return (
    <main className="grid min-h-screen content-start justify-items-center bg-paper px-4 py-7">
      <div className="grid w-full max-w-narrow gap-4">
        <p className="flex items-center gap-2 font-semibold">
          <span aria-hidden="true" className="size-[24px] rounded-small bg-accent" />
          {texts.shell.product}
        </p>
        <div className="grid gap-4 rounded-card border border-line bg-card p-5">
          <div className="grid gap-1">
            <h1 className="text-title font-semibold">{title}</h1>
            {text === undefined ? null : <p className="text-soft">{text}</p>}
          </div>
          {children}
        </div>
        <a href="/shops" className="text-small text-soft">
          {texts.signIn.shops}
        </a>
      </div>
    </main>
  );
}
