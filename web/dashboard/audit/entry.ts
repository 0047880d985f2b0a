import type { AuditEntry, FILTERS } from "../api/schema.ts";

type Action = (typeof FILTERS.listAuditEntries.action.choices)[number];

/** What was done, in words. An action that the service has and this list has not does not compile. */
export const ACTION_TEXTS: Readonly<Record<Action, string>> = {
  "business.added": "Added the business",
  "business.changed": "Changed the profile",
  "domain.claimed": "Claimed a domain",
  "domain.proven": "The domain was proven",
  "domain.lost": "The domain's proof was lost",
  "domain.removed": "Removed the domain",
  "recipient.added": "Added a recipient",
  "recipient.renamed": "Renamed a recipient",
  "recipient.removed": "Removed a recipient",
  "recipient.tested": "Offered a test payment",
  "recipient.confirmed": "Found a test payment in the wallet",
  "saved_only.begun": "Allowed saved recipients only",
  "saved_only.end_asked": "Asked to allow any recipient again",
  "saved_only.end_called_off": "Kept to saved recipients only",
  "key.issued": "Created an API key",
  "key.rolled": "Rolled an API key",
  "key.revoked": "Revoked an API key",
  "member.added": "Added a member",
  "member.role_changed": "Changed a member's role",
  "member.removed": "Removed a member",
  "invitation.made": "Invited someone",
  "invitation.accepted": "Accepted an invitation",
  "invitation.revoked": "Revoked an invitation",
  "invitation.link_made": "Showed the link of an invitation",
  "endpoint.added": "Added a webhook endpoint",
  "endpoint.changed": "Changed a webhook endpoint",
  "endpoint.secret_rolled": "Rolled a signing secret",
  "endpoint.tested": "Tested a webhook endpoint",
  "endpoint.enabled": "Enabled a webhook endpoint",
  "endpoint.disabled": "Disabled a webhook endpoint",
  "endpoint.deleted": "Deleted a webhook endpoint",
  "delivery.resent": "Resent a delivery",
  "deliveries.resent": "Resent deliveries",
  "deliveries.replayed": "Replayed events",
};

export const textOf = ({ action }: AuditEntry): string =>
  (ACTION_TEXTS as Readonly<Record<string, string | undefined>>)[action] ?? action;

/** Names of details that do not read as words by themselves. */
const NAMES: Readonly<Record<string, string>> = {
  last4: "ends in",
  url: "URL",
  eventTypes: "event types",
  supportContact: "support contact",
  refundPolicyHash: "refund policy (SHA-256)",
  returnUrl: "return address",
  intentLifetimeMinutes: "time to pay (minutes)",
  afterSequence: "after sequence",
  endsAt: "from",
};

/** The details of an entry as pairs of texts, in the order in which they were written. */
export const detailsOf = ({
  details,
}: Pick<AuditEntry, "details">): readonly (readonly [name: string, text: string])[] =>
  Object.entries(details as Readonly<Record<string, unknown>>).map(([name, value]) => [
    NAMES[name] ?? name,
    value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value),
  ]);
