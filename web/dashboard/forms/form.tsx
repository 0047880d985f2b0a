import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { FieldErrors } from "@holdfast/ui/field.tsx";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { ApiError } from "../api/client.ts";
import { isUnproven, messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";

export interface FormProps {
  /** Called with the texts of the fields by their names, of a file with its base64. Its errors are shown: at the field that the service names, or above. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly children: ReactNode;
  readonly submitText: string;
  readonly onCancel?: () => void;
  /** The button is as wide as the form, on pages with nothing but a form. */
  readonly isWide?: boolean;
  readonly isDanger?: boolean;
}

/** The text of a field, or the base64 of a chosen file. */
const textOf = async (value: FormDataEntryValue): Promise<string> =>
  typeof value === "string" ? value : await base64Of(value);

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
  // The file may have been deleted since it was chosen.
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

/** A form: the browser holds its values, the service validates them, and the first invalid field gets the focus. */
export function Form({ onSubmit, children, submitText, onCancel, isWide = false, isDanger = false }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const param = error instanceof ApiError ? error.param : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || form.current === null) return;
    const entries = [...new FormData(form.current)];
    setBusy(true);
    setError(null);
    try {
      const texts = await Promise.all(entries.map(async ([name, value]) => [name, await textOf(value)] as const));
      await onSubmit(Object.fromEntries(texts));
    } catch (failure) {
      if (!isUnproven(failure)) setError(failure);
      const named = failure instanceof ApiError && failure.param !== null ? failure.param : null;
      const field = named === null ? null : form.current?.elements.namedItem(named);
      if (field instanceof HTMLElement) field.focus();
    } finally {
      setBusy(false);
    }
  };
  const isShownAtField = param !== null && form.current?.elements.namedItem(param) != null;
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4" noValidate>
      {error !== null && !isShownAtField ? (
        <div role="alert">
          <Notice tone="bad">{messageOf(error)}</Notice>
        </div>
      ) : null}
      <FieldErrors value={(name) => (name === param ? messageOf(error) : null)}>{children}</FieldErrors>
      {isWide ? (
        <Button type="submit" kind="primary" isBusy={isBusy} className="w-full">
          {submitText}
        </Button>
      ) : (
        <Actions>
          {onCancel === undefined ? null : <Button onClick={onCancel}>{texts.common.cancel}</Button>}
          <Button type="submit" kind={isDanger ? "danger" : "primary"} isBusy={isBusy}>
            {submitText}
          </Button>
        </Actions>
      )}
    </form>
  );
}
