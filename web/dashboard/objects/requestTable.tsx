import { Badge } from "@holdfast/ui/badge.tsx";
import { FoldedId } from "@holdfast/ui/copy.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { Request } from "../api/schema.ts";
import { useTenant } from "../shell/tenant.ts";

/** An id or an address within a path. */
const ID = /([a-z]+_(?:test_|live_)?[0-9a-f]{32}|[1-9A-HJ-NP-Za-km-z]{32,88})/;

export function RequestTable({ rows }: { readonly rows: readonly Request[] }) {
  const { path } = useTenant();
  return (
    <Table
      caption="Requests"
      columns={[
        {
          title: "Request",
          cell: (request: Request) => (
            <Link to="/$business/$environment/requests/$request" params={{ ...path, request: request.id }}>
              <code className="break-all">
                {request.method}{" "}
                {request.path.split(ID).map((part) => (ID.test(part) ? <FoldedId key={part} id={part} /> : part))}
              </code>
            </Link>
          ),
        },
        { title: "Answer", cell: (request) => <Answer {...request} /> },
        { title: "Took", cell: ({ durationMs }) => `${Math.ceil(durationMs)} ms`, end: true, wideOnly: true },
        { title: "When", cell: ({ arrivedAt }) => <Time at={arrivedAt} inRow />, end: true, wideOnly: true },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

/** The status and the error of an answer. */
const Answer = ({ status, errorCode }: { readonly status: number; readonly errorCode: string | null }) => (
  <span className="flex flex-wrap items-baseline gap-x-2">
    <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge>
    {errorCode === null ? null : <code className="break-all text-small">{errorCode}</code>}
  </span>
);
