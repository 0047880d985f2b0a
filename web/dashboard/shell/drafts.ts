import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { accountQuery } from "../api/queries.ts";

const PREFIX = "draft:";

/** A draft of the user, kept on this device alone. Tabs share it, so that none sends again what another has sent. */
export function useDraft(of: string): readonly [text: string, change: (text: string) => void] {
  const { user } = useSuspenseQuery(accountQuery).data;
  const key = `${PREFIX}${user.id}:${of}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === key) setText(event.newValue ?? "");
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [key]);
  const change = (next: string) => {
    setText(next);
    if (next === "") localStorage.removeItem(key);
    else localStorage.setItem(key, next);
  };
  return [text, change];
}

/** Deletes all drafts from this device, when the user signs out. */
export function clearDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
