import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError, call } from "../api/client.ts";
import type { Passkey, PasswordResetDetails, StaffSession } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { browserOf } from "./browserOf.ts";
import { readFragment } from "./fragment.ts";
import { SignInFrame } from "./frame.tsx";
import { NewPassword, ToSignIn, Unusable } from "./linkPages.tsx";

/** §13.3.3: the link sets a password, shows what else signs in, and signs nobody in. */
export function PasswordPage() {
  const [link] = useState(() => readFragment("link"));
  const [removed, setRemoved] = useState<number | null>(null);
  const details = useQuery({
    queryKey: ["readPasswordReset", link],
    queryFn: () => call("readPasswordReset", { body: { link: link ?? "" } }),
    enabled: link !== null && removed === null,
    // The choices refer to the list that was shown, so it is not read again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link === null) return <Unusable>The address is not complete. Open the whole link.</Unusable>;
  if (removed !== null) return <PasswordSet removed={removed} />;
  if (details.error instanceof ApiError && details.error.code === "action_refused")
    return <Unusable>{details.error.message}</Unusable>;
  if (details.data === undefined)
    return (
      <SignInFrame title="Set your password">
        {details.error === null ? (
          <Skeleton />
        ) : (
          <ErrorState
            title="The link could not be read"
            message={messageOf(details.error)}
            onRetry={() => void details.refetch()}
          />
        )}
      </SignInFrame>
    );
  return <SetPassword link={link} details={details.data} onDone={setRemoved} />;
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
    <SignInFrame title="Set your password">
      <Form
        isWide
        submitText="Set the password"
        onSubmit={async ({ password = "", ...chosen }) => {
          const keepPasskeys = passkeys.filter(({ id }) => chosen[`remove:${id}`] === undefined).map(({ id }) => id);
          await call("resetPassword", { body: { link, password, keepPasskeys } });
          queries.clear();
          history.replaceState(history.state, "", location.pathname);
          onDone(passkeys.length - keepPasskeys.length);
        }}
      >
        {(errorOf) => (
          <>
            <NewPassword error={errorOf("password")} />
            {passkeys.length === 0 ? null : <Passkeys passkeys={passkeys} />}
            {sessions.length === 0 ? null : <Sessions sessions={sessions} />}
            {hasApp ? (
              <Part title="Authenticator app">
                <p className="text-small text-soft">
                  It stays: the next sign-in asks for its code, or for a backup code. If you lost it, or did not add it,
                  ask the operator of this deployment to remove it.
                </p>
              </Part>
            ) : null}
          </>
        )}
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
  <Part title="Passkeys">
    <p className="text-small text-soft">
      A passkey signs in without the password. Keep only those that you know and still have.
    </p>
    {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
      <label key={id} className="flex items-start gap-2">
        <input type="checkbox" name={`remove:${id}`} defaultChecked className="mt-1" />
        <span className="grid min-w-0">
          <span className="break-words">Remove {name}</span>
          <span className="text-small text-soft">
            Added <Time at={createdAt} />, last used <Time at={lastUsedAt} none="never" />
          </span>
        </span>
      </label>
    ))}
  </Part>
);

/** More are counted only: the page is for the password. */
const SESSIONS_SHOWN = 5;

const Sessions = ({ sessions }: { readonly sessions: readonly StaffSession[] }) => (
  <Part title="Sessions">
    <p className="text-small text-soft">
      {sessions.length === 1 ? "This session ends." : `These ${sessions.length} sessions end.`}
    </p>
    <ul className="m-0 grid list-none gap-2 p-0">
      {sessions.slice(0, SESSIONS_SHOWN).map(({ id, userAgent, address, lastUsedAt }) => (
        <li key={id} className="grid min-w-0">
          <span className="break-words">{browserOf(userAgent)}</span>
          <span className="break-words text-small text-soft">
            {address}, last used <Time at={lastUsedAt} />
          </span>
        </li>
      ))}
    </ul>
    {sessions.length > SESSIONS_SHOWN ? (
      <p className="text-small text-soft">and {sessions.length - SESSIONS_SHOWN} more</p>
    ) : null}
  </Part>
);

const PasswordSet = ({ removed }: { readonly removed: number }) => (
  <SignInFrame
    title="Your password is set"
    text={`All your sessions have ended${removed === 0 ? "" : removed === 1 ? ", and one passkey was removed" : `, and ${removed} passkeys were removed`}. Sign in with the new password.`}
  >
    <ToSignIn />
  </SignInFrame>
);
