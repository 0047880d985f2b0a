import { Badge } from "@holdfast/ui/badge.tsx";
import { ShortId } from "@holdfast/ui/copy.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Tabs } from "@holdfast/ui/tabs.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { accountQuery, readPages, write } from "../api/queries.ts";
import type { Account, BusinessSummary } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";

export function BusinessesPage() {
  const { businesses, user } = useSuspenseQuery(accountQuery).data;
  const add = user.isOperator ? (
    <DialogButton kind="primary" dialog={(close) => <AddDialog onClose={close} />}>
      {texts.businesses.add}
    </DialogButton>
  ) : undefined;
  const { tab = "yours" } = useSearch({ strict: false });
  const navigate = useNavigate({ from: "/businesses" });
  if (!user.isOperator)
    return (
      <Page title={texts.businesses.ownTitle} text={texts.businesses.ownText}>
        <YourBusinesses businesses={businesses}>{texts.businesses.emptyText}</YourBusinesses>
      </Page>
    );
  return (
    <Page title={texts.businesses.title} text={texts.businesses.text} actions={add}>
      <Tabs
        label={texts.businesses.tabs.label}
        value={tab === "all" ? "all" : "yours"}
        onChange={(value) => void navigate({ search: { tab: value } })}
        tabs={[
          {
            value: "yours",
            title: texts.businesses.tabs.yours,
            content: (
              <YourBusinesses businesses={businesses}>
                {texts.businesses.emptyTextOperator}
                <code translate="no" className="block select-all break-all pt-2">
                  {texts.businesses.joinCommand(user.email)}
                </code>
              </YourBusinesses>
            ),
          },
          { value: "all", title: texts.businesses.tabs.all, content: <AllBusinesses /> },
        ]}
      />
    </Page>
  );
}

interface YourBusinessesProps extends Pick<Account, "businesses"> {
  /** The text of the empty state: the ways to get a business. */
  readonly children: ReactNode;
}

const YourBusinesses = ({ businesses, children }: YourBusinessesProps) =>
  businesses.length === 0 ? (
    <EmptyState title={texts.businesses.emptyTitle}>{children}</EmptyState>
  ) : (
    <Table
      caption={texts.businesses.ownTitle}
      columns={[
        {
          title: texts.common.name,
          cell: (one: Account["businesses"][number]) => <BusinessLink id={one.id} name={one.name} />,
        },
        {
          title: texts.businesses.role,
          cell: ({ role }) => <Badge tone="neutral">{texts.businesses.roles[role].name}</Badge>,
        },
      ]}
      rows={businesses}
      keyOf={({ id }) => id}
    />
  );

function AllBusinesses() {
  const all = useInfiniteQuery(readPages("listBusinesses", {}));
  return (
    <QueryState query={all}>
      {({ pages }) => (
        <>
          <Table
            caption={texts.businesses.allCaption}
            columns={[
              { title: texts.common.name, cell: ({ name }: BusinessSummary) => name },
              { title: texts.common.id, cell: ({ id }) => <ShortId id={id} /> },
              { title: texts.common.created, cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
            ]}
            rows={pages.flatMap(({ data }) => data)}
            keyOf={({ id }) => id}
          />
          <MoreButton list={all} />
        </>
      )}
    </QueryState>
  );
}

const BusinessLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link to="/$business/$environment" params={{ business: id, environment: "test" }}>
    {name}
  </Link>
);

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      title={texts.businesses.add}
      text={texts.businesses.addText}
      submitText={texts.businesses.add}
      onClose={onClose}
      onSubmit={async ({ name = "" }) => {
        const { id } = await write("addBusiness", { body: { name } });
        onClose();
        await navigate({ to: "/$business/$environment", params: { business: id, environment: "test" } });
      }}
    >
      <TextField label={texts.common.name} name="name" hint={texts.businesses.nameHint} />
    </FormDialog>
  );
}
