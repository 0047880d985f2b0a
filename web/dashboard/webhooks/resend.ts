import { callWrite, type WriteId } from "../api/client.ts";
import type { MatchingResendInput, WebhookResend } from "../api/schema.ts";

/** What can be sent once more at once. */
export type Resend =
  | { readonly kind: "matching"; readonly filters: Omit<MatchingResendInput, "id"> }
  | { readonly kind: "object"; readonly object: string }
  | { readonly kind: "replay"; readonly since: string };

/** What one may come to; the service holds them. */
export const RESENT_MAX = 10_000;
export const REPLAYED_MAX = 100_000;

/** A new id for a resend: whatever is clicked or tried again under it is sent once. */
export const newResendId = (): string =>
  `res_${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

interface EndpointPath {
  readonly business: string;
  readonly environment: "test" | "live";
  readonly endpoint: string;
}

/** The operation of each kind. */
export const RESENDS = {
  matching: "resendMatchingWebhooks",
  object: "resendWebhooksOfObject",
  replay: "replayWebhooks",
} as const satisfies Readonly<Record<Resend["kind"], WriteId>>;

const sendPart = (path: EndpointPath, id: string, resend: Resend): Promise<WebhookResend> => {
  if (resend.kind === "matching") return callWrite(RESENDS.matching, { path, body: { id, ...resend.filters } });
  if (resend.kind === "object") return callWrite(RESENDS.object, { path, body: { id, object: resend.object } });
  return callWrite(RESENDS.replay, { path, body: { id, since: resend.since } });
};

/** Has it sent part by part for as long as `onPart`, which gets how far it is, says so. The service ends it at its bound. */
export async function runResend(
  path: EndpointPath,
  id: string,
  resend: Resend,
  onPart: (part: WebhookResend) => boolean,
): Promise<void> {
  for (;;) {
    const part = await sendPart(path, id, resend);
    if (!onPart(part) || part.done) return;
  }
}

/** The filters of the list as a resend takes them. */
export const filtersOf = (search: Readonly<Record<string, string | undefined>>): Omit<MatchingResendInput, "id"> => ({
  status: (search.status ?? null) as MatchingResendInput["status"] & (string | null),
  statusCode: search.status_code === undefined ? null : Number(search.status_code),
  errorClass: (search.error_class ?? null) as MatchingResendInput["errorClass"] & (string | null),
  type: (search.type ?? null) as MatchingResendInput["type"] & (string | null),
  object: search.object ?? null,
  createdAfter: search.created_after ?? null,
  createdBefore: search.created_before ?? null,
});
