import { TextField } from "@holdfast/ui/field.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { write } from "../api/queries.ts";
import type { UnmatchedPayment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";

/** The order to which a payment that matches none belongs, in a member's words. */
export function NoteSection({ payment: { id, note, notedBy, notedAt } }: { readonly payment: UnmatchedPayment }) {
  const { path, may } = useTenant();
  const labels = texts.payment.unmatched.note;
  const save = (text: string | null) =>
    write("noteUnmatchedPayment", { path: { ...path, payment: id }, body: { note: text } });
  const button = (title: string) => (
    <DialogButton
      dialog={(close) => (
        <FormDialog
          title={title}
          text={labels.dialogText}
          submitText={texts.common.save}
          onClose={close}
          onSubmit={async ({ note: text = "" }) => {
            await save(text.trim());
            close();
          }}
        >
          <TextField
            label={labels.label}
            name="note"
            defaultValue={note ?? ""}
            maxLength={500}
            autoComplete="off"
            required
          />
        </FormDialog>
      )}
    >
      {title}
    </DialogButton>
  );
  return (
    <Section
      title={labels.title}
      text={labels.text}
      actions={
        may("refund_payments") ? (
          <>
            {button(note === null ? labels.add : labels.edit)}
            {note === null ? null : (
              <ActionButton run={() => save(null)} said={labels.removed}>
                {labels.remove}
              </ActionButton>
            )}
          </>
        ) : undefined
      }
    >
      {note === null ? null : (
        <div className="rounded-card border border-line p-4">
          <p className="break-words">{note}</p>
          <p className="text-small text-soft">
            <Filled text={labels.by(notedBy ?? "")} slots={{ time: <Time at={notedAt} /> }} />
          </p>
        </div>
      )}
    </Section>
  );
}
