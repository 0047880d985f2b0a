import { Time } from "@holdfast/ui/time.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../api/client.ts";
import type { Passkey, PasswordResetDetails, StaffSession } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { browserOf } from "./browserOf.ts";
import { readFragment } from "./fragment.ts";
import { SignInFrame } from "./frame.tsx";
import { LinkDetails, NewPassword, ToSignIn, Unusable } from "./linkPages.tsx";

/** The page behind the link of a reset (§13.3.3): it sets a password, shows the other ways to sign in, and does not sign in. */
export function PasswordPage() {
  const [link] = useState(() => readFragment("link"));
  const [removed, setRemoved] = useState<number | null>(null);
  const details = useQuery({
    queryKey: ["readPasswordReset", link],
    queryFn: () => call("readPasswordReset", { body: { link: link ?? "" } }),
    enabled: link !== null && removed === null,
    // The choices refer to the shown list, so it is not read again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link === null) return <Unusable>{texts.signIn.incomplete.password}</Unusable>;
  if (removed !== null) return <PasswordSet removed={removed} />;
  return (
    <LinkDetails query={details} title={texts.signIn.setPassword.title} failed={texts.signIn.setPassword.failed}>
      {(data) => <SetPassword link={link} details={data} onDone={setRemoved} />}
    </LinkDetails>
  );
}

function SetPassword({
  link,
  details,
  onDone,
}: {
  readonly link: string;
  readonly details: PasswordResetDetails;
  readonly onDone: (removed: number) => void;
}) {
  const queries = useQueryClient();
  const { hasApp, passkeys, sessions } = details;
  return (
    <SignInFrame title={texts.signIn.setPassword.title}>
      <Form
        isWide
        submitText={texts.signIn.setPassword.submit}
        onSubmit={async ({ password = "", ...chosen }) => {
          const keepPasskeys = passkeys.filter(({ id }) => chosen[`remove:${id}`] === undefined).map(({ id }) => id);
          await call("resetPassword", { body: { link, password, keepPasskeys } });
          queries.clear();
          history.replaceState(history.state, "", location.pathname);
          onDone(passkeys.length - keepPasskeys.length);
        }}
      >
        <NewPassword />
        {passkeys.length === 0 ? null : <Passkeys passkeys={passkeys} />}
        {sessions.length === 0 ? null : <Sessions sessions={sessions} />}
        {hasApp ? (
          <Part title={texts.signIn.setPassword.app}>
            <p className="text-small text-soft">{texts.signIn.setPassword.appText}</p>
          </Part>
        ) : null}
      </Form>
    </SignInFrame>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="m-0 grid min-w-0 gap-2 border-0 border-t border-line p-0 pt-4">
    <legend className="float-left w-full p-0 font-medium">{title}</legend>
    {children}
  </fieldset>
);

const Passkeys = ({ passkeys }: { readonly passkeys: readonly Passkey[] }) => (
  <Part title={texts.signIn.setPassword.passkeys}>
    <p className="text-small text-soft">{texts.signIn.setPassword.passkeysText}</p>
    {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
      <label key={id} className="flex items-start gap-2">
        <input type="checkbox" name={`remove:${id}`} defaultChecked className="mt-1" />
        <span className="grid min-w-0">
          <span className="break-words">{texts.signIn.setPassword.removePasskey(name)}</span>
          <span className="text-small text-soft">
            <Filled
              text={texts.signIn.setPassword.passkeyTimes}
              slots={{
                added: <Time at={createdAt} />,
                used: <Time at={lastUsedAt} none={texts.signIn.setPassword.neverUsed} />,
              }}
            />
          </span>
        </span>
      </label>
    ))}
  </Part>
);

/** Further sessions are only counted: the page is for the password. */
const SESSIONS_SHOWN = 5;

const Sessions = ({ sessions }: { readonly sessions: readonly StaffSession[] }) => (
  <Part title={texts.signIn.setPassword.sessions}>
    <p className="text-small text-soft">{texts.signIn.setPassword.sessionsText(sessions.length)}</p>
    <ul className="m-0 grid list-none gap-2 p-0">
      {sessions.slice(0, SESSIONS_SHOWN).map(({ id, userAgent, address, lastUsedAt }) => (
        <li key={id} className="grid min-w-0">
          <span className="break-words">{browserOf(userAgent)}</span>
          <span className="break-words text-small text-soft">
            <Filled text={texts.signIn.setPassword.session} slots={{ address, time: <Time at={lastUsedAt} /> }} />
          </span>
        </li>
      ))}
    </ul>
    {sessions.length > SESSIONS_SHOWN ? (
      <p className="text-small text-soft">{texts.signIn.setPassword.moreSessions(sessions.length - SESSIONS_SHOWN)}</p>
    ) : null}
  </Part>
);

const PasswordSet = ({ removed }: { readonly removed: number }) => (
  <SignInFrame title={texts.signIn.setPassword.doneTitle} text={texts.signIn.setPassword.doneText(removed)}>
    <ToSignIn />
  </SignInFrame>
);
