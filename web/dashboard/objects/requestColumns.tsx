import { Badge } from "@holdfast/ui/badge.tsx";
import { FoldedId } from "@holdfast/ui/copy.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { Request } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

export const REQUEST_COLUMNS: readonly Column<Request>[] = [
  { title: texts.objects.requests.request, cell: (request) => <RequestLink request={request} /> },
  {
    title: texts.common.response,
    cell: ({ status, errorCode }) => (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge>
        {errorCode === null ? null : (
          <code translate="no" className="break-all text-small">
            {errorCode}
          </code>
        )}
      </span>
    ),
  },
  {
    title: texts.common.duration,
    cell: ({ durationMs }) => `${Math.ceil(durationMs)} ms`,
    end: true,
    wideOnly: true,
  },
  {
    title: texts.common.time,
    cell: ({ arrivedAt }) => <Time at={arrivedAt} inRow />,
    end: true,
    wideOnly: true,
  },
];

/** An id or an address within a path. */
const ID = /([a-z]+_(?:(?:test|live)_[0-9a-z]{4})?[0-9a-f]{32}|[1-9A-HJ-NP-Za-km-z]{32,88})/;

function RequestLink({ request: { id, method, path: called } }: { readonly request: Request }) {
  const { path } = useTenant();
  return (
    <Link to="/$business/$environment/requests/$request" params={{ ...path, request: id }}>
      <code translate="no" className="break-all">
        {method} {called.split(ID).map((part) => (ID.test(part) ? <FoldedId key={part} id={part} /> : part))}
      </code>
    </Link>
  );
}
