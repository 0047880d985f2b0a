import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { type ReactNode, useState } from "react";
import { write } from "../api/queries.ts";
import type { ApiKey, ApiKeyInput, IssuedApiKey, RollInput } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";

interface DialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Creates a key and shows its secret. The secret is not stored, so it cannot be shown again once the dialog is closed. */
function NewKeyDialog({
  title,
  text,
  submitText,
  make,
  onClose,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly submitText: string;
  readonly make: (values: Readonly<Record<string, string>>) => Promise<IssuedApiKey>;
  readonly onClose: () => void;
  readonly children: (errorOf: (name: string) => string | null) => ReactNode;
}) {
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  if (issued !== null)
    return (
      <Dialog isOpen onClose={onClose} title={texts.keys.newKeyTitle(issued.name)}>
        <CopyOnce what={texts.keys.secret} secret={issued.secret} warning={texts.keys.secretWarning} />
        <Actions>
          <Button kind="primary" onClick={onClose}>
            {texts.common.done}
          </Button>
        </Actions>
      </Dialog>
    );
  return (
    <Dialog isOpen onClose={onClose} title={title} text={text}>
      <Form
        submitText={submitText}
        onCancel={onClose}
        onSubmit={async (values) => {
          setIssued(await make(values));
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
}

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { path, environment } = useTenant();
  return (
    <NewKeyDialog
      title={texts.keys.createTitle(environment)}
      text={texts.keys.createText}
      submitText={texts.keys.create}
      onClose={onClose}
      make={({ name = "", scope }) =>
        write("issueApiKey", { path, body: { name, scope: scope as NonNullable<ApiKeyInput["scope"]> } })
      }
    >
      {(errorOf) => (
        <>
          <TextField label={texts.keys.name} name="name" hint={texts.keys.nameHint} error={errorOf("name")} />
          <Select
            label={texts.keys.scope}
            name="scope"
            options={Object.entries(texts.keys.scopeChoices)}
            error={errorOf("scope")}
          />
        </>
      )}
    </NewKeyDialog>
  );
}

export function RollDialog({ apiKey, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <NewKeyDialog
      title={texts.keys.rollTitle(apiKey.name)}
      text={texts.keys.rollText}
      submitText={texts.keys.roll}
      onClose={onClose}
      make={({ grace }) =>
        write("rollApiKey", { path: { ...path, key: apiKey.id }, body: { grace: grace as RollInput["grace"] } })
      }
    >
      {(errorOf) => (
        <Select
          label={texts.keys.grace}
          name="grace"
          defaultValue="24h"
          options={Object.entries(texts.keys.graces)}
          error={errorOf("grace")}
        />
      )}
    </NewKeyDialog>
  );
}

export function RevokeDialog({ apiKey, onClose }: DialogProps) {
  const { path } = useTenant();
  const revoke = useAction({
    run: () => write("revokeApiKey", { path: { ...path, key: apiKey.id } }),
    said: texts.keys.revoked,
    done: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.keys.revokeTitle(apiKey.name)} text={texts.keys.revokeText}>
      <Actions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          {texts.keys.revoke}
        </Button>
      </Actions>
    </Dialog>
  );
}
