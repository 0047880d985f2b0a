import { Button } from "@holdfast/ui/button.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { read } from "../api/queries.ts";
import { Filters, TimeFilter } from "../forms/filters.tsx";
import { LiveList } from "../live/liveList.tsx";
import { useLiveList } from "../live/useLiveList.ts";
import { RequestTable } from "../objects/requestTable.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

/** §13.9: the requests of the last seven days. */
export function RequestsPage() {
  const { path, environment } = useTenant();
  const search = useSearch({ from: "/staff/$business/$environment/requests" });
  const navigate = useNavigate({ from: "/$business/$environment/requests" });
  const keys = useQuery(read("listApiKeys", { path }));
  const { list, rows, newCount, isMore, isBehind, showNew } = useLiveList(
    "listRequests",
    { path, query: search },
    ({ id }) => id,
  );
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Requests"
      text={`What your servers asked of the API with keys for ${environment}, in the last seven days.`}
    >
      <FindForm />
      <Filters values={search} onChange={(values) => void navigate({ search: values })}>
        {(chosen) => (
          <>
            <Select
              label="Answer"
              name="failed"
              defaultValue={chosen("failed")}
              options={[
                ["", "Any"],
                ["true", "With an error"],
                ["false", "Without an error"],
              ]}
            />
            <TextField
              label="Error code"
              name="error_code"
              placeholder="invalid_request"
              defaultValue={chosen("error_code")}
            />
            <Select
              key={keys.data?.data.length ?? 0}
              label="Key"
              name="key"
              defaultValue={chosen("key")}
              options={[
                ["", "Any"],
                ...(keys.data?.data ?? []).map(
                  ({ id, name, last4 }) => [id, `${name ?? "Unnamed"} …${last4}`] as const,
                ),
              ]}
            />
            <TextField label="About" name="about" placeholder="pi_test_…" defaultValue={chosen("about")} />
            <TimeFilter label="After" name="arrived_after" chosen={chosen} />
            <TimeFilter label="Before" name="arrived_before" chosen={chosen} />
          </>
        )}
      </Filters>
      <QueryState query={list}>
        {() => {
          if (rows.length === 0)
            return isFiltered ? (
              <EmptyState title="No request matches">Take a filter away to see more.</EmptyState>
            ) : (
              <EmptyState title="No request yet">
                Each request with one of your keys appears here a moment after its answer.
              </EmptyState>
            );
          return (
            <LiveList newCount={newCount} isMore={isMore} isBehind={isBehind} onShow={showNew}>
              <RequestTable rows={rows} />
              <MoreButton list={list} />
            </LiveList>
          );
        }}
      </QueryState>
    </Page>
  );
}

/** Leads to one request by the id that its answer had. */
function FindForm() {
  const { path } = useTenant();
  const navigate = useNavigate();
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = String(new FormData(event.currentTarget).get("request") ?? "").trim();
    if (request !== "")
      void navigate({ to: "/$business/$environment/requests/$request", params: { ...path, request } });
  };
  return (
    <search>
      <form onSubmit={find} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-[240px]">
          <TextField label="Request-Id" name="request" placeholder="req_…" autoComplete="off" spellCheck={false} />
        </div>
        <Button type="submit">Find</Button>
      </form>
    </search>
  );
}
