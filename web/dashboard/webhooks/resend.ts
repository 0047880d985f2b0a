import { callResumable, type WriteId } from "../api/client.ts";
import { FILTERS, type MatchingResendInput, type WebhookResend } from "../api/schema.ts";
import type { FilterValues } from "../pages/listFilters.ts";

/** Deliveries to send again. */
export type Resend =
  | { readonly kind: "matching"; readonly filters: Omit<MatchingResendInput, "id"> }
  | { readonly kind: "object"; readonly object: string }
  | { readonly kind: "replay"; readonly since: string };

/** Makes an id for a resend: under it, each delivery is sent once, however often the request is repeated. */
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
  if (resend.kind === "matching") return callResumable(RESENDS.matching, { path, body: { id, ...resend.filters } });
  if (resend.kind === "object") return callResumable(RESENDS.object, { path, body: { id, object: resend.object } });
  return callResumable(RESENDS.replay, { path, body: { id, since: resend.since } });
};

/** Sends part by part while `onPart`, which gets the progress, returns true. The service ends it at its limit. */
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

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Converts the filters of the list for a resend. */
export const filtersOf = (values: FilterValues): Omit<MatchingResendInput, "id"> =>
  Object.fromEntries(
    Object.entries(FILTERS.listWebhookDeliveries).flatMap(([name, { kind }]) => {
      const value = values[name];
      return value === undefined ? [] : [[camelCase(name), kind === "number" ? Number(value) : value]];
    }),
  );
