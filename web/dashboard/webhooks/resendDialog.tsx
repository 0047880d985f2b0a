import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { read, readAgain } from "../api/queries.ts";
import type { WebhookResend } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import { useTenant } from "../shell/tenant.ts";
import { newResendId, REPLAYED_MAX, RESENDS, RESENT_MAX, type Resend, runResend } from "./resend.ts";

interface DialogProps {
  /** The endpoint's id. */
  readonly endpoint: string;
  readonly onClose: () => void;
}

const COUNT = new Intl.NumberFormat();

/** Asks before much is sent once more, sends it part by part, and says what came of it. A second click sends nothing twice. */
function ResendSteps({
  endpoint,
  resend,
  most,
  submitText,
  onClose,
  children,
}: DialogProps & {
  /** Null: what is asked for is not complete yet. */
  readonly resend: Resend | null;
  /** How many it may come to, for the bar. */
  readonly most: number;
  readonly submitText: string;
  readonly children: ReactNode;
}) {
  const { path } = useTenant();
  // One id for as long as the same is asked for: what is tried again goes on where it stopped.
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
              aria-label="Queued"
            />
            <p>
              {COUNT.format(sent)} queued, of up to {COUNT.format(most)}. Keep this open until all are.
            </p>
          </>
        )}
        {part?.done ? <Outcome part={part} /> : null}
        {error === null ? null : (
          <Notice tone="bad">
            {messageOf(error)}{" "}
            {sent === 0 ? "" : `${COUNT.format(sent)} are queued. Going on sends none of them twice.`}
          </Notice>
        )}
      </div>
      <Actions>
        <Button onClick={onClose}>{part?.done ? "Close" : part === null ? "Cancel" : "Stop"}</Button>
        {/* It stays where it was, so that the second of two quick clicks closes nothing. */}
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={resend === null || part?.done === true}
          onClick={() => void run()}
        >
          {part?.done ? "Queued" : error === null ? submitText : "Go on"}
        </Button>
      </Actions>
    </>
  );
}

function Outcome({ part }: { readonly part: WebhookResend }) {
  const { resent, made, limited } = part;
  if (resent + made === 0) return <Notice tone="neutral">Nothing matches any more. Nothing was sent.</Notice>;
  return (
    <Notice tone={limited ? "wait" : "good"}>
      <p>
        {attempts(resent)}
        {made === 0
          ? ""
          : ` and ${made === 1 ? "one first delivery is" : `${COUNT.format(made)} first deliveries are`}`}{" "}
        queued. The list shows what comes of them.
      </p>
      {limited ? <p>There are more than one resend takes. Choose a time to send the others.</p> : null}
    </Notice>
  );
}

const attempts = (count: number): string => (count === 1 ? "One attempt is" : `${COUNT.format(count)} attempts are`);

/** Of what the list shows. `shown`: how many, and whether there are more. */
export const ResendMatchingDialog = ({
  filters,
  shown,
  endpoint,
  onClose,
}: DialogProps & {
  readonly filters: Extract<Resend, { kind: "matching" }>["filters"];
  readonly shown: { readonly count: number; readonly hasMore: boolean };
}) => {
  const most = shown.hasMore ? RESENT_MAX : shown.count;
  return (
    <Dialog
      isOpen
      staysOpen
      onClose={onClose}
      title="Resend what matches?"
      text="One more attempt of each delivery that the filters leave, newest event first, whatever became of it."
    >
      <ResendSteps {...{ endpoint, onClose, most }} resend={{ kind: "matching", filters }} submitText="Resend">
        <p className="font-medium">
          {shown.hasMore
            ? `More than ${COUNT.format(shown.count)} deliveries match. Up to ${COUNT.format(RESENT_MAX)} are sent.`
            : `Up to ${COUNT.format(shown.count)} ${shown.count === 1 ? "delivery matches" : "deliveries match"}.`}
        </p>
        <p className="text-soft">Your server gets events again that it may have had: it knows them by their ids.</p>
      </ResendSteps>
    </Dialog>
  );
};

const RESENT_OF_OBJECT_MAX = 500;

export const ResendObjectDialog = ({ object, endpoint, onClose }: DialogProps & { readonly object: string }) => (
  <Dialog
    isOpen
    staysOpen
    onClose={onClose}
    title="Resend all of this object?"
    text="Every event of it that the endpoint subscribes to, once more and in order: each when the one before has ended."
  >
    <ResendSteps
      {...{ endpoint, onClose }}
      resend={{ kind: "object", object }}
      most={RESENT_OF_OBJECT_MAX}
      submitText="Resend"
    >
      <code className="break-all">{object}</code>
      <p className="font-medium">Up to {RESENT_OF_OBJECT_MAX} events are sent.</p>
    </ResendSteps>
  </Dialog>
);

/** A time of the reader's zone, as its field has it. Null: none, or no time. */
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
  const most = Math.min(eventsMax ?? 0, REPLAYED_MAX);
  return (
    <Dialog
      isOpen
      staysOpen
      onClose={onClose}
      title="Replay since a time"
      text="Sends what was recorded since then and the endpoint subscribes to, oldest first, also what it never got. New events go before."
    >
      <TextField
        label="Since"
        name="since"
        type="datetime-local"
        value={text}
        hint="In your time zone."
        onChange={({ target }) => setText(target.value)}
      />
      <ResendSteps
        // Another time is another replay.
        key={since}
        {...{ endpoint, onClose, most }}
        resend={since === null || most === 0 ? null : { kind: "replay", since }}
        submitText="Replay"
      >
        <p className="font-medium" aria-live="polite">
          {since === null
            ? "Choose when to begin."
            : eventsMax === null
              ? size.error === null
                ? "Counting…"
                : messageOf(size.error)
              : eventsMax === 0
                ? "No event was recorded since then."
                : `Up to ${COUNT.format(most)} ${most === 1 ? "event is" : "events are"} sent${eventsMax > REPLAYED_MAX ? `, of ${COUNT.format(eventsMax)}` : ""}.`}
        </p>
        {isHeld ? (
          <Notice tone="wait">The endpoint is not enabled. What is replayed is held until it is.</Notice>
        ) : null}
      </ResendSteps>
    </Dialog>
  );
}
