import { Badge } from "@holdfast/ui/badge.tsx";
import { Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { accountQuery, write } from "../api/queries.ts";
import type { AuthenticatorApp } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog, Secret } from "../forms/dialogs.tsx";
import { Form } from "../forms/form.tsx";
import { QrCode } from "../objects/qrCode.tsx";
import { Section } from "../shell/page.tsx";

/** An authenticator app and its backup codes (§13.1.4). */
export function AppSection() {
  const { hasTotp, hasPassword, backupCodesLeft } = useSuspenseQuery(accountQuery).data.signIn;
  const [app, setApp] = useState<AuthenticatorApp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const actions = hasTotp ? (
    <>
      <ActionButton run={() => write("renewBackupCodes", {})} done={(answer) => setCodes(answer.codes)}>
        {texts.account.app.newCodes}
      </ActionButton>
      <DialogButton
        dialog={(close) => (
          <ConfirmDialog
            title={texts.account.app.removeTitle}
            text={texts.account.app.removeText}
            submitText={texts.account.app.remove}
            run={() => write("removeAuthenticatorApp", {})}
            said={texts.account.app.removed}
            onClose={close}
          />
        )}
      >
        {texts.account.app.remove}
      </DialogButton>
    </>
  ) : (
    <ActionButton disabled={!hasPassword} run={() => call("addAuthenticatorApp")} done={setApp}>
      {texts.account.app.setUp}
    </ActionButton>
  );
  return (
    <Section title={texts.account.app.title} text={texts.account.app.text} actions={actions}>
      {hasTotp ? (
        <p className="flex flex-wrap gap-2">
          <Badge tone="good">{texts.account.app.isActive}</Badge>
          <Badge tone={backupCodesLeft < 3 ? "wait" : "neutral"}>{texts.account.app.codesLeft(backupCodesLeft)}</Badge>
        </p>
      ) : null}
      {app === null ? null : (
        <SetUpDialog
          app={app}
          onClose={() => setApp(null)}
          onConfirmed={(given) => {
            setApp(null);
            setCodes(given);
          }}
        />
      )}
      {codes === null ? null : <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

function SetUpDialog({
  app,
  onClose,
  onConfirmed,
}: {
  readonly app: AuthenticatorApp;
  readonly onClose: () => void;
  readonly onConfirmed: (codes: readonly string[]) => void;
}) {
  return (
    <Dialog isOpen onClose={onClose} title={texts.account.app.setUpTitle} text={texts.account.app.setUpText}>
      <QrCode text={app.uri} label={texts.account.app.qrCode} />
      <code translate="no" className="break-all rounded-small border border-line bg-paper px-3 py-2">
        {app.secret}
      </code>
      <Form
        submitText={texts.account.app.confirm}
        onCancel={onClose}
        onSubmit={async ({ code = "" }) => {
          const { codes } = await write("confirmAuthenticatorApp", { body: { code } });
          onConfirmed(codes);
        }}
      >
        <TextField label={texts.common.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
      </Form>
    </Dialog>
  );
}

const CodesDialog = ({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={texts.account.app.codesTitle} text={texts.account.app.codesText}>
    <Secret
      what={texts.account.app.codes}
      secret={codes.join("\n")}
      warning={texts.account.app.codesWarning}
      onClose={onClose}
    />
  </Dialog>
);
