import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../api/client.ts";
import type { ApiKey, ApiKeyInput, IssuedApiKey, RollInput } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";

interface DialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Asks, makes the key, and shows it: it is nowhere else, and gone with the dialog. */
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
  const queries = useQueryClient();
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  if (issued !== null)
    return (
      <Dialog isOpen onClose={onClose} title={`The key ${issued.name ?? ""}`}>
        <CopyOnce
          what="API key"
          secret={issued.secret}
          warning="Copy the key now, and keep it where your server reads it. It is not shown again."
        />
        <Actions>
          <Button kind="primary" onClick={onClose}>
            I have kept it
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
          await queries.invalidateQueries({ queryKey: ["listApiKeys"] });
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
      title={`Create a ${environment} key`}
      text="It is shown once."
      submitText="Create"
      onClose={onClose}
      make={({ name = "", scope }) =>
        call("issueApiKey", { path, body: { name, scope: scope as NonNullable<ApiKeyInput["scope"]> } })
      }
    >
      {(errorOf) => (
        <>
          <TextField label="Name" name="name" hint="Where it is used, such as Shop server." error={errorOf("name")} />
          <Select
            label="Scope"
            name="scope"
            options={[
              ["full", "Full: everything that the API does"],
              ["read", "Read only: it may look, and change nothing"],
            ]}
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
      title={`Roll ${apiKey.name ?? "the key"}`}
      text="You get a new key of the same name and scope. The old one works on for as long as you say."
      submitText="Roll"
      onClose={onClose}
      make={({ grace }) =>
        call("rollApiKey", { path: { ...path, key: apiKey.id }, body: { grace: grace as RollInput["grace"] } })
      }
    >
      {(errorOf) => (
        <Select
          label="The old key works for"
          name="grace"
          defaultValue="24h"
          options={[
            ["none", "not a moment longer"],
            ["1h", "1 hour"],
            ["24h", "24 hours"],
            ["7d", "7 days"],
          ]}
          error={errorOf("grace")}
        />
      )}
    </NewKeyDialog>
  );
}

export function RevokeDialog({ apiKey, onClose }: DialogProps) {
  const { path } = useTenant();
  const revoke = useAction({
    run: () => call("revokeApiKey", { path: { ...path, key: apiKey.id } }),
    changes: ["listApiKeys"],
    said: "The key was revoked. It works no more.",
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Revoke ${apiKey.name ?? "the key"}?`}
      text="It stops working with its next request, and so does the one it replaced."
    >
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </Actions>
    </Dialog>
  );
}
