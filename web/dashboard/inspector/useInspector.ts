import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { accountQuery } from "../api/queries.ts";

/** The tenant that the inspector searches. */
export interface InspectorTarget {
  readonly business: string;
  readonly name: string;
  readonly environment: "test" | "live";
}

/** The inspector of the page: Ctrl K, or Cmd K, opens it on each. `target` is null if the user has no business. */
export function useInspector() {
  const { business: id, environment = "test" } = useParams({ strict: false });
  const { businesses } = useSuspenseQuery(accountQuery).data;
  // On pages without a business it searches the one that the home page leads to.
  const business = businesses.find((one) => one.id === id) ?? (id === undefined ? businesses[0] : undefined);
  const target: InspectorTarget | null =
    business === undefined ? null : { business: business.id, name: business.name, environment };
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isKey =
        event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      // An open dialog keeps the focus.
      if (!isKey || document.querySelector("[role=dialog]") !== null) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [open]);
  return { target, isOpen, open, close };
}
