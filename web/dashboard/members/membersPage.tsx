import { Button } from "@holdfast/ui/button.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, read, write } from "../api/queries.ts";
import { ROLE_TEXTS } from "../api/roles.ts";
import type { Invitation, Member } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { InviteDialog, RemoveDialog, RoleDialog } from "./dialogs.tsx";

/** §13.5: who works in the business. */
export function MembersPage() {
  const { business, may } = useTenant();
  const [isInviting, setInviting] = useState(false);
  const members = useQuery(read("listMembers", { path: { business: business.id } }));
  const canManage = may("manage_members");
  const invite = canManage ? (
    <Button kind="primary" onClick={() => setInviting(true)}>
      Invite someone
    </Button>
  ) : undefined;
  return (
    <Page title="Members" text={`Who works in ${business.name}. Roles hold in test and live alike.`} actions={invite}>
      <QueryState query={members}>{({ data }) => <MemberTable members={data} />}</QueryState>
      {canManage ? <Invitations /> : null}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function MemberTable({ members }: { readonly members: readonly Member[] }) {
  const { business, may } = useTenant();
  const { user } = useSuspenseQuery(accountQuery).data;
  const [chosen, setChosen] = useState<{ readonly member: Member; readonly to: "role" | "remove" } | null>(null);
  const close = () => setChosen(null);
  // Only owners decide about owners (§13.5.2); the service checks it again.
  const canChange = ({ role }: Member) => may("manage_members") && (business.role === "owner" || role !== "owner");
  return (
    <>
      <Table
        caption="Members"
        columns={[
          {
            title: "Name",
            cell: ({ name, email, userId }: Member) => (
              <span className="grid">
                <span className="break-words font-medium">{userId === user.id ? `${name} (you)` : name}</span>
                <span className="break-all text-small text-soft">{email}</span>
              </span>
            ),
          },
          { title: "Role", cell: ({ role }) => <span title={ROLE_TEXTS[role].text}>{ROLE_TEXTS[role].name}</span> },
          { title: "Since", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            title: "Change",
            hideTitle: true,
            end: true,
            cell: (member) => {
              const isSelf = member.userId === user.id;
              const items = [
                ...(canChange(member)
                  ? [{ text: "Change the role", onSelect: () => setChosen({ member, to: "role" as const }) }]
                  : []),
                ...(canChange(member) || isSelf
                  ? [
                      {
                        text: isSelf ? "Leave the business" : "Remove",
                        isDanger: true,
                        onSelect: () => setChosen({ member, to: "remove" as const }),
                      },
                    ]
                  : []),
              ];
              return items.length === 0 ? null : (
                <Menu items={items} aria-label={`Change ${member.name}`}>
                  …
                </Menu>
              );
            },
          },
        ]}
        rows={members}
        keyOf={({ userId }) => userId}
      />
      {chosen?.to === "role" ? <RoleDialog member={chosen.member} onClose={close} /> : null}
      {chosen?.to === "remove" ? (
        <RemoveDialog member={chosen.member} isSelf={chosen.member.userId === user.id} onClose={close} />
      ) : null}
    </>
  );
}

function Invitations() {
  const { business } = useTenant();
  const invitations = useQuery(read("listInvitations", { path: { business: business.id } }));
  return (
    <Section title="Open invitations" text="Each can be accepted once, within seven days, from the address it is for.">
      <QueryState query={invitations}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No open invitation">Who is invited appears here until they accept.</EmptyState>
          ) : (
            <Table
              caption="Open invitations"
              columns={[
                { title: "Address", cell: ({ email }: Invitation) => <span className="break-all">{email}</span> },
                { title: "Role", cell: ({ role }) => ROLE_TEXTS[role].name },
                { title: "Until", cell: ({ expiresAt }) => <Time at={expiresAt} />, wideOnly: true },
                { title: "Revoke", hideTitle: true, end: true, cell: ({ id }) => <RevokeButton id={id} /> },
              ]}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

function RevokeButton({ id }: { readonly id: string }) {
  const { business } = useTenant();
  const revoke = useAction({
    run: () => write("revokeInvitation", { path: { business: business.id, invitation: id } }),
    said: "The invitation was revoked: its link works no more.",
  });
  return (
    <Button isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
      Revoke
    </Button>
  );
}
