import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { read, readAgain } from "../api/queries.ts";
import { LIMITS, type WebhookResend } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";
import { newResendId, RESENDS, type Resend, runResend } from "./resend.ts";

interface DialogProps {
  /** The endpoint's id. */
  readonly endpoint: string;
  readonly onClose: () => void;
}

/**
 * Asks before many deliveries are sent again, sends them part by part and shows the result. A second click sends nothing
 * twice.
 */
function ResendSteps({
  endpoint,
  resend,
  most,
  submitText,
  onClose,
  children,
}: DialogProps & {
  /** The resend; null until the form is complete. */
  readonly resend: Resend | null;
  /** The most deliveries that it may send, for the bar. */
  readonly most: number;
  readonly submitText: string;
  readonly children: ReactNode;
}) {
  const { path } = useTenant();
  // The form keeps its id: a retry goes on where the last attempt stopped.
  const [id] = useState(newResendId);
  const [part, setPart] = useState<WebhookResend | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const run = async () => {
    if (resend === null) return;
    setBusy(true);
    setError(null);
    try {
      await runResend({ ...path, endpoint }, id, resend, (done) => {
        setPart(done);
        return isOpen.current;
      });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      void readAgain(RESENDS[resend.kind]);
    }
  };
  const sent = part === null ? 0 : part.resent + part.made;
  return (
    <>
      {part === null ? children : null}
      <div aria-live="polite" className="grid gap-2">
        {part === null || part.done ? null : (
          <>
            <progress
              className="w-full accent-[var(--accent)]"
              max={Math.max(most, sent)}
              value={sent}
              aria-label={texts.webhooks.resending.progress}
            />
            <p>{texts.webhooks.resending.queued(sent, most)}</p>
          </>
        )}
        {part?.done ? <Outcome part={part} /> : null}
        {error === null ? null : (
          <Notice tone="bad">
            {messageOf(error)} {sent === 0 ? "" : texts.webhooks.resending.failedAfter(sent)}
          </Notice>
        )}
      </div>
      <Actions>
        <Button onClick={onClose}>
          {part?.done ? texts.webhooks.close : part === null ? texts.common.cancel : texts.webhooks.resending.stop}
        </Button>
        {/* The button keeps its place, so that the second of two quick clicks closes nothing. */}
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={resend === null || part?.done === true}
          onClick={() => void run()}
        >
          {part?.done ? texts.webhooks.resending.done : error === null ? submitText : texts.common.continue}
        </Button>
      </Actions>
    </>
  );
}

function Outcome({ part }: { readonly part: WebhookResend }) {
  const { resent, made, limited } = part;
  if (resent + made === 0) return <Notice tone="neutral">{texts.webhooks.resending.nothing}</Notice>;
  return (
    <Notice tone={limited ? "wait" : "good"}>
      <p>{texts.webhooks.resending.result(resent, made)}</p>
      {limited ? <p>{texts.webhooks.resending.limited}</p> : null}
    </Notice>
  );
}

/** Resends the deliveries that the list shows. `shown`: their count, and true if there are more. */
export const ResendMatchingDialog = ({
  filters,
  shown,
  endpoint,
  onClose,
}: DialogProps & {
  readonly filters: Extract<Resend, { kind: "matching" }>["filters"];
  readonly shown: { readonly count: number; readonly hasMore: boolean };
}) => {
  const most = shown.hasMore ? LIMITS.resentMax : shown.count;
  return (
    <Dialog
      isOpen
      staysOpen
      onClose={onClose}
      title={texts.webhooks.resending.matchingTitle}
      text={texts.webhooks.resending.matchingText}
    >
      <ResendSteps
        {...{ endpoint, onClose, most }}
        resend={{ kind: "matching", filters }}
        submitText={texts.webhooks.resend}
      >
        <p className="font-medium">
          {shown.hasMore
            ? texts.webhooks.resending.moreMatch(shown.count, LIMITS.resentMax)
            : texts.webhooks.resending.someMatch(shown.count)}
        </p>
        <p className="text-soft">{texts.webhooks.resending.matchingHint}</p>
      </ResendSteps>
    </Dialog>
  );
};

export const ResendObjectDialog = ({ object, endpoint, onClose }: DialogProps & { readonly object: string }) => (
  <Dialog
    isOpen
    staysOpen
    onClose={onClose}
    title={texts.webhooks.resending.objectTitle}
    text={texts.webhooks.resending.objectText}
  >
    <ResendSteps
      {...{ endpoint, onClose }}
      resend={{ kind: "object", object }}
      most={LIMITS.resentOfObjectMax}
      submitText={texts.webhooks.resend}
    >
      <code translate="no" className="break-all">
        {object}
      </code>
      <p className="font-medium">{texts.webhooks.resending.objectMax(LIMITS.resentOfObjectMax)}</p>
    </ResendSteps>
  </Dialog>
);

/** Returns the time of a field, in the reader's zone; null if the text is not a time. */
const timeOf = (text: string): string | null => {
  const date = new Date(text);
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
};

export function ReplayDialog({ endpoint, onClose, isHeld }: DialogProps & { readonly isHeld: boolean }) {
  const { path } = useTenant();
  const [text, setText] = useState("");
  const since = timeOf(text);
  const size = useQuery({
    ...read("getWebhookReplaySize", { path: { ...path, endpoint }, query: { since: since ?? "" } }),
    enabled: since !== null,
  });
  const eventsMax = size.data?.eventsMax ?? null;
  const most = Math.min(eventsMax ?? 0, LIMITS.replayedMax);
  return (
    <Dialog
      isOpen
      staysOpen
      onClose={onClose}
      title={texts.webhooks.resending.replayTitle}
      text={texts.webhooks.resending.replayText}
    >
      <TextField
        label={texts.webhooks.resending.since}
        name="since"
        type="datetime-local"
        value={text}
        hint={texts.webhooks.resending.sinceHint}
        onChange={({ target }) => setText(target.value)}
      />
      <ResendSteps
        // Another time is another replay.
        key={since}
        {...{ endpoint, onClose, most }}
        resend={since === null || most === 0 ? null : { kind: "replay", since }}
        submitText={texts.webhooks.resending.replay}
      >
        <p className="font-medium" aria-live="polite">
          {since === null
            ? texts.webhooks.resending.chooseTime
            : eventsMax === null
              ? size.error === null
                ? texts.webhooks.resending.counting
                : messageOf(size.error)
              : eventsMax === 0
                ? texts.webhooks.resending.noEvents
                : texts.webhooks.resending.someEvents(most, eventsMax)}
        </p>
        {isHeld ? <Notice tone="wait">{texts.webhooks.resending.held}</Notice> : null}
      </ResendSteps>
    </Dialog>
  );
}
