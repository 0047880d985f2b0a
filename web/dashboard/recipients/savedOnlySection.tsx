import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../api/queries.ts";
import { LIMITS, type Recipient, type SavedOnlyRule } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";

/** §13.11.5: the rule that limits API keys to saved recipients. */
export function SavedOnlySection({ recipients }: { readonly recipients: readonly Recipient[] }) {
  const { path, may } = useTenant();
  const rule = useQuery(read("getSavedOnlyRule", { path }));
  const [isAsking, setAsking] = useState(false);
  const mayChange = may("restrict_recipients");
  return (
    <Section title={texts.recipients.rule.title}>
      <div className="grid max-w-text gap-3">
        <QueryState query={rule}>
          {(data) => (
            <>
              <RuleText rule={data} hasRecipients={recipients.length > 0} />
              {mayChange ? (
                data.endsAt !== null ? (
                  <KeepButton />
                ) : data.isOn || recipients.length > 0 ? (
                  <Actions>
                    <Button onClick={() => setAsking(true)}>
                      {data.isOn ? texts.recipients.rule.allowAny : texts.recipients.rule.allowSaved}
                    </Button>
                  </Actions>
                ) : null
              ) : (
                <p className="text-small text-soft">{texts.recipients.rule.ownersOnly}</p>
              )}
              {isAsking ? (
                data.isOn ? (
                  <EndDialog onClose={() => setAsking(false)} />
                ) : (
                  <BeginDialog recipients={recipients} onClose={() => setAsking(false)} />
                )
              ) : null}
            </>
          )}
        </QueryState>
      </div>
    </Section>
  );
}

function RuleText({ rule, hasRecipients }: { readonly rule: SavedOnlyRule; readonly hasRecipients: boolean }) {
  const { environment } = useTenant();
  if (rule.endsAt !== null)
    return (
      <Notice tone="wait">
        <p>
          <Filled text={texts.recipients.rule.savedUntil} slots={{ time: <Time at={rule.endsAt} /> }} />
        </p>
      </Notice>
    );
  if (rule.isOn)
    return (
      <p>
        <Filled
          text={texts.recipients.rule.savedSince(LIMITS.recipientHoldHours)}
          slots={{ time: <Time at={rule.since} /> }}
        />
      </p>
    );
  if (environment === "test") return <p>{texts.recipients.rule.any}</p>;
  return (
    <Notice tone="wait">
      <p>
        {texts.recipients.rule.any}{" "}
        {hasRecipients ? texts.recipients.rule.anyRisk : texts.recipients.rule.anyRiskNoneSaved}
      </p>
    </Notice>
  );
}

function useRule(isOn: boolean) {
  const { path } = useTenant();
  return () => write("setSavedOnlyRule", { path, body: { isOn } });
}

const KeepButton = () => (
  <Actions>
    <ActionButton kind="primary" run={useRule(true)} said={texts.recipients.rule.kept}>
      {texts.recipients.rule.keep}
    </ActionButton>
  </Actions>
);

function BeginDialog({
  recipients,
  onClose,
}: {
  readonly recipients: readonly Recipient[];
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={texts.recipients.rule.beginTitle}
      text={texts.recipients.rule.beginText}
      submitText={texts.recipients.rule.allowSaved}
      kind="primary"
      run={useRule(true)}
      said={texts.recipients.rule.begun}
      onClose={onClose}
    >
      <ul className="m-0 grid list-none gap-2 p-0">
        {recipients.map(({ id, label }) => (
          <li key={id} className="grid gap-1">
            <span className="break-words font-medium">{label}</span>
            <GroupedAddress address={id} />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

const EndDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <ConfirmDialog
    title={texts.recipients.rule.endTitle}
    text={texts.recipients.rule.endText(LIMITS.recipientHoldHours)}
    submitText={texts.recipients.rule.end(LIMITS.recipientHoldHours)}
    run={useRule(false)}
    said={texts.recipients.rule.ended(LIMITS.recipientHoldHours)}
    onClose={onClose}
  />
);
