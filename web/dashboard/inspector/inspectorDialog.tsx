import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import * as texts from "../catalogue/index.ts";
import { useFinder } from "./useFinder.ts";
import type { InspectorTarget } from "./useInspector.ts";

/** Takes any identifier and opens the page of its object (§13.13). */
export function InspectorDialog({
  target,
  onClose,
}: {
  readonly target: InspectorTarget;
  readonly onClose: () => void;
}) {
  const { text, change, isBusy, error, find } = useFinder(target, { onFound: onClose });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.inspector.title}
      text={texts.inspector.text(target.name, target.environment)}
    >
      <form onSubmit={(event) => void find(event)} className="grid gap-4" noValidate>
        <TextField
          label={texts.inspector.field}
          name="text"
          value={text}
          onChange={({ target }) => change(target.value)}
          placeholder="pi_test_…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={texts.inspector.hint}
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
