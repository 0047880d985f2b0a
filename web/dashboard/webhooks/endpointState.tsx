import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { WebhookEndpoint } from "../api/schema.ts";

const STATUSES: Readonly<Record<WebhookEndpoint["status"], readonly [Tone, string]>> = {
  enabled: ["good", "Enabled"],
  disabled: ["neutral", "Disabled"],
  failing: ["bad", "Failing, disabled"],
};

/** An endpoint's state in a few words: an enabled one that refuses each attempt is not called well. */
export function EndpointBadge({ endpoint: { status, failingSince } }: { readonly endpoint: WebhookEndpoint }) {
  const [tone, word] = STATUSES[status];
  if (status !== "enabled" || failingSince === null) return <Badge tone={tone}>{word}</Badge>;
  return (
    <Badge tone="bad">
      Failing since <Time at={failingSince} />
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
