import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import type { ApiKey } from "../api/schema.ts";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const STATES: Readonly<Record<ApiKey["state"], readonly [Tone, string]>> = {
  active: ["good", "Active"],
  in_grace: ["wait", "Replaced"],
  expired: ["neutral", "Expired"],
  revoked: ["neutral", "Revoked"],
};

export function KeysPage() {
  const { path } = useTenant();
  const keys = useQuery(read("listApiKeys", { path }));
  return (
    <Page title="API keys" text="Your server signs in to the API with a key.">
      <QueryState query={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No key yet">A key is shown once, when it is made.</EmptyState>
          ) : (
            <Table
              caption="API keys"
              columns={[
                { title: "Name", cell: ({ name, last4 }: ApiKey) => `${name ?? "Unnamed"} …${last4}` },
                { title: "State", cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge> },
                { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="Never" />, wideOnly: true },
              ]}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryState>
    </Page>
  );
}
