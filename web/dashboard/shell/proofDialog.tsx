import { Button } from "@holdfast/ui/button.tsx";
import { Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { accountQuery } from "../api/queries.ts";
import { LIMITS } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { CompanyButton } from "../signIn/company.tsx";
import { COMPANY } from "../signIn/companyName.ts";
import { hasPasskeys, readPasskey } from "../signIn/passkeys.ts";
import { answerProof } from "./proof.ts";

/** Asks the user for a proof before keys, secrets, members or ways to sign in change (§13.4). */
export const ProofDialog = () => (
  <Dialog
    isOpen
    onClose={() => answerProof(false)}
    title={texts.shell.proof.title}
    text={texts.shell.proof.text(LIMITS.proofMinutes)}
  >
    <ProofForms />
  </Dialog>
);

function ProofForms() {
  const ways = useQuery(accountQuery).data?.signIn;
  const { pathname, searchStr } = useLocation();
  const provePasskey = async () => {
    try {
      const { publicKey } = await call("challengeProof");
      await call("proveByPasskey", { body: { credential: await readPasskey(publicKey) } });
      answerProof(true);
    } catch (error) {
      showToast(messageOf(error), "bad");
    }
  };
  return (
    <>
      {ways !== undefined && ways.passkeys > 0 && hasPasskeys() ? (
        <Button kind="primary" onClick={provePasskey}>
          {texts.shell.proof.passkey}
        </Button>
      ) : null}
      {COMPANY !== null && ways?.isLinked && !ways.hasTotp ? (
        <div className="grid gap-1">
          <CompanyButton departure="beginCompanyProof" returnTo={`${pathname}${searchStr}`}>
            {texts.shell.proof.company(COMPANY)}
          </CompanyButton>
          <p className="text-small text-soft">{texts.shell.proof.companyHint}</p>
        </div>
      ) : null}
      {ways?.hasPassword === false ? null : (
        <Form
          submitText={texts.common.continue}
          onCancel={() => answerProof(false)}
          onSubmit={async ({ password = "", code }) => {
            await call("proveByPassword", { body: { password, ...(code === undefined ? {} : { code }) } });
            answerProof(true);
          }}
        >
          <TextField label={texts.common.password} name="password" type="password" autoComplete="current-password" />
          {ways?.hasTotp ? (
            <TextField
              label={texts.common.code}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              hint={texts.shell.proof.codeHint}
            />
          ) : null}
        </Form>
      )}
    </>
  );
}
