import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { call } from "../api/client.ts";
import type { SignIn } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { SignInFrame } from "./frame.tsx";

/** The second step of a sign-in: a code of the user's authenticator app. */
export function CodeStep({
  ticket,
  enter,
  onBack,
}: {
  readonly ticket: string;
  readonly enter: (answer: SignIn) => Promise<void>;
  readonly onBack: () => void;
}) {
  return (
    <SignInFrame title={texts.signIn.codeTitle} text={texts.signIn.codeText}>
      <Form
        isWide
        submitText={texts.common.continue}
        onSubmit={async ({ code = "" }) => enter(await call("signInWithCode", { body: { ticket, code } }))}
      >
        <TextField label={texts.common.code} name="code" autoFocus autoComplete="one-time-code" />
      </Form>
      <Button kind="quiet" onClick={onBack}>
        {texts.signIn.back}
      </Button>
    </SignInFrame>
  );
}
