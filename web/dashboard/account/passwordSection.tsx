import { TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { write } from "../api/queries.ts";
import { LIMITS } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";

export const PasswordSection = () => (
  <Section
    title={texts.account.password.title}
    text={texts.account.password.text}
    actions={
      <DialogButton dialog={(close) => <ChangeDialog onClose={close} />}>{texts.account.password.change}</DialogButton>
    }
  />
);

const ChangeDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog
    title={texts.account.password.change}
    submitText={texts.account.password.change}
    onClose={onClose}
    onSubmit={async ({ current = "", password = "" }) => {
      await write("changePassword", { body: { password, current } });
      onClose();
      showToast(texts.account.password.changed);
    }}
  >
    <TextField
      label={texts.account.password.current}
      name="current"
      type="password"
      autoComplete="current-password"
      hint={texts.account.password.currentHint}
    />
    <TextField
      label={texts.account.password.new}
      name="password"
      type="password"
      autoComplete="new-password"
      hint={texts.account.password.newHint(LIMITS.passwordCharactersMin, LIMITS.passwordCharactersMax)}
    />
  </FormDialog>
);
