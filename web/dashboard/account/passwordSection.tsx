import { Button } from "@holdfast/ui/button.tsx";
import { Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";

export function PasswordSection() {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  return (
    <Section
      title="Password"
      text="A new password ends all your other sessions."
      actions={<Button onClick={() => setOpen(true)}>Change the password</Button>}
    >
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Change the password">
        <Form
          submitText="Change"
          onCancel={() => setOpen(false)}
          onSubmit={async ({ current = "", password = "" }) => {
            await call("changePassword", { body: { password, current } });
            await queries.invalidateQueries();
            setOpen(false);
            showToast("Your password was changed, and your other sessions have ended.");
          }}
        >
          {(errorOf) => (
            <>
              <TextField
                label="Current password"
                name="current"
                type="password"
                autoComplete="current-password"
                hint="If you forgot it, sign out and ask for a link."
                error={errorOf("current")}
              />
              <TextField
                label="New password"
                name="password"
                type="password"
                autoComplete="new-password"
                hint="12 to 200 characters."
                error={errorOf("password")}
              />
            </>
          )}
        </Form>
      </Dialog>
    </Section>
  );
}
