import { TextArea } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { write } from "../api/queries.ts";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";

/** What the arbiter notes for themselves. It is saved by a press, unlike the draft of a decision, and read on every device. */
export function OwnNote({ dispute: { id, note } }: { readonly dispute: DeskDispute }) {
  const labels = texts.desk.note;
  return (
    <Section title={labels.title} text={labels.text}>
      <div className="max-w-text">
        <Form
          submitText={labels.save}
          kind="plain"
          onSubmit={async ({ text = "" }) => {
            const body = text.trim() === "" ? {} : { text: text.trim() };
            await write("noteDeskDispute", { path: { dispute: id }, body });
            showToast(labels.saved);
          }}
        >
          <TextArea key={note} label={labels.label} name="text" rows={4} maxLength={5_000} defaultValue={note ?? ""} />
        </Form>
      </div>
    </Section>
  );
}
