import { Badge } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { ShortId } from "@holdfast/ui/copy.tsx";
import { Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Tabs } from "@holdfast/ui/tabs.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { accountQuery, readPages, write } from "../api/queries.ts";
import { ROLE_TEXTS } from "../api/roles.ts";
import type { Account, BusinessSummary } from "../api/schema.ts";
import { Form } from "../forms/form.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";

export function BusinessesPage() {
  const { businesses, user } = useSuspenseQuery(accountQuery).data;
  const [isAdding, setAdding] = useState(false);
  const add = user.isOperator ? (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Add a business
    </Button>
  ) : undefined;
  const { tab = "yours" } = useSearch({ from: "/staff/businesses" });
  const navigate = useNavigate({ from: "/businesses" });
  if (!user.isOperator)
    return (
      <Page title="Your businesses" text="Those in which you have a role.">
        <YourBusinesses businesses={businesses}>An owner or admin of a business invites you.</YourBusinesses>
      </Page>
    );
  return (
    <Page
      title="Businesses"
      text="As an operator you see the names of all, and enter those in which you have a role."
      actions={add}
    >
      <Tabs
        label="Businesses"
        value={tab === "all" ? "all" : "yours"}
        onChange={(value) => void navigate({ search: { tab: value } })}
        tabs={[
          {
            value: "yours",
            title: "Yours",
            content: (
              <YourBusinesses businesses={businesses}>
                Add one here, and you become its owner. One that exists already lets you in by the command
                <code className="block select-all break-all pt-2">
                  npm run admin -- member add &lt;business id&gt; {user.email} --role owner
                </code>
              </YourBusinesses>
            ),
          },
          { value: "all", title: "All of this deployment", content: <AllBusinesses /> },
        ]}
      />
      <AddDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

interface YourBusinessesProps extends Pick<Account, "businesses"> {
  /** A text on how to get into a business. */
  readonly children: ReactNode;
}

const YourBusinesses = ({ businesses, children }: YourBusinessesProps) =>
  businesses.length === 0 ? (
    <EmptyState title="You are in no business yet">{children}</EmptyState>
  ) : (
    <Table
      caption="Your businesses"
      columns={[
        {
          title: "Name",
          cell: (one: Account["businesses"][number]) => <BusinessLink id={one.id} name={one.name} />,
        },
        { title: "Your role", cell: ({ role }) => <Badge tone="neutral">{ROLE_TEXTS[role].name}</Badge> },
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
            caption="All businesses of this deployment"
            columns={[
              { title: "Name", cell: ({ name }: BusinessSummary) => name },
              { title: "Id", cell: ({ id }) => <ShortId id={id} /> },
              { title: "Added", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
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

function AddDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add a business" text="You become its owner.">
      <Form
        submitText="Add"
        onCancel={onClose}
        onSubmit={async ({ name = "" }) => {
          const { id } = await write("addBusiness", { body: { name } });
          onClose();
          await navigate({ to: "/$business/$environment", params: { business: id, environment: "test" } });
        }}
      >
        {(errorOf) => (
          <TextField label="Name" name="name" hint="Buyers read it at the checkout." error={errorOf("name")} />
        )}
      </Form>
    </Dialog>
  );
}
