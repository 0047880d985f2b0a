import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, call } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { placeOf } from "../place.ts";
import { environmentIn, isSecret } from "./place.ts";
import type { InspectorTarget } from "./useInspector.ts";

/** Takes any identifier and opens the page of its object (§13.13). */
export function InspectorDialog({
  target: { business, name, environment },
  onClose,
}: {
  readonly target: InspectorTarget;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const path = { business, environment };

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
      const { kind, id } = await call("inspect", { path, body: { text } });
      onClose();
      await navigate(placeOf(path, kind, id));
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.status === 404;
      setError(isUnknown ? texts.inspector.notFound(name, environment) : messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={texts.inspector.title} text={texts.inspector.text(name, environment)}>
      <form onSubmit={(event) => void find(event)} className="grid gap-4" noValidate>
        <TextField
          label={texts.inspector.field}
          name="text"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setError(null);
          }}
          placeholder="pi_test_…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={error}
        />
        <p role="status" className="sr-only">
          {error ?? ""}
        </p>
        <Actions>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {texts.common.find}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
