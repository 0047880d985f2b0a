import { Select, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useNavigate } from "@tanstack/react-router";
import { write } from "../api/queries.ts";
import { LIMITS, type Member } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ConfirmDialog, FormDialog, IssueDialog } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";

type Role = Member["role"];
const ROLES = Object.keys(texts.businesses.roles) as readonly Role[];

/** The roles that a member of this role may assign. */
const optionsFor = (role: Role) =>
  ROLES.filter((one) => role === "owner" || one !== "owner").map(
    (one) =>
      [one, texts.members.roleChoice(texts.businesses.roles[one].name, texts.businesses.roles[one].text)] as const,
  );

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { business } = useTenant();
  return (
    <IssueDialog
      title={texts.members.invite}
      text={texts.members.inviteText(LIMITS.invitationDays)}
      submitText={texts.members.send}
      onClose={onClose}
      issue={async ({ email: to = "", role }) => {
        const body = { email: to, role: role as Role };
        const { email, link } = await write("invite", { path: { business: business.id }, body });
        if (link === null) {
          onClose();
          showToast(texts.members.sent);
          return null;
        }
        return {
          title: texts.members.linkTitle(email),
          what: texts.members.link,
          secret: link,
          warning: texts.members.linkWarning(email),
        };
      }}
    >
      <TextField label={texts.common.email} name="email" type="email" autoComplete="off" />
      <Select label={texts.common.role} name="role" defaultValue="developer" options={optionsFor(business.role)} />
    </IssueDialog>
  );
}

export function RoleDialog({ member, onClose }: MemberDialogProps) {
  const { business } = useTenant();
  return (
    <FormDialog
      title={texts.members.changeRoleTitle(member.name)}
      text={texts.members.changeRoleText}
      submitText={texts.members.changeRole}
      onClose={onClose}
      onSubmit={async ({ role }) => {
        const path = { business: business.id, user: member.userId };
        await write("changeRole", { path, body: { role: role as Role } });
        onClose();
        showToast(texts.members.roleChanged);
      }}
    >
      <Select label={texts.common.role} name="role" defaultValue={member.role} options={optionsFor(business.role)} />
    </FormDialog>
  );
}

export function RemoveDialog({ member, isSelf, onClose }: MemberDialogProps & { readonly isSelf: boolean }) {
  const { business } = useTenant();
  const navigate = useNavigate();
  const path = { business: business.id };
  const own = {
    title: texts.members.leaveTitle(business.name),
    text: texts.members.leaveText,
    submitText: texts.members.leave,
    run: () => write("leaveBusiness", { path }),
    said: texts.members.left(business.name),
    done: async () => {
      onClose();
      await navigate({ to: "/businesses" });
    },
  };
  const other = {
    title: texts.members.removeTitle(member.name),
    text: texts.members.removeText,
    submitText: texts.members.remove,
    run: () => write("removeMember", { path: { ...path, user: member.userId } }),
    said: texts.members.removed(member.name),
  };
  return <ConfirmDialog {...(isSelf ? own : other)} onClose={onClose} />;
}
