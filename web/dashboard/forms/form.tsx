import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { FieldErrors } from "@holdfast/ui/field.tsx";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { ApiError } from "../api/client.ts";
import { isUnproven, messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";

export interface FormProps {
  /** Called with the texts of the fields by their names, of a file with its base64. Its errors are shown: at the fields that the service names, or above. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly children: ReactNode;
  readonly submitText: string;
  readonly onCancel?: () => void;
  /** Of the button that leaves the form; default: it cancels. */
  readonly cancelText?: string;
  /** The button is as wide as the form, on pages with nothing but a form. */
  readonly isWide?: boolean;
  /** Of the button; default: the one green one of its page. */
  readonly kind?: "primary" | "plain";
}

/** The text of a field, or the base64 of a chosen file. */
const textOf = async (value: FormDataEntryValue): Promise<string> =>
  typeof value === "string" ? value : await base64Of(value);

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    // The file may have been deleted since it was chosen.
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
const fieldsOf = (error: unknown) => (error instanceof ApiError ? error.fields : NO_FIELDS);

/**
 * A form: the browser holds its values, the service validates them, each invalid field says what is wrong, and the first
 * gets the focus.
 */
export function Form(props: FormProps) {
  const { onSubmit, children, submitText, onCancel, cancelText = texts.common.cancel } = props;
  const { isWide = false, kind = "primary" } = props;
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || form.current === null) return;
    const entries = [...new FormData(form.current)];
    setBusy(true);
    setError(null);
    try {
      const values = await Promise.all(entries.map(async ([name, value]) => [name, await textOf(value)] as const));
      await onSubmit(Object.fromEntries(values));
    } catch (failure) {
      if (!isUnproven(failure)) setError(failure);
      const wrong = fieldsOf(failure);
      const controls: readonly Element[] = [...(form.current?.elements ?? [])];
      const first = controls.find((one) => wrong.has(one.getAttribute("name") ?? ""));
      if (first instanceof HTMLElement) first.focus();
    } finally {
      setBusy(false);
    }
  };
  const fields = fieldsOf(error);
  const elsewhere = [...fields].flatMap(([name, message]) =>
    form.current?.elements.namedItem(name) == null ? [message] : [],
  );
  const above = error !== null && fields.size === 0 ? [messageOf(error)] : elsewhere;
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4" noValidate>
      {above.length === 0 ? null : (
        <div role="alert">
          <Notice tone="bad">
            {above.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </Notice>
        </div>
      )}
      <FieldErrors value={(name = "") => fields.get(name) ?? null}>{children}</FieldErrors>
      {isWide ? (
        <Button type="submit" kind="primary" isBusy={isBusy} className="w-full">
          {submitText}
        </Button>
      ) : (
        <Actions>
          {onCancel === undefined ? null : <Button onClick={onCancel}>{cancelText}</Button>}
          <Button type="submit" kind={kind} isBusy={isBusy}>
            {submitText}
          </Button>
        </Actions>
      )}
    </form>
  );
}
