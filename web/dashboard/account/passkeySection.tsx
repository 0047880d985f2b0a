import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { read } from "../api/queries.ts";
import type { Passkey } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { hasPasskeys, makePasskey } from "../signIn/passkeys.ts";

export function PasskeySection() {
  const passkeys = useQuery(read("listPasskeys", {}));
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const add = hasPasskeys() ? <Button onClick={() => setAdding(true)}>Add a passkey</Button> : undefined;
  return (
    <Section
      title="Passkeys"
      text="Sign in by fingerprint, face or the device's own code. Nobody can ask you for it on another site."
      actions={add}
    >
      {hasPasskeys() ? null : (
        <Notice tone="info">This browser has no passkeys, or not in the form that is needed.</Notice>
      )}
      <QueryState query={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No passkey yet">A passkey is the safest way to sign in.</EmptyState>
          ) : (
            <Table
              caption="Your passkeys"
              columns={[
                { title: "Name", cell: ({ name }: Passkey) => <span className="break-words">{name}</span> },
                { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="Never" />, wideOnly: true },
                {
                  title: "Remove",
                  hideTitle: true,
                  end: true,
                  cell: (one) => (
                    <Button aria-label={`Remove ${one.name}`} onClick={() => setRemoved(one)}>
                      Remove
                    </Button>
                  ),
                },
              ]}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryState>
      <AddDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      {removed === null ? null : <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}

function AddDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add a passkey" text="The browser asks you next.">
      <Form
        submitText="Continue"
        onCancel={onClose}
        onSubmit={async ({ name = "" }) => {
          const { publicKey } = await call("challengeNewPasskey");
          await call("addPasskey", { body: { name, credential: await makePasskey(publicKey) } });
          await Promise.all(["listPasskeys", "getAccount"].map((id) => queries.invalidateQueries({ queryKey: [id] })));
          onClose();
          showToast("The passkey was added.");
        }}
      >
        {(errorOf) => (
          <TextField
            label="Name"
            name="name"
            hint="By which you know it again, such as Laptop."
            error={errorOf("name")}
          />
        )}
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const remove = useAction({
    run: () => call("removePasskey", { path: { id: passkey.id } }),
    changes: ["listPasskeys", "getAccount"],
    said: "The passkey was removed.",
    done: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Remove ${passkey.name}?`} text="It signs you in no more.">
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Actions>
    </Dialog>
  );
}
