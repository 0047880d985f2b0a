import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../api/queries.ts";
import type { Recipient, SavedOnlyRule } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";

/** §13.11.5: whether API keys may name other recipients than the saved ones. */
export function SavedOnlySection({ recipients }: { readonly recipients: readonly Recipient[] }) {
  const { path, may } = useTenant();
  const rule = useQuery(read("getSavedOnlyRule", { path }));
  const [isAsking, setAsking] = useState(false);
  const mayChange = may("restrict_recipients");
  return (
    <Section title="Allowed recipients">
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
                      {data.isOn ? "Allow any recipient" : "Allow saved recipients only"}
                    </Button>
                  </Actions>
                ) : null
              ) : (
                <p className="text-small text-soft">Owners change this.</p>
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
          API keys may name saved recipients only, until <Time at={rule.endsAt} />. From then on they may name any
          wallet.
        </p>
      </Notice>
    );
  if (rule.isOn)
    return (
      <p>
        API keys may name saved recipients only, since <Time at={rule.since} />. A recipient that is added now can be
        paid in 24 hours.
      </p>
    );
  const open = "API keys may name any wallet, saved or not.";
  if (environment === "test") return <p>{open}</p>;
  return (
    <Notice tone="wait">
      <p>
        {open} Somebody who gets hold of a key can be paid in your name. We recommend to allow saved recipients only
        {hasRecipients ? "." : ", once you have added yours."}
      </p>
    </Notice>
  );
}

const useRule = (isOn: boolean, said: string, done?: () => void) => {
  const { path } = useTenant();
  return useAction({
    run: () => write("setSavedOnlyRule", { path, body: { isOn } }),
    said,
    ...(done === undefined ? {} : { done }),
  });
};

function KeepButton() {
  const keep = useRule(true, "API keys may go on naming saved recipients only.");
  return (
    <Actions>
      <Button kind="primary" isBusy={keep.isPending} onClick={() => keep.mutate()}>
        Keep saved recipients only
      </Button>
    </Actions>
  );
}

function BeginDialog({
  recipients,
  onClose,
}: {
  readonly recipients: readonly Recipient[];
  readonly onClose: () => void;
}) {
  const begin = useRule(true, "API keys may name saved recipients only.", onClose);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Allow saved recipients only?"
      text="Payment intents to any other wallet are refused at once. Intents that exist stay as they are. Check that these wallets are yours, and all that your server names:"
    >
      <ul className="m-0 grid list-none gap-2 p-0">
        {recipients.map(({ id, label }) => (
          <li key={id} className="grid gap-1">
            <span className="break-words font-medium">{label}</span>
            <GroupedAddress address={id} />
          </li>
        ))}
      </ul>
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
          Allow saved recipients only
        </Button>
      </Actions>
    </Dialog>
  );
}

function EndDialog({ onClose }: { readonly onClose: () => void }) {
  const end = useRule(false, "Any recipient is allowed in 24 hours.", onClose);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Allow any recipient?"
      text="It takes 24 hours. Every owner is written to where this deployment sends mail, and can keep the rule until then."
    >
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={end.isPending} onClick={() => end.mutate()}>
          Allow any recipient in 24 hours
        </Button>
      </Actions>
    </Dialog>
  );
}
