import { Notice } from "@holdfast/ui/badge.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import type { Passkey } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog, FormDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { hasPasskeys, makePasskey } from "../signIn/passkeys.ts";

export function PasskeySection() {
  const passkeys = useQuery(read("listPasskeys", {}));
  const add = hasPasskeys() ? (
    <DialogButton dialog={(close) => <AddDialog onClose={close} />}>{texts.account.passkeys.add}</DialogButton>
  ) : undefined;
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
                  title: texts.common.name,
                  cell: ({ name }: Passkey) => <span className="break-words">{name}</span>,
                },
                {
                  title: texts.common.lastUsed,
                  cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none={texts.common.neverUsed} />,
                  wideOnly: true,
                },
                {
                  title: texts.account.passkeys.remove,
                  hideTitle: true,
                  end: true,
                  cell: (passkey) => (
                    <DialogButton
                      aria-label={texts.account.passkeys.removeOf(passkey.name)}
                      dialog={(close) => <RemoveDialog passkey={passkey} onClose={close} />}
                    >
                      {texts.common.remove}
                    </DialogButton>
                  ),
                },
              ]}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

const AddDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog
    title={texts.account.passkeys.add}
    text={texts.account.passkeys.addText}
    submitText={texts.common.continue}
    onClose={onClose}
    onSubmit={async ({ name = "" }) => {
      const { publicKey } = await call("challengeNewPasskey");
      await write("addPasskey", { body: { name, credential: await makePasskey(publicKey) } });
      onClose();
      showToast(texts.account.passkeys.added);
    }}
  >
    <TextField label={texts.common.name} name="name" hint={texts.account.passkeys.nameHint} />
  </FormDialog>
);

const RemoveDialog = ({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) => (
  <ConfirmDialog
    title={texts.account.passkeys.removeTitle(passkey.name)}
    text={texts.account.passkeys.removeText}
    submitText={texts.account.passkeys.remove}
    run={() => write("removePasskey", { path: { id: passkey.id } })}
    said={texts.account.passkeys.removed}
    onClose={onClose}
  />
);
