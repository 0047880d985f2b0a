import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { WebhookEndpoint } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";

const TONES: Readonly<Record<WebhookEndpoint["status"], Tone>> = {
  enabled: "good",
  disabled: "neutral",
  failing: "bad",
};

/** An endpoint's state in a few words: an enabled one that refuses each attempt is not shown as healthy. */
export function EndpointBadge({ endpoint: { status, failingSince } }: { readonly endpoint: WebhookEndpoint }) {
  if (status !== "enabled" || failingSince === null)
    return <Badge tone={TONES[status]}>{texts.webhooks.statuses[status]}</Badge>;
  return (
    <Badge tone="bad">
      <Filled text={texts.webhooks.failingSince} slots={{ time: <Time at={failingSince} /> }} />
    </Badge>
  );
}

const TIMESTAMP = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** The sentences about an endpoint's state, with their times in the reader's zone. */
export const StateText = ({ text }: { readonly text: string }) => (
  <p className="max-w-text">
    {text.split(TIMESTAMP).map((part) => (TIMESTAMP.test(part) ? <Time key={part} at={part} /> : part))}
  </p>
);
