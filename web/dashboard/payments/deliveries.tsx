import { TextField } from "@holdfast/ui/field.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { read, write } from "../api/queries.ts";
import type { Fulfillment } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { useTenant } from "../shell/tenant.ts";

const labels = texts.disputes.deliveries;
const COLUMNS: readonly Column<Fulfillment>[] = [
  { title: labels.carrier, cell: ({ carrier }) => <span className="break-words">{carrier ?? texts.common.none}</span> },
  {
    title: labels.number,
    cell: ({ trackingNumber, link }) =>
      link === null ? (
        <span className="break-all">{trackingNumber ?? texts.common.none}</span>
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer" className="break-all">
          {trackingNumber ?? labels.link}
        </a>
      ),
  },
  { title: labels.sentAt, cell: ({ sentAt }) => <Time at={sentAt} inRow />, wideOnly: true },
  { title: labels.deliveredAt, cell: ({ deliveredAt }) => <Time at={deliveredAt} inRow /> },
  { title: labels.recordedAt, cell: ({ recordedAt }) => <Time at={recordedAt} inRow />, wideOnly: true },
];

/** The deliveries that the merchant recorded on an intent, and a form for the next (§4.19). */
export function Deliveries({ intent }: { readonly intent: string }) {
  const { path, may } = useTenant();
  const query = useQuery(read("listFulfillments", { path: { ...path, intent } }));
  return (
    <TableSection
      title={labels.title}
      text={labels.text}
      actions={
        may("answer_disputes") ? (
          <DialogButton dialog={(close) => <RecordDialog intent={intent} onClose={close} />}>
            {labels.record}
          </DialogButton>
        ) : undefined
      }
      query={query}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={labels.empty}
    />
  );
}

function RecordDialog({ intent, onClose }: { readonly intent: string; readonly onClose: () => void }) {
  const { path } = useTenant();
  return (
    <FormDialog
      title={labels.record}
      text={labels.recordText}
      submitText={labels.record}
      onClose={onClose}
      onSubmit={async ({ carrier, trackingNumber, link, sentAt, deliveredAt }) => {
        const given = { carrier, trackingNumber, link, sentAt: exact(sentAt), deliveredAt: exact(deliveredAt) };
        // A field that is empty is not given.
        const body = Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
        );
        await write("recordFulfillment", { path: { ...path, intent }, body });
        onClose();
        showToast(labels.recorded);
      }}
    >
      <TextField label={labels.carrier} name="carrier" maxLength={100} autoComplete="off" />
      <TextField label={labels.number} name="trackingNumber" maxLength={100} autoComplete="off" />
      <TextField label={labels.link} name="link" type="url" hint={labels.linkHint} autoComplete="off" />
      <TextField label={labels.sentAt} name="sentAt" type="datetime-local" />
      <TextField label={labels.deliveredAt} name="deliveredAt" type="datetime-local" />
    </FormDialog>
  );
}

/** A time in the reader's zone, as the API takes it. */
const exact = (local: string | undefined): string | undefined =>
  local === undefined || local === "" ? undefined : new Date(local).toISOString();
