import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import type { Passkey } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { hasPasskeys, makePasskey } from "../signIn/passkeys.ts";

export function PasskeySection() {
  const passkeys = useQuery(read("listPasskeys", {}));
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const add = hasPasskeys() ? <Button onClick={() => setAdding(true)}>{texts.account.passkeys.add}</Button> : undefined;
  return (
    <Section title={texts.account.passkeys.title} text={texts.account.passkeys.text} actions={add}>
      {hasPasskeys() ? null : <Notice tone="info">{texts.account.passkeys.unsupported}</Notice>}
      <QueryState query={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={texts.account.passkeys.emptyTitle}>{texts.account.passkeys.emptyText}</EmptyState>
          ) : (
            <Table
              caption={texts.account.passkeys.caption}
              columns={[
                {
                  title: texts.account.passkeys.name,
                  cell: ({ name }: Passkey) => <span className="break-words">{name}</span>,
                },
                {
                  title: texts.account.passkeys.lastUsed,
                  cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none={texts.account.passkeys.neverUsed} />,
                  wideOnly: true,
                },
                {
                  title: texts.account.passkeys.remove,
                  hideTitle: true,
                  end: true,
                  cell: (passkey) => (
                    <Button
                      aria-label={texts.account.passkeys.removeOf(passkey.name)}
                      onClick={() => setRemoved(passkey)}
                    >
                      {texts.common.remove}
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
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.account.passkeys.add} text={texts.account.passkeys.addText}>
      <Form
        submitText={texts.common.continue}
        onCancel={onClose}
        onSubmit={async ({ name = "" }) => {
          const { publicKey } = await call("challengeNewPasskey");
          await write("addPasskey", { body: { name, credential: await makePasskey(publicKey) } });
          onClose();
          showToast(texts.account.passkeys.added);
        }}
      >
        {(errorOf) => (
          <TextField
            label={texts.account.passkeys.name}
            name="name"
            hint={texts.account.passkeys.nameHint}
            error={errorOf("name")}
          />
        )}
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const remove = useAction({
    run: () => write("removePasskey", { path: { id: passkey.id } }),
    said: texts.account.passkeys.removed,
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.account.passkeys.removeTitle(passkey.name)}
      text={texts.account.passkeys.removeText}
    >
      <Actions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.account.passkeys.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
