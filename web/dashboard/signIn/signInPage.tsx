import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { SignIn } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { CodeStep } from "./codeStep.tsx";
import { CompanyButton } from "./company.tsx";
import { COMPANY } from "./companyName.ts";
import { SignInFrame } from "./frame.tsx";
import { localTarget } from "./localTarget.ts";
import { hasPasskeys, readPasskey } from "./passkeys.ts";

/** The sign-in (§13.1): a password, and a code if there is an authenticator app; or a passkey alone. */
export function SignInPage() {
  const [ticket, setTicket] = useState<string | null>(null);
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const enter = async (answer: SignIn) => {
    if (answer.status === "second_factor") return setTicket(answer.ticket);
    queries.clear();
    await navigate(localTarget(next));
  };
  return ticket === null ? (
    <SignInFrame title={texts.signIn.title}>
      <Form
        isWide
        submitText={texts.signIn.submit}
        onSubmit={async ({ email = "", password = "" }) => enter(await call("signIn", { body: { email, password } }))}
      >
        <TextField label={texts.common.email} name="email" type="email" autoComplete="username" />
        <TextField label={texts.common.password} name="password" type="password" autoComplete="current-password" />
      </Form>
      <p>
        <Link to="/forgot">{texts.signIn.forgot}</Link>
      </p>
      {COMPANY !== null || hasPasskeys() ? (
        <div className="grid gap-3 border-t border-line pt-4">
          {COMPANY === null ? null : (
            <CompanyButton departure="beginCompanySignIn" returnTo={next ?? "/"}>
              {texts.signIn.company.button(COMPANY)}
            </CompanyButton>
          )}
          {hasPasskeys() ? <PasskeyButton enter={enter} /> : null}
        </div>
      ) : null}
    </SignInFrame>
  ) : (
    <CodeStep ticket={ticket} enter={enter} onBack={() => setTicket(null)} />
  );
}

function PasskeyButton({ enter }: { readonly enter: (answer: SignIn) => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const use = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { publicKey } = await call("challengeSignIn");
      await enter(await call("signInByPasskey", { body: { credential: await readPasskey(publicKey) } }));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-3">
      {failure === null ? null : (
        <div role="alert">
          <Notice tone="bad">{failure}</Notice>
        </div>
      )}
      <Button onClick={use} isBusy={isBusy}>
        {texts.signIn.passkey}
      </Button>
    </div>
  );
}
