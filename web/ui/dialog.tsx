import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { PART_TEXTS } from "./texts.ts";

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** A sentence under the title: the purpose of the dialog. */
  readonly text?: ReactNode;
  /** A click outside does not close it: its contents are shown only once. */
  readonly staysOpen?: boolean;
  readonly children: ReactNode;
}

/** A dialog in front of the page. It holds the focus, and Escape closes it. */
export const Dialog = ({ isOpen, onClose, title, text, staysOpen = false, children }: DialogProps) => (
  <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-10 bg-[rgb(0_0_0/45%)]" />
      <Radix.Content
        {...(text === undefined ? { "aria-describedby": undefined } : {})}
        onInteractOutside={(event) => (staysOpen ? event.preventDefault() : undefined)}
        className="fixed inset-x-3 top-[8vh] z-20 mx-auto grid max-h-[84vh] max-w-[520px] gap-4 overflow-y-auto rounded-card border border-line bg-card p-5 shadow-raised"
      >
        <div className="grid gap-1 pr-6">
          <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
          {text === undefined ? null : (
            <Radix.Description asChild>
              <div className="text-soft">{text}</div>
            </Radix.Description>
          )}
        </div>
        {children}
        <Radix.Close
          aria-label={PART_TEXTS.close}
          className="absolute top-3 right-3 rounded-small border border-transparent p-2 text-soft hover:bg-hover"
        >
          <Icon name="close" />
        </Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

/** The buttons at the end of a dialog or form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2 max-md:justify-stretch max-md:*:flex-1">{children}</div>
);
