import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { findPlace } from "./find.ts";
import { environmentIn, isSecret } from "./place.ts";
import type { InspectorTarget } from "./useInspector.ts";

interface FinderOptions {
  readonly onFound?: () => void;
  /** Shows that nothing was found; default: an error at the field. */
  readonly onNothing?: (text: string) => void;
}

/** A form that takes any identifier, reference or amount, and opens the page of what it finds (§13.13). */
export function useFinder(
  { business, name, environment }: InspectorTarget,
  { onFound, onNothing }: FinderOptions = {},
) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const find = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || text.trim() === "") return;
    if (isSecret(text)) {
      setText("");
      setError(texts.inspector.secret);
      return;
    }
    const named = environmentIn(text);
    if (named !== null && named !== environment) {
      setError(texts.inspector.otherEnvironment(named, environment));
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const place = await findPlace({ business, environment }, text);
      if (place === null && onNothing !== undefined) onNothing(text.trim());
      else if (place === null) setError(texts.inspector.notFound(name, environment));
      else {
        onFound?.();
        await navigate(place);
      }
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  const change = (text: string) => {
    setText(text);
    setError(null);
  };
  return { text, change, isBusy, error, find };
}
