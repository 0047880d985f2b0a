import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { read } from "../api/queries.ts";
import { LIMITS } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { REQUEST_COLUMNS } from "../objects/requestColumns.tsx";
import { ListPage } from "../pages/listPage.tsx";
import { useTenant } from "../shell/tenant.ts";

/** §13.9: the latest requests. */
export function RequestsPage() {
  const { path, environment } = useTenant();
  const keys = useQuery(read("listApiKeys", { path })).data?.data ?? [];
  return (
    <ListPage
      operation="listRequests"
      input={{ path }}
      title={texts.requests.title}
      text={texts.requests.text(environment, LIMITS.requestsKeptDays)}
      filters={texts.requests.filters}
      options={{ key: keys.map(({ id, name, last4 }) => [id, texts.requests.keyOption(name, last4)]) }}
      columns={REQUEST_COLUMNS}
      empty={texts.requests.empty}
      orderOf={({ id }) => id}
    >
      <FindForm />
    </ListPage>
  );
}

/** A form that leads to one request by the id in its answer. */
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
          <TextField
            label={texts.requests.id}
            name="request"
            placeholder="req_…"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button type="submit">{texts.common.find}</Button>
      </form>
    </search>
  );
}
