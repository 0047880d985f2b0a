interface SentAs {
  readonly eventId: string;
  readonly type: string;
  /** The event's sequence; null for webhook.test, which has none (§6.2). */
  readonly sequence: string | null;
  readonly apiVersion: string;
}

/** The headers of a delivery without its signatures (§6.2). */
export const unsignedHeadersOf = ({ eventId, type, sequence, apiVersion }: SentAs): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": "Service-Webhooks/1.0",
  "Service-Event-Id": eventId,
  "Service-Event-Type": type,
  "Service-Api-Version": apiVersion,
  ...(sequence === null ? {} : { "Service-Event-Sequence": sequence }),
});
