import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../api/queries.ts";
import type { ApiKey } from "../api/schema.ts";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { CreateDialog, RevokeDialog, RollDialog } from "./dialogs.tsx";

const STATES: Readonly<Record<ApiKey["state"], readonly [Tone, string]>> = {
  active: ["good", "Active"],
  in_grace: ["wait", "Replaced"],
  expired: ["neutral", "Expired"],
  revoked: ["neutral", "Revoked"],
};

/** §13.7. */
export function KeysPage() {
  const { path, environment, may } = useTenant();
  const keys = useQuery(read("listApiKeys", { path }));
  const [isCreating, setCreating] = useState(false);
  const create = may("manage_keys") ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  ) : undefined;
  return (
    <Page
      title="API keys"
      text={`Your server signs in to the API with a key. These are for ${environment}; at most five are active.`}
      actions={create}
    >
      <QueryState query={keys}>
        {({ data }) =>
          data.length > 0 ? (
            <KeyTable keys={data} />
          ) : (
            <EmptyState title="No key yet">A key is shown once, when it is made.</EmptyState>
          )
        }
      </QueryState>
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { may } = useTenant();
  const [chosen, setChosen] = useState<{ readonly key: ApiKey; readonly to: "roll" | "revoke" } | null>(null);
  const close = () => setChosen(null);
  const itemsFor = (key: ApiKey) => [
    ...(key.state === "active" ? [{ text: "Roll", onSelect: () => setChosen({ key, to: "roll" as const }) }] : []),
    ...(key.state === "active" || key.state === "in_grace"
      ? [{ text: "Revoke", isDanger: true, onSelect: () => setChosen({ key, to: "revoke" as const }) }]
      : []),
  ];
  return (
    <>
      <Table
        caption="API keys"
        columns={[
          {
            title: "Name",
            cell: ({ name, last4 }: ApiKey) => (
              <span className="grid">
                <span className="break-words font-medium">{name ?? "Unnamed"}</span>
                <code className="text-soft">…{last4}</code>
              </span>
            ),
          },
          {
            title: "State",
            cell: ({ state, expiresAt }) => (
              <span className="grid justify-items-start gap-1">
                <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>
                {state === "in_grace" ? (
                  <span className="text-small text-soft">
                    works until <Time at={expiresAt} />
                  </span>
                ) : null}
              </span>
            ),
          },
          { title: "Scope", cell: ({ scope }) => (scope === "full" ? "Full" : "Read only"), wideOnly: true },
          { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="Not seen" />, wideOnly: true },
          { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            title: "Change",
            hideTitle: true,
            end: true,
            cell: (key) => {
              const items = may("manage_keys") ? itemsFor(key) : [];
              return items.length === 0 ? null : (
                <Menu items={items} aria-label={`Change ${key.name ?? "the key"} …${key.last4}`}>
                  …
                </Menu>
              );
            },
          },
        ]}
        rows={keys}
        keyOf={({ id }) => id}
      />
      {chosen?.to === "roll" ? <RollDialog apiKey={chosen.key} onClose={close} /> : null}
      {chosen?.to === "revoke" ? <RevokeDialog apiKey={chosen.key} onClose={close} /> : null}
    </>
  );
}
