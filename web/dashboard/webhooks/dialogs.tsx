import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyOnce } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import type { IssuedWebhookEndpoint, SecretRollInput, WebhookEndpoint } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";
import { chosenTypes, TypesField } from "./eventTypes.tsx";

interface DialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

/** A form whose answer has a signing secret, which is shown only once, in this dialog. */
function NewSecretDialog({
  title,
  text,
  submitText,
  make,
  onClose,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly submitText: string;
  readonly make: (values: Readonly<Record<string, string>>) => Promise<IssuedWebhookEndpoint>;
  readonly onClose: () => void;
  readonly children: (errorOf: (name: string) => string | null) => ReactNode;
}) {
  const [issued, setIssued] = useState<IssuedWebhookEndpoint | null>(null);
  if (issued !== null)
    return (
      <Dialog isOpen onClose={onClose} title={texts.webhooks.newSecretTitle}>
        <p className="break-all">{texts.webhooks.newSecretFor(issued.url)}</p>
        <CopyOnce what={texts.webhooks.secret} secret={issued.secret} warning={texts.webhooks.secretWarning} />
        <Actions>
          <Button kind="primary" onClick={onClose}>
            {texts.common.done}
          </Button>
        </Actions>
      </Dialog>
    );
  return (
    <Dialog isOpen onClose={onClose} title={title} text={text}>
      <Form
        submitText={submitText}
        onCancel={onClose}
        onSubmit={async (values) => {
          setIssued(await make(values));
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
}

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
function UrlField({ given = "", error }: { readonly given?: string; readonly error: string | null }) {
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
        error={error ?? said?.problem ?? null}
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
    <NewSecretDialog
      title={texts.webhooks.add}
      text={texts.webhooks.addText}
      submitText={texts.webhooks.addSubmit}
      onClose={onClose}
      make={(values) =>
        write("addWebhookEndpoint", { path, body: { url: values.url ?? "", eventTypes: chosenTypes(values) } })
      }
    >
      {(errorOf) => (
        <>
          <UrlField error={errorOf("url")} />
          <TypesField chosen={["*"]} error={errorOf("eventTypes")} />
        </>
      )}
    </NewSecretDialog>
  );
}

export function ChangeDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <Dialog isOpen onClose={onClose} title={texts.webhooks.changeTitle} text={texts.webhooks.changeText}>
      <Form
        submitText={texts.webhooks.save}
        onCancel={onClose}
        onSubmit={async (values) => {
          await write("changeWebhookEndpoint", {
            path: { ...path, endpoint: endpoint.id },
            body: { url: values.url ?? "", eventTypes: chosenTypes(values) },
          });
          onClose();
        }}
      >
        {(errorOf) => (
          <>
            <UrlField given={endpoint.url} error={errorOf("url")} />
            <TypesField chosen={endpoint.eventTypes} error={errorOf("eventTypes")} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

export function RollDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <NewSecretDialog
      title={texts.webhooks.rollTitle}
      text={texts.webhooks.rollText}
      submitText={texts.webhooks.rollSubmit}
      onClose={onClose}
      make={({ grace }) =>
        write("rollWebhookSecret", {
          path: { ...path, endpoint: endpoint.id },
          body: { grace: grace as SecretRollInput["grace"] },
        })
      }
    >
      {(errorOf) => (
        <Select
          label={texts.webhooks.grace}
          name="grace"
          defaultValue="24h"
          options={Object.entries(texts.webhooks.graces)}
          error={errorOf("grace")}
        />
      )}
    </NewSecretDialog>
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
  const remove = useAction({
    run: () => write("deleteWebhookEndpoint", { path: { ...path, endpoint: endpoint.id } }),
    said: texts.webhooks.deleted,
    done: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.webhooks.deleteTitle} text={texts.webhooks.deleteText}>
      <p className="break-all">{endpoint.url}</p>
      <Actions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.webhooks.delete}
        </Button>
      </Actions>
    </Dialog>
  );
}
