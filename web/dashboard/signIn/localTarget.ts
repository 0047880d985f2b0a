import type { NavigateOptions } from "@tanstack/react-router";

/** A path of these pages to which a link may return; any other text, such as another site, leads home. */
export const localTarget = (next: string | undefined): NavigateOptions => {
  const known =
    next !== undefined && /^\/(?![/\\])[\w\-./?=&%~+:,]*$/.test(next) ? new URL(next, "http://localhost") : null;
  return known === null
    ? { to: "/" }
    : ({ to: known.pathname, search: Object.fromEntries(known.searchParams) } as NavigateOptions);
};
