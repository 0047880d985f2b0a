import { Badge } from "@holdfast/ui/badge.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, read, write } from "../api/queries.ts";
import { type Invitation, LIMITS, type Member } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { InviteDialog, RemoveDialog, RoleDialog } from "./dialogs.tsx";

/** §13.5: the members of the business and its invitations. */
export function MembersPage() {
  const { business, may } = useTenant();
  const members = useQuery(read("listMembers", { path: { business: business.id } }));
  const canManage = may("manage_members");
  const invite = canManage ? (
    <DialogButton kind="primary" dialog={(close) => <InviteDialog onClose={close} />}>
      {texts.members.invite}
    </DialogButton>
  ) : undefined;
  return (
    <Page title={texts.members.title} text={texts.members.text(business.name)} actions={invite}>
      <QueryState query={members}>{({ data }) => <MemberTable members={data} />}</QueryState>
      {canManage ? <Invitations /> : null}
    </Page>
  );
}

function MemberTable({ members }: { readonly members: readonly Member[] }) {
  const { business, may } = useTenant();
  const { user } = useSuspenseQuery(accountQuery).data;
  const [chosen, setChosen] = useState<{ readonly member: Member; readonly to: "role" | "remove" } | null>(null);
  const close = () => setChosen(null);
  // Only owners decide about owners (§13.5.2) and about roles by groups (§13.24); the service checks it again.
  const canChange = ({ role, byGroup }: Member) =>
    may("manage_members") && (business.role === "owner" || (role !== "owner" && !byGroup));
  return (
    <>
      <Table
        caption={texts.members.caption}
        columns={[
          {
            title: texts.common.name,
            cell: ({ name, email, userId }: Member) => (
              <span className="grid">
                <span className="break-words font-medium">
                  {userId === user.id ? texts.members.yourself(name) : name}
                </span>
                <span className="break-all text-small text-soft">{email}</span>
              </span>
            ),
          },
          {
            title: texts.common.role,
            cell: ({ role, byGroup }) => (
              <span title={texts.businesses.roles[role].text}>
                {texts.businesses.roles[role].name}{" "}
                {byGroup ? <Badge tone="neutral">{texts.members.byGroup}</Badge> : null}
              </span>
            ),
          },
          { title: texts.members.since, cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            title: texts.common.actions,
            hideTitle: true,
            end: true,
            cell: (member) => {
              const isSelf = member.userId === user.id;
              const items = [
                ...(canChange(member)
                  ? [{ text: texts.members.changeRole, onSelect: () => setChosen({ member, to: "role" as const }) }]
                  : []),
                ...((canChange(member) || isSelf) && !member.byGroup
                  ? [
                      {
                        text: isSelf ? texts.members.leave : texts.members.remove,
                        isDanger: true,
                        onSelect: () => setChosen({ member, to: "remove" as const }),
                      },
                    ]
                  : []),
              ];
              return items.length === 0 ? null : (
                <Menu items={items} aria-label={texts.members.actionsOf(member.name)}>
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

const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  { title: texts.common.email, cell: ({ email }) => <span className="break-all">{email}</span> },
  { title: texts.common.role, cell: ({ role }) => texts.businesses.roles[role].name },
  { title: texts.common.expires, cell: ({ expiresAt }) => <Time at={expiresAt} />, wideOnly: true },
  { title: texts.members.revoke, hideTitle: true, end: true, cell: ({ id }) => <RevokeButton id={id} /> },
];

function Invitations() {
  const { business } = useTenant();
  const invitations = useQuery(read("listInvitations", { path: { business: business.id } }));
  return (
    <TableSection
      title={texts.members.invitations}
      text={texts.members.invitationsText(LIMITS.invitationDays)}
      query={invitations}
      columns={INVITATION_COLUMNS}
      keyOf={({ id }) => id}
      empty={{ title: texts.members.noInvitations, text: texts.members.noInvitationsText }}
    />
  );
}

function RevokeButton({ id }: { readonly id: string }) {
  const { business } = useTenant();
  return (
    <ActionButton
      run={() => write("revokeInvitation", { path: { business: business.id, invitation: id } })}
      said={texts.members.revoked}
    >
      {texts.members.revoke}
    </ActionButton>
  );
}
