import { Badge } from "@holdfast/ui/badge.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { Request } from "../api/schema.ts";
import { useTenant } from "../shell/tenant.ts";

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
                {request.method} {request.path}
              </code>
            </Link>
          ),
        },
        { title: "Answer", cell: (request) => <Answer {...request} /> },
        { title: "Took", cell: ({ durationMs }) => `${Math.ceil(durationMs)} ms`, end: true, wideOnly: true },
        { title: "When", cell: ({ arrivedAt }) => <Time at={arrivedAt} />, end: true, wideOnly: true },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

/** The status and the error of an answer. */
const Answer = ({ status, errorCode }: { readonly status: number; readonly errorCode: string | null }) => (
  <span className="grid justify-items-start gap-1">
    <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge>
    {errorCode === null ? null : <code className="break-all text-small">{errorCode}</code>}
  </span>
);
