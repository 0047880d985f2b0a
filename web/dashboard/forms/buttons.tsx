import { Button, type ButtonProps } from "@holdfast/ui/button.tsx";
import { type ReactNode, useState } from "react";
import { type ActionOptions, useAction } from "../api/useAction.ts";

type Look = Omit<ButtonProps, "onClick" | "isBusy">;

/** A button that changes something at the service. */
export function ActionButton<Result>({ run, said, done, ...look }: Look & ActionOptions<void, Result>) {
  const { mutate, isPending } = useAction({ run, said, done });
  return <Button {...look} isBusy={isPending} onClick={() => mutate()} />;
}

/** A button that opens a dialog. A page that takes the button away closes the dialog. */
export function DialogButton({ dialog, ...look }: Look & { readonly dialog: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)} />
      {isOpen ? dialog(() => setOpen(false)) : null}
    </>
  );
}
