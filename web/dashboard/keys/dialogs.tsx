import { Select, TextField } from "@holdfast/ui/field.tsx";
import { write } from "../api/queries.ts";
import type { ApiKey, ApiKeyInput, IssuedApiKey, RollInput } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ConfirmDialog, IssueDialog, type IssuedSecret } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";

interface DialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

const showSecret = ({ name, secret }: IssuedApiKey): IssuedSecret => ({
  title: texts.keys.newKeyTitle(name),
  what: texts.keys.secret,
  secret,
  warning: texts.keys.secretWarning,
});

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { path, environment } = useTenant();
  return (
    <IssueDialog
      title={texts.keys.createTitle(environment)}
      text={texts.keys.createText}
      submitText={texts.keys.create}
      onClose={onClose}
      issue={async ({ name = "", scope }) => {
        const body = { name, scope: scope as NonNullable<ApiKeyInput["scope"]> };
        return showSecret(await write("issueApiKey", { path, body }));
      }}
    >
      <TextField label={texts.common.name} name="name" hint={texts.keys.nameHint} />
      <Select label={texts.keys.scope} name="scope" options={Object.entries(texts.keys.scopeChoices)} />
    </IssueDialog>
  );
}

export function RollDialog({ apiKey, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <IssueDialog
      title={texts.keys.rollTitle(apiKey.name)}
      text={texts.keys.rollText}
      submitText={texts.keys.roll}
      onClose={onClose}
      issue={async ({ grace }) => {
        const body = { grace: grace as RollInput["grace"] };
        return showSecret(await write("rollApiKey", { path: { ...path, key: apiKey.id }, body }));
      }}
    >
      <Select label={texts.keys.grace} name="grace" defaultValue="24h" options={Object.entries(texts.keys.graces)} />
    </IssueDialog>
  );
}

export function RevokeDialog({ apiKey, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <ConfirmDialog
      title={texts.keys.revokeTitle(apiKey.name)}
      text={texts.keys.revokeText}
      submitText={texts.keys.revoke}
      run={() => write("revokeApiKey", { path: { ...path, key: apiKey.id } })}
      said={texts.keys.revoked}
      onClose={onClose}
    />
  );
}
