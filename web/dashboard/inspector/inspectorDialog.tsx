import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, call } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";
import { environmentIn, isSecret, placeOf } from "./place.ts";
import type { InspectorTarget } from "./useInspector.ts";

const SECRET_TEXT = "This is a secret. It was sent nowhere; do not paste it anywhere. A key's id begins with key_.";

/** Asks for whatever somebody has in hand, and leads to what it is of (§13.13). */
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
      setError(SECRET_TEXT);
      return;
    }
    const named = environmentIn(text);
    if (named !== null && named !== environment) {
      setError(`This is an id of ${named}, and these pages show ${environment}. Switch to ${named}, then look again.`);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const found = await call("inspect", { path, body: { text } });
      onClose();
      await navigate(placeOf(path, found));
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.status === 404;
      setError(
        isUnknown
          ? `Nothing found here. ${name} has nothing by this in ${environment}. A request that was just answered may take a moment.`
          : messageOf(failure),
      );
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Find by id"
      text={`Of an intent, payment, event, endpoint, delivery or key; a Request-Id; a transaction's signature; an address; a reference. Looks in ${name}, ${environment}.`}
    >
      <form onSubmit={(event) => void find(event)} className="grid gap-4" noValidate>
        <TextField
          label="Id, signature, address or reference"
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
            Find
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
