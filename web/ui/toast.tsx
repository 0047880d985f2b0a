import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";
import { PART_TEXTS } from "./texts.ts";

interface Message {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "bad";
}

let messages: readonly Message[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

const change = (next: readonly Message[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

/** Confirms the last action for some seconds. Screen readers read it, and it can be closed. */
export const showToast = (text: string, tone: Message["tone"] = "good"): void =>
  change([...messages, { id: nextId++, text, tone }]);

const close = (id: number): void => change(messages.filter((one) => one.id !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const read = () => messages;

const SHOWN_MS = 8_000;

/** The place of all messages. It is on the page from the start, so that screen readers read new ones. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, read, read);
  return (
    <div
      role="status"
      // On a phone the button of a form is as wide as the screen and at its end, so messages are at its beginning.
      className="pointer-events-none fixed right-3 bottom-3 z-30 grid w-[calc(100vw-24px)] max-w-narrow gap-2 max-md:top-[56px] max-md:bottom-auto max-md:content-start"
    >
      {shown.map((message) => (
        <Toast key={message.id} {...message} />
      ))}
    </div>
  );
}

function Toast({ id, text, tone }: Message) {
  useEffect(() => {
    const timer = setTimeout(() => close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="pointer-events-auto flex items-start gap-3 rounded-small bg-ink px-4 py-3 text-card shadow-raised">
      <Icon name={tone === "good" ? "check" : "warning"} />
      <span className="min-w-0 flex-1 break-words">{text}</span>
      <button
        type="button"
        aria-label={PART_TEXTS.closeMessage}
        onClick={() => close(id)}
        className="border-0 bg-transparent p-0"
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
