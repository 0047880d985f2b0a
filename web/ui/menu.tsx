import { type ReactNode, type ToggleEvent, useId, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface MenuItem {
  readonly text: string;
  readonly onSelect: () => void;
  /** Removes something. */
  readonly isDanger?: boolean;
  /** It is the current choice. */
  readonly isCurrent?: boolean;
}

const GAP = 4;
const EDGE = 8;

/**
 * A button that opens a list of actions. The list is the browser's own popover: Escape and a press elsewhere close it, and
 * nothing clips it.
 */
export function Menu({
  items,
  children,
  ...button
}: { readonly items: readonly MenuItem[]; readonly children: ReactNode } & Omit<ButtonProps, "onClick">) {
  const id = useId();
  const trigger = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = ({ newState }: ToggleEvent) => {
    if (newState !== "open" || trigger.current === null || list.current === null) return;
    const at = trigger.current.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = list.current;
    const below = at.bottom + GAP + offsetHeight <= innerHeight - EDGE;
    style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - offsetWidth - EDGE))}px`;
    style.top = `${Math.max(EDGE, below ? at.bottom + GAP : at.top - GAP - offsetHeight)}px`;
  };
  const opened = (event: ToggleEvent) => {
    setOpen(event.newState === "open");
    place(event);
    if (event.newState === "open") list.current?.querySelector("button")?.focus();
  };
  return (
    <span ref={trigger} className="inline-grid">
      <Button {...button} aria-expanded={isOpen} popoverTarget={id}>
        {children}
      </Button>
      <ul
        ref={list}
        id={id}
        popover="auto"
        onToggle={opened}
        className="fixed inset-auto m-0 max-h-[60vh] min-w-[180px] max-w-[320px] list-none overflow-y-auto rounded-small border border-line bg-card p-1 text-ink shadow-raised"
      >
        {items.map(({ text, onSelect, isDanger, isCurrent }) => (
          <li key={text}>
            <button
              type="button"
              aria-current={isCurrent ? "true" : undefined}
              onClick={() => {
                list.current?.hidePopover();
                onSelect();
              }}
              className={`w-full truncate rounded-small border-0 bg-transparent px-3 py-2 text-left hover:bg-hover ${isDanger ? "text-bad" : ""} ${isCurrent ? "font-semibold text-accent" : ""}`}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </span>
  );
}
