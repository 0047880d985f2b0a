import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import type { IssuedWebhookEndpoint, SecretRollInput, WebhookEndpoint } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { ConfirmDialog, FormDialog, IssueDialog, type IssuedSecret } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";
import { chosenTypes, TypesField } from "./eventTypes.tsx";

interface DialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

const showSecret = ({ url, secret }: IssuedWebhookEndpoint): IssuedSecret => ({
  title: texts.webhooks.newSecretTitle,
  above: <p className="break-all">{texts.webhooks.newSecretFor(url)}</p>,
  what: texts.webhooks.secret,
  secret,
  warning: texts.webhooks.secretWarning,
});

const TYPING_MS = 400;

/** The text once the typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A URL that the service checks while it is typed. */
function UrlField({ given = "" }: { readonly given?: string }) {
  const { path } = useTenant();
  const [url, setUrl] = useState(given);
  const settled = useSettled(url);
  const check = useQuery({
    queryKey: ["checkWebhookUrl", path, settled],
    queryFn: () => call("checkWebhookUrl", { path, body: { url: settled } }),
    enabled: settled !== "" && settled !== given,
  });
  const said = settled === url ? check.data : undefined;
  return (
    <div className="grid gap-2">
      <TextField
        label={texts.webhooks.url}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://shop.com/hooks"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        error={said?.problem}
      />
      <div aria-live="polite">
        {said === undefined || said.problem !== null ? null : (
          <p className={`text-small ${said.warning === null ? "text-good" : "text-wait"}`}>
            {said.warning ?? texts.webhooks.urlWorks}
          </p>
        )}
      </div>
    </div>
  );
}

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { path } = useTenant();
  return (
    <IssueDialog
      title={texts.webhooks.add}
      text={texts.webhooks.addText}
      submitText={texts.webhooks.addSubmit}
      onClose={onClose}
      issue={async (values) => {
        const body = { url: values.url ?? "", eventTypes: chosenTypes(values) };
        return showSecret(await write("addWebhookEndpoint", { path, body }));
      }}
    >
      <UrlField />
      <TypesField chosen={["*"]} />
    </IssueDialog>
  );
}

export function ChangeDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <FormDialog
      title={texts.webhooks.changeTitle}
      text={texts.webhooks.changeText}
      submitText={texts.common.save}
      onClose={onClose}
      onSubmit={async (values) => {
        await write("changeWebhookEndpoint", {
          path: { ...path, endpoint: endpoint.id },
          body: { url: values.url ?? "", eventTypes: chosenTypes(values) },
        });
        onClose();
      }}
    >
      <UrlField given={endpoint.url} />
      <TypesField chosen={endpoint.eventTypes} />
    </FormDialog>
  );
}

export function RollDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <IssueDialog
      title={texts.webhooks.rollTitle}
      text={texts.webhooks.rollText}
      submitText={texts.webhooks.rollSubmit}
      onClose={onClose}
      issue={async ({ grace }) => {
        const body = { grace: grace as SecretRollInput["grace"] };
        return showSecret(await write("rollWebhookSecret", { path: { ...path, endpoint: endpoint.id }, body }));
      }}
    >
      <Select
        label={texts.webhooks.grace}
        name="grace"
        defaultValue="24h"
        options={Object.entries(texts.webhooks.graces)}
      />
    </IssueDialog>
  );
}

export function TestDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  const test = useAction({ run: () => write("testWebhookEndpoint", { path: { ...path, endpoint: endpoint.id } }) });
  return (
    <Dialog isOpen onClose={onClose} title={texts.webhooks.testTitle} text={texts.webhooks.testText}>
      <p className="break-all">{texts.webhooks.testTo(endpoint.url)}</p>
      <div aria-live="polite">{test.data === undefined ? null : <TestResult {...test.data} />}</div>
      <Actions>
        <Button onClick={onClose}>{texts.webhooks.close}</Button>
        <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          {test.data === undefined ? texts.webhooks.send : texts.webhooks.sendAgain}
        </Button>
      </Actions>
    </Dialog>
  );
}

const TestResult = ({
  succeeded,
  statusCode,
  error,
  durationMs,
}: {
  readonly succeeded: boolean | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
}) =>
  succeeded === null ? (
    <Notice tone="wait">{texts.webhooks.testNotSent}</Notice>
  ) : succeeded ? (
    <Notice tone="good">{texts.webhooks.testReceived(statusCode, durationMs)}</Notice>
  ) : (
    <Notice tone="bad">
      {texts.webhooks.testFailed(durationMs, error ?? texts.webhooks.testAnswered(statusCode))}
    </Notice>
  );

export function DeleteDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <ConfirmDialog
      title={texts.webhooks.deleteTitle}
      text={texts.webhooks.deleteText}
      submitText={texts.webhooks.delete}
      run={() => write("deleteWebhookEndpoint", { path: { ...path, endpoint: endpoint.id } })}
      said={texts.webhooks.deleted}
      onClose={onClose}
    >
      <p className="break-all">{endpoint.url}</p>
    </ConfirmDialog>
  );
}
