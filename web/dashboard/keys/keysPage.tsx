import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../api/queries.ts";
import { type ApiKey, LIMITS } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { CreateDialog, RevokeDialog, RollDialog } from "./dialogs.tsx";

const TONES: Readonly<Record<ApiKey["state"], Tone>> = {
  active: "good",
  in_grace: "wait",
  expired: "neutral",
  revoked: "neutral",
};

/** §13.7. */
export function KeysPage() {
  const { path, environment, may } = useTenant();
  const keys = useQuery(read("listApiKeys", { path }));
  const create = may("manage_keys") ? (
    <DialogButton kind="primary" dialog={(close) => <CreateDialog onClose={close} />}>
      {texts.keys.create}
    </DialogButton>
  ) : undefined;
  return (
    <Page title={texts.keys.title} text={texts.keys.text(environment, LIMITS.activeKeysMax)} actions={create}>
      <QueryState query={keys}>
        {({ data }) =>
          data.length > 0 ? (
            <KeyTable keys={data} />
          ) : (
            <EmptyState title={texts.keys.emptyTitle}>{texts.keys.emptyText}</EmptyState>
          )
        }
      </QueryState>
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { may } = useTenant();
  const [chosen, setChosen] = useState<{ readonly key: ApiKey; readonly to: "roll" | "revoke" } | null>(null);
  const close = () => setChosen(null);
  const itemsFor = (key: ApiKey) => [
    ...(key.state === "active"
      ? [{ text: texts.keys.roll, onSelect: () => setChosen({ key, to: "roll" as const }) }]
      : []),
    ...(key.state === "active" || key.state === "in_grace"
      ? [{ text: texts.keys.revoke, isDanger: true, onSelect: () => setChosen({ key, to: "revoke" as const }) }]
      : []),
  ];
  return (
    <>
      <Table
        caption={texts.keys.title}
        columns={[
          {
            title: texts.common.name,
            cell: ({ name, last4 }: ApiKey) => (
              <span className="grid">
                <span className="break-words font-medium">{name ?? texts.keys.unnamed}</span>
                <code translate="no" className="text-soft">
                  …{last4}
                </code>
              </span>
            ),
          },
          {
            title: texts.common.status,
            cell: ({ state, expiresAt }) => (
              <span className="grid justify-items-start gap-1">
                <Badge tone={TONES[state]}>{texts.keys.states[state]}</Badge>
                {state === "in_grace" ? (
                  <span className="text-small text-soft">
                    <Filled text={texts.keys.expiresAt} slots={{ time: <Time at={expiresAt} /> }} />
                  </span>
                ) : null}
              </span>
            ),
          },
          { title: texts.keys.scope, cell: ({ scope }) => texts.keys.scopes[scope], wideOnly: true },
          {
            title: texts.common.lastUsed,
            cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none={texts.common.neverUsed} />,
            wideOnly: true,
          },
          { title: texts.common.created, cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            title: texts.common.actions,
            hideTitle: true,
            end: true,
            cell: (key) => {
              const items = may("manage_keys") ? itemsFor(key) : [];
              return items.length === 0 ? null : (
                <Menu items={items} aria-label={texts.keys.actionsOf(key.name, key.last4)}>
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
