import { useState } from "react";
import { Notice } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { PART_TEXTS } from "./texts.ts";

const SAID_MS = 2_000;

function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    // Without the permission the text is still there to be selected by hand.
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), SAID_MS);
      },
      () => undefined,
    );
  return { isCopied, copy };
}

/** Copies a text, and says that it did. */
export function CopyButton({
  text,
  label = PART_TEXTS.copy,
  kind = "plain",
}: {
  readonly text: string;
  readonly label?: string;
  readonly kind?: "plain" | "primary";
}) {
  const { isCopied, copy } = useCopy(text);
  return (
    <Button kind={kind} onClick={copy} aria-live="polite">
      <Icon name={isCopied ? "check" : "copy"} />
      {isCopied ? PART_TEXTS.copied : label}
    </Button>
  );
}

const LONG_CHARACTERS = 200;

/** A text for another place, with a button that copies it. The keyboard scrolls a long one. */
export const CopyText = ({ what, text }: { readonly what: string; readonly text: string }) => (
  <div className="flex flex-wrap items-start gap-2">
    <code
      data-copy={what}
      {...(text.length > LONG_CHARACTERS ? { tabIndex: 0 } : {})}
      className="max-h-[20vh] min-w-0 overflow-y-auto flex-1 basis-[240px] break-all rounded-small border border-line bg-paper px-3 py-2"
    >
      {text}
    </code>
    <CopyButton text={text} />
  </div>
);

/** A secret that is shown this once, with a button that copies it, and a sentence that says so. */
export const CopyOnce = ({
  what,
  secret,
  warning,
}: {
  readonly what: string;
  readonly secret: string;
  readonly warning: string;
}) => (
  <div className="grid gap-3">
    <Notice tone="wait">{warning}</Notice>
    <div className="flex flex-wrap items-start gap-2">
      <code
        data-secret={what}
        className="min-w-0 flex-1 basis-[240px] whitespace-pre-wrap break-all rounded-small border border-line bg-paper px-3 py-2"
      >
        {secret}
      </code>
      <CopyButton text={secret} />
    </div>
  </div>
);

const START = 8;
const END = 6;

/** A long id with its middle folded: its tooltip, screen readers and copies have all of it, since all of it is in the page. */
export const FoldedId = ({ id }: { readonly id: string }) =>
  id.length <= START + END + 1 ? (
    id
  ) : (
    <span title={id} className="whitespace-nowrap">
      {id.slice(0, START)}
      <span className="folded">{id.slice(START, -END)}</span>
      {id.slice(-END)}
    </span>
  );

/** A long id, folded, that a press copies. */
export function ShortId({ id }: { readonly id: string }) {
  const { isCopied, copy } = useCopy(id);
  return (
    <button
      type="button"
      title={id}
      onClick={copy}
      className="rounded-small border-0 bg-transparent p-0 font-mono text-small text-soft hover:text-ink"
    >
      {isCopied ? null : <span className="sr-only">{PART_TEXTS.copy} </span>}
      {isCopied ? PART_TEXTS.copied : <FoldedId id={id} />}
    </button>
  );
}
