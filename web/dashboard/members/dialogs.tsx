import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { write } from "../api/queries.ts";
import { LIMITS, type MadeInvitation, type Member } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";

type Role = Member["role"];
const ROLES = Object.keys(texts.businesses.roles) as readonly Role[];

/** The roles that a member of this role may assign. */
const optionsFor = (role: Role) =>
  ROLES.filter((one) => role === "owner" || one !== "owner").map(
    (one) =>
      [one, texts.members.roleChoice(texts.businesses.roles[one].name, texts.businesses.roles[one].text)] as const,
  );

export function InviteDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { business } = useTenant();
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  if (made !== null && made.link !== null)
    return (
      <Dialog isOpen={isOpen} onClose={close} title={texts.members.linkTitle(made.email)}>
        <CopyOnce what={texts.members.link} secret={made.link} warning={texts.members.linkWarning(made.email)} />
        <Actions>
          <Button kind="primary" onClick={close}>
            {texts.common.done}
          </Button>
        </Actions>
      </Dialog>
    );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.members.invite}
      text={texts.members.inviteText(LIMITS.invitationDays)}
    >
      <Form
        submitText={texts.members.send}
        onCancel={close}
        onSubmit={async ({ email = "", role }) => {
          const body = { email, role: role as Role };
          const invitation = await write("invite", { path: { business: business.id }, body });
          setMade(invitation);
          if (invitation.link !== null) return;
          close();
          showToast(texts.members.sent);
        }}
      >
        {(errorOf) => (
          <>
            <TextField
              label={texts.common.email}
              name="email"
              type="email"
              autoComplete="off"
              error={errorOf("email")}
            />
            <Select
              label={texts.members.role}
              name="role"
              defaultValue="developer"
              options={optionsFor(business.role)}
              error={errorOf("role")}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}

export function RoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const { business } = useTenant();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.members.changeRoleTitle(member.name)}
      text={texts.members.changeRoleText}
    >
      <Form
        submitText={texts.members.changeRole}
        onCancel={onClose}
        onSubmit={async ({ role }) => {
          const path = { business: business.id, user: member.userId };
          await write("changeRole", { path, body: { role: role as Role } });
          onClose();
          showToast(texts.members.roleChanged);
        }}
      >
        {(errorOf) => (
          <Select
            label={texts.members.role}
            name="role"
            defaultValue={member.role}
            options={optionsFor(business.role)}
            error={errorOf("role")}
          />
        )}
      </Form>
    </Dialog>
  );
}

export function RemoveDialog({
  member,
  isSelf,
  onClose,
}: {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}) {
  const { business } = useTenant();
  const navigate = useNavigate();
  const path = { business: business.id };
  const remove = useAction({
    run: () =>
      isSelf ? write("leaveBusiness", { path }) : write("removeMember", { path: { ...path, user: member.userId } }),
    said: isSelf ? texts.members.left(business.name) : texts.members.removed(member.name),
    done: async () => {
      onClose();
      if (isSelf) await navigate({ to: "/businesses" });
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isSelf ? texts.members.leaveTitle(business.name) : texts.members.removeTitle(member.name)}
      text={isSelf ? texts.members.leaveText : texts.members.removeText}
    >
      <Actions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {isSelf ? texts.members.leave : texts.members.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
