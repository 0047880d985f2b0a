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
import { Form } from "../forms/form.tsx";
import { useTenant } from "../shell/tenant.ts";
import { chosenTypes, TypesField } from "./eventTypes.tsx";

interface DialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

/** Asks, and shows the signing secret that comes of it: it is nowhere else, and gone with the dialog. */
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
      <Dialog isOpen onClose={onClose} title="The signing secret">
        <p className="break-all">For {issued.url}</p>
        <CopyOnce
          what="signing secret"
          secret={issued.secret}
          warning="Copy the secret now, and keep it where your server checks signatures. It is not shown again."
        />
        <Actions>
          <Button kind="primary" onClick={onClose}>
            I have kept it
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

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A URL that the service judges while it is typed. */
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
        label="URL"
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
            {said.warning ?? "Events can be sent there."}
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
      title="Add an endpoint"
      text="A public https URL of your server. Its signing secret is shown once."
      submitText="Add"
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
    <Dialog
      isOpen
      onClose={onClose}
      title="Change the endpoint"
      text="Its secret stays, and so does what waits for it."
    >
      <Form
        submitText="Save"
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
      title="Roll the signing secret"
      text="You get a new secret. Until the old one ends, each delivery carries a signature by both."
      submitText="Roll"
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
          label="The old secret is valid for"
          name="grace"
          defaultValue="24h"
          options={[
            ["none", "not a moment longer"],
            ["1h", "1 hour"],
            ["24h", "24 hours"],
          ]}
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
    <Dialog
      isOpen
      onClose={onClose}
      title="Send a test"
      text="One webhook.test event, sent once. The answer may take up to 12 seconds."
    >
      <p className="break-all">To {endpoint.url}</p>
      <div aria-live="polite">{test.data === undefined ? null : <TestResult {...test.data} />}</div>
      <Actions>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          {test.data === undefined ? "Send" : "Send again"}
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
    <Notice tone="wait">No worker has sent it yet. Ask the operator of this deployment whether one runs.</Notice>
  ) : succeeded ? (
    <Notice tone="good">
      Received: your server answered {statusCode} in {durationMs} ms.
    </Notice>
  ) : (
    <Notice tone="bad">
      Failed after {durationMs} ms: {error ?? `your server answered ${statusCode}`}.
    </Notice>
  );

export function DeleteDialog({ endpoint, onClose }: DialogProps) {
  const { path } = useTenant();
  const remove = useAction({
    run: () => write("deleteWebhookEndpoint", { path: { ...path, endpoint: endpoint.id } }),
    said: "The endpoint was deleted.",
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete the endpoint?"
      text="What is still to be sent to it is not sent. Its deliveries are no longer shown. Disable it instead to hold events."
    >
      <p className="break-all">{endpoint.url}</p>
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </Actions>
    </Dialog>
  );
}
