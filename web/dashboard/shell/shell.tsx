import { Button } from "@holdfast/ui/button.tsx";
import { Icon } from "@holdfast/ui/icon.tsx";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react";
import * as texts from "../catalogue/index.ts";
import { useInspector } from "../inspector/useInspector.ts";
import { Sidebar } from "./sidebar.tsx";

const InspectorDialog = lazy(() =>
  import("../inspector/inspectorDialog.tsx").then(({ InspectorDialog }) => ({ default: InspectorDialog })),
);

/** The frame of all pages behind the sign-in: navigation at the side, folded on a narrow screen. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const inspector = useInspector();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page starts at its beginning, also for users of a keyboard or a screen reader. It does so before it can be used: an
  // effect after the paint would take the focus from whoever is quick.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the path changes
  useLayoutEffect(() => {
    setOpen(false);
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [pathname]);
  return (
    <div className="grid min-h-screen grid-cols-[14rem_minmax(0,1fr)] max-md:block">
      <a
        href="#main"
        className="absolute left-2 -top-7 z-30 rounded-small bg-accent px-3 py-2 text-accent-ink focus:top-2"
      >
        {texts.shell.skip}
      </a>
      <header className="flex items-center gap-2 border-b border-line bg-paper px-4 py-2 md:hidden">
        <Button
          kind="quiet"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={texts.shell.navigation}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "close" : "menu"} />
        </Button>
        <span className="flex-1 font-semibold">{texts.shell.product}</span>
        {inspector.target === null ? null : (
          <Button kind="quiet" aria-label={texts.shell.find} onClick={inspector.open}>
            <Icon name="search" />
          </Button>
        )}
      </header>
      <div id="navigation" className={`border-r border-line bg-paper ${isOpen ? "" : "max-md:hidden"}`}>
        <Sidebar onFind={inspector.target === null ? null : inspector.open} />
      </div>
      <main ref={main} id="main" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </main>
      {inspector.isOpen && inspector.target !== null ? (
        <Suspense>
          <InspectorDialog target={inspector.target} onClose={inspector.close} />
        </Suspense>
      ) : null}
    </div>
  );
}
