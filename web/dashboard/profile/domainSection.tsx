import { Badge, Notice, type Tone } from "@holdfast/ui/badge.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { read, write } from "../api/queries.ts";
import type { BusinessDomain } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
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
    <Section title={texts.profile.domain.title} text={texts.profile.domain.text}>
      <div className="max-w-text">
        <QueryState query={domain}>
          {(data) =>
            data.domain === null ? (
              may("manage_profile") ? (
                <ClaimForm />
              ) : (
                <p className="text-soft">{texts.profile.domain.none}</p>
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
      submitText={texts.profile.domain.add}
      onSubmit={async ({ domain = "" }) => {
        await write("claimBusinessDomain", { path: { business: business.id }, body: { domain } });
      }}
    >
      <TextField
        label={texts.profile.domain.field}
        name="domain"
        placeholder="shop.com"
        autoComplete="off"
        spellCheck={false}
        hint={texts.profile.domain.fieldHint}
      />
    </Form>
  );
}

const TONES: Readonly<Record<BusinessDomain["state"], Tone>> = {
  none: "neutral",
  claimed: "wait",
  proven: "good",
  failing: "bad",
};

function Claimed({ claim, mayChange }: { readonly claim: BusinessDomain; readonly mayChange: boolean }) {
  const { business } = useTenant();
  const path = { business: business.id };
  const { state, domain, proof, problem, provenAt, checkedAt, shownUntil } = claim;
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <code translate="no" className="break-all font-medium">
          {domain}
        </code>
        <Badge tone={TONES[state]}>{texts.profile.domain.states[state]}</Badge>
      </p>
      {state === "proven" ? (
        <p className="text-soft">
          <Filled
            text={texts.profile.domain.proven}
            slots={{ since: <Time at={provenAt} />, checked: <Time at={checkedAt} /> }}
          />
        </p>
      ) : null}
      {state === "failing" ? (
        <Notice tone="bad">
          <p>
            <Filled text={texts.profile.domain.failing} slots={{ until: <Time at={shownUntil} /> }} />
          </p>
        </Notice>
      ) : null}
      {proof === null || state === "proven" || !mayChange ? null : (
        <div className="grid gap-3">
          <p>{texts.profile.domain.proofText}</p>
          <CopyText what={texts.profile.domain.proof} text={proof.text} />
          <dl className="m-0 grid gap-2">
            <div>
              <dt className="text-soft">{texts.profile.domain.file}</dt>
              <dd className="m-0">
                <code translate="no" className="break-all">
                  {proof.fileUrl}
                </code>
              </dd>
            </div>
            <div>
              <dt className="text-soft">{texts.profile.domain.record}</dt>
              <dd className="m-0">
                <code translate="no" className="break-all">
                  {proof.recordName}
                </code>
              </dd>
            </div>
          </dl>
          <p className="text-small text-soft">{texts.profile.domain.proofHint}</p>
        </div>
      )}
      {problem === null || state === "proven" ? null : (
        <p className="break-words text-small text-soft" aria-live="polite">
          <Filled text={texts.profile.domain.lastCheck} slots={{ time: <Time at={checkedAt} />, problem }} />
        </p>
      )}
      {mayChange ? (
        <Actions>
          <DialogButton kind="danger" dialog={(close) => <RemoveDialog domain={domain ?? ""} onClose={close} />}>
            {texts.profile.domain.remove}
          </DialogButton>
          <ActionButton
            kind={state === "proven" ? "plain" : "primary"}
            run={() => write("checkBusinessDomain", { path })}
          >
            {texts.profile.domain.check}
          </ActionButton>
        </Actions>
      ) : null}
    </div>
  );
}

function RemoveDialog({ domain, onClose }: { readonly domain: string; readonly onClose: () => void }) {
  const { business } = useTenant();
  return (
    <ConfirmDialog
      title={texts.profile.domain.removeTitle(domain)}
      text={texts.profile.domain.removeText}
      submitText={texts.profile.domain.remove}
      run={() => write("removeBusinessDomain", { path: { business: business.id } })}
      said={texts.profile.domain.removed}
      onClose={onClose}
    />
  );
}
