import { Badge } from "@holdfast/ui/badge.tsx";
import { ShortId } from "@holdfast/ui/copy.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { AuditEntry } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ListPage } from "../pages/listPage.tsx";
import { useTenant } from "../shell/tenant.ts";
import { detailsOf, placeOf, textOf } from "./entry.ts";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: texts.audit.action, cell: (entry) => <Entry entry={entry} /> },
  {
    title: texts.audit.actor,
    cell: ({ actor }) => (
      <span className="grid">
        <span className="break-all">{actor.name}</span>
        <span className="text-small text-soft">{placeOf(actor)}</span>
      </span>
    ),
    wideOnly: true,
  },
  { title: texts.common.time, cell: ({ recordedAt }) => <Time at={recordedAt} inRow />, end: true, wideOnly: true },
];

/** §13.6. */
export function AuditPage() {
  const { business } = useTenant();
  return (
    <ListPage
      operation="listAuditEntries"
      input={{ path: { business: business.id } }}
      title={texts.audit.title}
      text={texts.audit.text}
      filters={texts.audit.filters}
      columns={COLUMNS}
      empty={texts.audit.empty}
    />
  );
}

/** An entry in words, with all its recorded details. On a narrow screen, actor and time are in this cell. */
const Entry = ({ entry }: { readonly entry: AuditEntry }) => (
  <div className="grid gap-1">
    <p className="flex flex-wrap items-center gap-2">
      <span className="font-medium">{textOf(entry)}</span>
      {entry.environment === null ? null : (
        <Badge tone={entry.environment === "live" ? "info" : "neutral"}>{entry.environment}</Badge>
      )}
    </p>
    <p className="text-small text-soft md:hidden">
      {[entry.actor.name, placeOf(entry.actor)].join(", ")}, <Time at={entry.recordedAt} />
    </p>
    <p className="flex flex-wrap gap-x-2 text-small text-soft">
      <code translate="no">{entry.action}</code>
      {entry.target === null ? null : <ShortId id={entry.target} />}
    </p>
    <dl className="m-0 grid gap-1 text-small">
      {detailsOf(entry).map(([name, text]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-soft">{name}</dt>
          <dd className="m-0 min-w-0 break-all">{text}</dd>
        </div>
      ))}
    </dl>
  </div>
);
