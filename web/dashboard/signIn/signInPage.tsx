import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { SignIn } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { SignInFrame } from "./frame.tsx";
import { localTarget } from "./localTarget.ts";
import { hasPasskeys, NoPasskeyError, readPasskey } from "./passkeys.ts";

/** §13.1: a password, and a code where there is an authenticator app; or a passkey alone. */
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
    <SignInFrame title="Sign in">
      <Form
        isWide
        submitText="Sign in"
        onSubmit={async ({ email = "", password = "" }) => enter(await call("signIn", { body: { email, password } }))}
      >
        {(errorOf) => (
          <>
            <TextField
              label="E-mail address"
              name="email"
              type="email"
              autoComplete="username"
              error={errorOf("email")}
            />
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              error={errorOf("password")}
            />
          </>
        )}
      </Form>
      <p>
        <Link to="/forgot">Forgot your password?</Link>
      </p>
      {hasPasskeys() ? <PasskeyButton enter={enter} /> : null}
    </SignInFrame>
  ) : (
    <SignInFrame title="Enter your code" text="Take it from your authenticator app, or use one of your backup codes.">
      <Form
        isWide
        submitText="Continue"
        onSubmit={async ({ code = "" }) => enter(await call("signInWithCode", { body: { ticket, code } }))}
      >
        {(errorOf) => (
          <TextField label="Code" name="code" autoFocus autoComplete="one-time-code" error={errorOf("code")} />
        )}
      </Form>
      <Button kind="quiet" onClick={() => setTicket(null)}>
        Back
      </Button>
    </SignInFrame>
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
      setFailure(error instanceof NoPasskeyError ? error.message : messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      {failure === null ? null : (
        <div role="alert">
          <Notice tone="bad">{failure}</Notice>
        </div>
      )}
      <Button onClick={use} isBusy={isBusy}>
        Sign in with a passkey
      </Button>
    </div>
  );
}
