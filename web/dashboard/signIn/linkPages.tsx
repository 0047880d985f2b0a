import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ApiError, call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import { ROLE_TEXTS } from "../api/roles.ts";
import type { InvitationDetails } from "../api/schema.ts";
import { messageOf, useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { readFragment } from "./fragment.ts";
import { SignInFrame } from "./frame.tsx";

export const NewPassword = ({ error }: { readonly error: string | null }) => (
  <TextField
    label="New password"
    name="password"
    type="password"
    autoComplete="new-password"
    hint="12 to 200 characters. A few words that only you would put together are better than signs."
    error={error}
  />
);

export const ToSignIn = () => <Link to="/sign-in">To the sign-in</Link>;

export const Unusable = ({ children }: { readonly children: ReactNode }) => (
  <SignInFrame title="This link does not work" text={children}>
    <ToSignIn />
  </SignInFrame>
);

/** §13.2.1: the first user, by the link of the administration command. */
export function OwnerPage() {
  const [link] = useState(() => readFragment("owner"));
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (link === null)
    return <Unusable>The address is not complete. Open the whole link that the command showed.</Unusable>;
  return (
    <SignInFrame title="Make the first user" text="You become an operator of this deployment: you add its businesses.">
      <Form
        isWide
        submitText="Make the user"
        onSubmit={async ({ email = "", name = "", password = "" }) => {
          await call("signUpOwner", { body: { link, email, name, password } });
          queries.clear();
          await navigate({ to: "/businesses", replace: true });
        }}
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
            <TextField label="Your name" name="name" autoComplete="name" error={errorOf("name")} />
            <NewPassword error={errorOf("password")} />
          </>
        )}
      </Form>
    </SignInFrame>
  );
}

/** §13.3.1. The answer is the same for every address. */
export function ForgotPage() {
  const [byMail, setByMail] = useState<boolean | null>(null);
  if (byMail !== null)
    return (
      <SignInFrame title={byMail ? "Look into your mail" : "Ask the operator"}>
        <p>
          {byMail
            ? "If the address has a user, a link is on its way. It works once, for an hour."
            : "This deployment sends no mail. Its operator can make a link for you: npm run admin -- user reset-link."}
        </p>
        <ToSignIn />
      </SignInFrame>
    );
  return (
    <SignInFrame title="Forgot your password?" text="A link to set a new one comes by mail.">
      <Form
        isWide
        submitText="Send the link"
        onSubmit={async ({ email = "" }) => setByMail((await call("requestPasswordReset", { body: { email } })).byMail)}
      >
        {(errorOf) => (
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            error={errorOf("email")}
          />
        )}
      </Form>
      <ToSignIn />
    </SignInFrame>
  );
}

/** §13.5.4: who has a user accepts with it; who has none makes one. */
export function InvitationPage() {
  const [invitation] = useState(() => readFragment("invitation"));
  const details = useQuery({
    queryKey: ["readInvitation", invitation],
    queryFn: () => call("readInvitation", { body: { invitation: invitation ?? "" } }),
    enabled: invitation !== null,
  });
  if (invitation === null) return <Unusable>The address is not complete. Open the whole link of the letter.</Unusable>;
  if (details.error instanceof ApiError && details.error.code === "action_refused")
    return <Unusable>{details.error.message}</Unusable>;
  if (details.data === undefined)
    return (
      <SignInFrame title="Invitation">
        {details.error === null ? (
          <Skeleton />
        ) : (
          <ErrorState
            title="The invitation could not be read"
            message={messageOf(details.error)}
            onRetry={() => void details.refetch()}
          />
        )}
      </SignInFrame>
    );
  const { business, email, role } = details.data;
  const text = `As ${email} you get the role ${ROLE_TEXTS[role].name.toLowerCase()}: ${ROLE_TEXTS[role].text}`;
  return (
    <SignInFrame title={`Join ${business}`} text={text}>
      <Join invitation={invitation} details={details.data} />
    </SignInFrame>
  );
}

function Join({ invitation, details }: { readonly invitation: string; readonly details: InvitationDetails }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const account = useQuery({ queryKey: ["whoIsHere"], queryFn: () => call("getAccount").catch(() => null) });
  const enter = async () => {
    queries.clear();
    await navigate({ to: "/", replace: true });
  };
  const accept = useAction({ run: () => write("acceptInvitation", { body: { invitation } }), done: enter });
  if (!details.hasUser)
    return (
      <Form
        isWide
        submitText="Join"
        onSubmit={async ({ name = "", password = "" }) => {
          await call("signUpInvited", { body: { invitation, name, password } });
          await enter();
        }}
      >
        {(errorOf) => (
          <>
            <TextField label="Your name" name="name" autoComplete="name" error={errorOf("name")} />
            <NewPassword error={errorOf("password")} />
          </>
        )}
      </Form>
    );
  if (account.data === undefined) return <Skeleton rows={1} />;
  if (account.data === null || account.data.user.email.toLowerCase() !== details.email.toLowerCase())
    return (
      <>
        <Notice tone="info">
          {account.data === null
            ? `Sign in as ${details.email}, then open this link again.`
            : `You are signed in as ${account.data.user.email}. Sign in as ${details.email}, then open this link again.`}
        </Notice>
        <ToSignIn />
      </>
    );
  return (
    <Button kind="primary" isBusy={accept.isPending} onClick={() => accept.mutate()}>
      Join
    </Button>
  );
}
