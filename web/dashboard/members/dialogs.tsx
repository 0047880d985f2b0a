import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { write } from "../api/queries.ts";
import { ROLE_TEXTS } from "../api/roles.ts";
import type { MadeInvitation, Member } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";

type Role = Member["role"];
const ROLES = Object.keys(ROLE_TEXTS) as readonly Role[];

/** The roles that a member of this role may give. */
const optionsFor = (role: Role) =>
  ROLES.filter((one) => role === "owner" || one !== "owner").map(
    (one) => [one, `${ROLE_TEXTS[one].name}: ${ROLE_TEXTS[one].text}`] as const,
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
      <Dialog isOpen={isOpen} onClose={close} title={`The invitation of ${made.email}`}>
        <CopyOnce
          what="invitation"
          secret={made.link}
          warning={`This deployment sends no mail. Give the link to ${made.email} yourself, and to nobody else: a person who has it joins under that address. It works once, and is not shown again.`}
        />
        <Actions>
          <Button kind="primary" onClick={close}>
            I have copied it
          </Button>
        </Actions>
      </Dialog>
    );
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Invite someone" text="An invitation is good once, for seven days.">
      <Form
        submitText="Invite"
        onCancel={close}
        onSubmit={async ({ email = "", role }) => {
          const body = { email, role: role as Role };
          const invitation = await write("invite", { path: { business: business.id }, body });
          setMade(invitation);
          if (invitation.link !== null) return;
          close();
          showToast("The invitation is on its way by mail.");
        }}
      >
        {(errorOf) => (
          <>
            <TextField label="E-mail address" name="email" type="email" autoComplete="off" error={errorOf("email")} />
            <Select
              label="Role"
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
    <Dialog isOpen onClose={onClose} title={`The role of ${member.name}`} text="It holds from their next request on.">
      <Form
        submitText="Change"
        onCancel={onClose}
        onSubmit={async ({ role }) => {
          const path = { business: business.id, user: member.userId };
          await write("changeRole", { path, body: { role: role as Role } });
          onClose();
          showToast("The role was changed.");
        }}
      >
        {(errorOf) => (
          <Select
            label="Role"
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
    said: isSelf ? `You left ${business.name}.` : `${member.name} was removed.`,
    done: async () => {
      onClose();
      if (isSelf) await navigate({ to: "/businesses" });
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isSelf ? `Leave ${business.name}?` : `Remove ${member.name}?`}
      text={
        isSelf
          ? "Only an owner or admin can let you in again."
          : "They are out with their next request. Keys that they made stay."
      }
    >
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {isSelf ? "Leave" : "Remove"}
        </Button>
      </Actions>
    </Dialog>
  );
}
