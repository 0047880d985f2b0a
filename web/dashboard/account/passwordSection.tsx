import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useState } from "react";
import { write } from "../api/queries.ts";
import { LIMITS } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { FormDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";

export function PasswordSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={texts.account.password.title}
      text={texts.account.password.text}
      actions={<Button onClick={() => setOpen(true)}>{texts.account.password.change}</Button>}
    >
      {isOpen ? (
        <FormDialog
          title={texts.account.password.change}
          submitText={texts.account.password.change}
          onClose={() => setOpen(false)}
          onSubmit={async ({ current = "", password = "" }) => {
            await write("changePassword", { body: { password, current } });
            setOpen(false);
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
      ) : null}
    </Section>
  );
}
