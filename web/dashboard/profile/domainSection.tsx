import { Badge, Notice, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../api/queries.ts";
import type { BusinessDomain } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

/** §13.12: the domain that buyers are shown, once it is proven. */
export function DomainSection() {
  const { business, may } = useTenant();
  const path = { business: business.id };
  const domain = useQuery(read("getBusinessDomain", { path }));
  return (
    <Section
      title="Domain"
      text="Buyers see it next to the name, as verified, once it is proven to be yours. Until then they see no domain."
    >
      <div className="max-w-text">
        <QueryState query={domain}>
          {(data) =>
            data.domain === null ? (
              may("manage_profile") ? (
                <ClaimForm />
              ) : (
                <p className="text-soft">None</p>
              )
            ) : (
              <Claimed claim={data} mayChange={may("manage_profile")} />
            )
          }
        </QueryState>
      </div>
    </Section>
  );
}

function ClaimForm() {
  const { business } = useTenant();
  return (
    <Form
      submitText="Claim"
      onSubmit={async ({ domain = "" }) => {
        await write("claimBusinessDomain", { path: { business: business.id }, body: { domain } });
      }}
    >
      {(errorOf) => (
        <TextField
          label="Domain"
          name="domain"
          placeholder="shop.com"
          autoComplete="off"
          spellCheck={false}
          hint="Without https:// and path. Letters other than a to z are shown to buyers as DNS has them (xn--…)."
          error={errorOf("domain")}
        />
      )}
    </Form>
  );
}

const STATES: Readonly<Record<BusinessDomain["state"], readonly [Tone, string]>> = {
  none: ["neutral", "None"],
  claimed: ["wait", "Not proven"],
  proven: ["good", "Proven"],
  failing: ["bad", "Proof not found"],
};

function Claimed({ claim, mayChange }: { readonly claim: BusinessDomain; readonly mayChange: boolean }) {
  const { business } = useTenant();
  const path = { business: business.id };
  const [isRemoving, setRemoving] = useState(false);
  const look = useAction({
    run: () => write("checkBusinessDomain", { path }),
  });
  const { state, domain, proof, problem, provenAt, checkedAt, shownUntil } = claim;
  const [tone, text] = STATES[state];
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <code className="break-all font-medium">{domain}</code>
        <Badge tone={tone}>{text}</Badge>
      </p>
      {state === "proven" ? (
        <p className="text-soft">
          Buyers see it since <Time at={provenAt} />. It is looked at every day, last <Time at={checkedAt} />; leave the
          proof where it is.
        </p>
      ) : null}
      {state === "failing" ? (
        <Notice tone="bad">
          <p>
            The proof is not there any more. Buyers see the domain until <Time at={shownUntil} />, unless it is found
            again; sooner not, if another business proves the same domain.
          </p>
        </Notice>
      ) : null}
      {proof === null || state === "proven" || !mayChange ? null : (
        <div className="grid gap-3">
          <p>Put this text where only the domain's owner can; either place will do.</p>
          <CopyText what="proof" text={proof.text} />
          <dl className="m-0 grid gap-2">
            <div>
              <dt className="text-soft">As a line of the file</dt>
              <dd className="m-0">
                <code className="break-all">{proof.fileUrl}</code>
              </dd>
            </div>
            <div>
              <dt className="text-soft">Or as a TXT record of the name</dt>
              <dd className="m-0">
                <code className="break-all">{proof.recordName}</code>
              </dd>
            </div>
          </dl>
          <p className="text-small text-soft">
            The file is read by https without redirects. The service also looks by itself, for a week.
          </p>
        </div>
      )}
      {problem === null || state === "proven" ? null : (
        <p className="break-words text-small text-soft" aria-live="polite">
          Last look, <Time at={checkedAt} />: {problem}
        </p>
      )}
      {mayChange ? (
        <Actions>
          <Button kind="danger" onClick={() => setRemoving(true)}>
            Remove
          </Button>
          <Button kind={state === "proven" ? "plain" : "primary"} isBusy={look.isPending} onClick={() => look.mutate()}>
            Look now
          </Button>
        </Actions>
      ) : null}
      {isRemoving ? <RemoveDialog domain={domain ?? ""} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

function RemoveDialog({ domain, onClose }: { readonly domain: string; readonly onClose: () => void }) {
  const { business } = useTenant();
  const remove = useAction({
    run: () => write("removeBusinessDomain", { path: { business: business.id } }),
    said: "The domain was removed. Buyers see none.",
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Remove ${domain}?`}
      text="Buyers see no domain from then on. To show one again, it has to be proven again."
    >
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Actions>
    </Dialog>
  );
}
