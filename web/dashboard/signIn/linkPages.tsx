import { Notice } from "@holdfast/ui/badge.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ApiError, call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import { type InvitationDetails, LIMITS } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "../forms/buttons.tsx";
import { Form } from "../forms/form.tsx";
import { readFragment } from "./fragment.ts";
import { SignInFrame } from "./frame.tsx";

export const NewPassword = () => (
  <TextField
    label={texts.signIn.newPassword}
    name="password"
    type="password"
    autoComplete="new-password"
    hint={texts.signIn.newPasswordHint(LIMITS.passwordCharactersMin, LIMITS.passwordCharactersMax)}
  />
);

export const ToSignIn = () => <Link to="/sign-in">{texts.signIn.toSignIn}</Link>;

export const Unusable = ({ children }: { readonly children: ReactNode }) => (
  <SignInFrame title={texts.signIn.unusableTitle} text={children}>
    <ToSignIn />
  </SignInFrame>
);

/** What a link stands for, once it is read; a frame with the reason until then. */
export function LinkDetails<Data>({
  query: { data, error, refetch },
  title,
  failed,
  children,
}: {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly title: string;
  readonly failed: string;
  readonly children: (data: Data) => ReactNode;
}) {
  if (error instanceof ApiError && error.code === "action_refused") return <Unusable>{error.message}</Unusable>;
  if (data !== undefined) return children(data);
  return (
    <SignInFrame title={title}>
      {error === null ? (
        <Skeleton />
      ) : (
        <ErrorState title={failed} message={messageOf(error)} onRetry={() => void refetch()} />
      )}
    </SignInFrame>
  );
}

/** §13.2.1: the first user, by the link of the administration command. */
export function OwnerPage() {
  const [link] = useState(() => readFragment("owner"));
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (link === null) return <Unusable>{texts.signIn.incomplete.owner}</Unusable>;
  return (
    <SignInFrame title={texts.signIn.owner.title} text={texts.signIn.owner.text}>
      <Form
        isWide
        submitText={texts.signIn.owner.submit}
        onSubmit={async ({ email = "", name = "", password = "" }) => {
          await call("signUpOwner", { body: { link, email, name, password } });
          queries.clear();
          await navigate({ to: "/businesses", replace: true });
        }}
      >
        <TextField label={texts.common.email} name="email" type="email" autoComplete="username" />
        <TextField label={texts.signIn.name} name="name" autoComplete="name" />
        <NewPassword />
      </Form>
    </SignInFrame>
  );
}

/** §13.3.1. The answer is the same for every address. */
export function ForgotPage() {
  const [byEmail, setByMail] = useState<boolean | null>(null);
  if (byEmail !== null)
    return (
      <SignInFrame title={byEmail ? texts.signIn.reset.sentTitle : texts.signIn.reset.noMailTitle}>
        <p>{byEmail ? texts.signIn.reset.sentText : texts.signIn.reset.noMailText}</p>
        <ToSignIn />
      </SignInFrame>
    );
  return (
    <SignInFrame title={texts.signIn.reset.title} text={texts.signIn.reset.text}>
      <Form
        isWide
        submitText={texts.signIn.reset.submit}
        onSubmit={async ({ email = "" }) =>
          setByMail((await call("requestPasswordReset", { body: { email } })).byEmail)
        }
      >
        <TextField label={texts.common.email} name="email" type="email" autoComplete="username" />
      </Form>
      <ToSignIn />
    </SignInFrame>
  );
}

/** §13.5.4: an existing user accepts the invitation; anyone else signs up with it. */
export function InvitationPage() {
  const [invitation] = useState(() => readFragment("invitation"));
  const details = useQuery({
    queryKey: ["readInvitation", invitation],
    queryFn: () => call("readInvitation", { body: { invitation: invitation ?? "" } }),
    enabled: invitation !== null,
  });
  if (invitation === null) return <Unusable>{texts.signIn.incomplete.invitation}</Unusable>;
  return (
    <LinkDetails query={details} title={texts.signIn.invitation.title} failed={texts.signIn.invitation.failed}>
      {(data) => {
        const { name, text } = texts.businesses.roles[data.role];
        return (
          <SignInFrame
            title={texts.signIn.invitation.joinTitle(data.business)}
            text={texts.signIn.invitation.joinText(data.email, name, text)}
          >
            <Join invitation={invitation} details={data} />
          </SignInFrame>
        );
      }}
    </LinkDetails>
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
  if (!details.hasUser)
    return (
      <Form
        isWide
        submitText={texts.signIn.invitation.submit}
        onSubmit={async ({ name = "", password = "" }) => {
          await call("signUpInvited", { body: { invitation, name, password } });
          await enter();
        }}
      >
        <TextField label={texts.signIn.name} name="name" autoComplete="name" />
        <NewPassword />
      </Form>
    );
  if (account.data === undefined) return <Skeleton rows={1} />;
  if (account.data === null || account.data.user.email.toLowerCase() !== details.email.toLowerCase())
    return (
      <>
        <Notice tone="info">
          {account.data === null
            ? texts.signIn.invitation.signInAs(details.email)
            : texts.signIn.invitation.otherUser(account.data.user.email, details.email)}
        </Notice>
        <ToSignIn />
      </>
    );
  return (
    <ActionButton kind="primary" run={() => write("acceptInvitation", { body: { invitation } })} done={enter}>
      {texts.signIn.invitation.submit}
    </ActionButton>
  );
}
