import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { type ReactNode, useState } from "react";
import type { ActionOptions } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "./buttons.tsx";
import { Form, type FormProps } from "./form.tsx";

interface QuestionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A form in a dialog. */
export const FormDialog = ({ title, text, onClose, ...form }: QuestionProps & Omit<FormProps, "onCancel">) => (
  <Dialog isOpen {...{ title, text, onClose }}>
    <Form onCancel={onClose} {...form} />
  </Dialog>
);

/** Asks before an action, and closes once it is done. */
export function ConfirmDialog<Result>({
  title,
  text,
  submitText,
  cancelText = texts.common.cancel,
  kind = "danger",
  onClose,
  children,
  ...action
}: QuestionProps &
  ActionOptions<void, Result> & {
    readonly submitText: string;
    readonly cancelText?: string;
    readonly kind?: "danger" | "primary";
  }) {
  return (
    <Dialog isOpen {...{ title, text, onClose }}>
      {children}
      <Actions>
        <Button onClick={onClose}>{cancelText}</Button>
        <ActionButton kind={kind} done={onClose} {...action}>
          {submitText}
        </ActionButton>
      </Actions>
    </Dialog>
  );
}

interface SecretProps {
  readonly what: string;
  readonly secret: string;
  readonly warning: string;
  readonly onClose: () => void;
}

/** The content of a dialog that shows a secret. It is stored nowhere, so it cannot be shown again. */
export const Secret = ({ onClose, ...secret }: SecretProps) => (
  <>
    <CopyOnce {...secret} />
    <Actions>
      <Button kind="primary" onClick={onClose}>
        {texts.common.done}
      </Button>
    </Actions>
  </>
);

/** A secret with the title of its dialog and the lines above it. */
export interface IssuedSecret extends Omit<SecretProps, "onClose"> {
  readonly title: string;
  readonly above?: ReactNode;
}

interface IssueProps extends QuestionProps {
  readonly submitText: string;
  /** Null: there is no secret to show. */
  readonly issue: (values: Readonly<Record<string, string>>) => Promise<IssuedSecret | null>;
  readonly children: ReactNode;
}

/** A form whose answer has a secret, which the dialog shows next. */
export function IssueDialog({ title, text, onClose, issue, ...form }: IssueProps) {
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  if (issued !== null) {
    const { title, above, ...secret } = issued;
    return (
      <Dialog isOpen {...{ title, onClose }}>
        {above}
        <Secret {...secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog isOpen {...{ title, text, onClose }}>
      <Form onCancel={onClose} {...form} onSubmit={async (values) => setIssued(await issue(values))} />
    </Dialog>
  );
}
