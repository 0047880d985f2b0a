import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../api/client.ts";
import type { SignIn } from "../api/schema.ts";
import { isUnproven, messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { CodeStep } from "./codeStep.tsx";
import { SignInFrame } from "./frame.tsx";
import { ToSignIn } from "./linkPages.tsx";
import { localTarget } from "./localTarget.ts";

type Departure = "beginCompanySignIn" | "beginCompanyLink" | "beginCompanyProof";

/** The page to return to, kept in this tab while the browser is at the provider. */
const RETURN_TO = "holdfast.returnTo";

/** Goes to the provider. Does not return if it succeeds: the browser leaves the page. */
async function goToCompany(id: Departure, returnTo: string): Promise<never> {
  const { url } = await call(id);
  sessionStorage.setItem(RETURN_TO, returnTo);
  location.assign(url);
  return new Promise(() => undefined);
}

/** A button that goes to the provider. A failure is said above it. */
export function CompanyButton({
  departure,
  returnTo,
  children,
}: {
  readonly departure: Departure;
  readonly returnTo: string;
  readonly children: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await goToCompany(departure, returnTo);
    } catch (error) {
      if (!isUnproven(error)) setFailure(messageOf(error));
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
      <Button onClick={go} isBusy={isBusy}>
        {children}
      </Button>
    </div>
  );
}

/** An answer is good once, so every call of this page for one answer shares its result. */
let arrival: { readonly answer: string; readonly step: Promise<SignIn> } | null = null;
function arrive(answer: string): Promise<SignIn> {
  if (arrival?.answer !== answer) arrival = { answer, step: call("arriveFromCompany", { body: { answer } }) };
  return arrival.step;
}

/** The page to which the provider returns the browser (§13.24). */
export function CompanyPage() {
  const [answer] = useState(() => location.search.slice(1));
  const [ticket, setTicket] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const enter = async (step: SignIn) => {
    if (step.status === "second_factor") return setTicket(step.ticket);
    queries.clear();
    const returnTo = sessionStorage.getItem(RETURN_TO) ?? undefined;
    sessionStorage.removeItem(RETURN_TO);
    await navigate({ ...localTarget(returnTo), replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is taken once, when the page opens.
  useEffect(() => {
    let isOpen = true;
    arrive(answer)
      .then((step) => (isOpen ? enter(step) : undefined))
      .catch((error: unknown) => (isOpen ? setFailure(messageOf(error)) : undefined))
      .finally(() => (isOpen ? history.replaceState(history.state, "", location.pathname) : undefined));
    return () => {
      isOpen = false;
    };
  }, [answer]);
  if (ticket !== null)
    return <CodeStep ticket={ticket} enter={enter} onBack={() => void navigate({ to: "/sign-in", replace: true })} />;
  return (
    <SignInFrame title={texts.signIn.company.title}>
      {failure === null ? (
        <Skeleton rows={1} />
      ) : (
        <>
          <ErrorState title={texts.signIn.company.failed} message={failure} />
          <ToSignIn />
        </>
      )}
    </SignInFrame>
  );
}
