import type { Actor } from "../../domain/callers.ts";
import { idColumn } from "../../domain/ids.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { type FieldsOf, nullable, omit, other, table, text, time, word } from "../../lib/columns.ts";

/** The actions of the audit log. They are never renamed, since old entries keep their names. */
export const AUDIT_ACTIONS = [
  "business.added",
  "business.changed",
  "domain.claimed",
  "domain.proven",
  "domain.lost",
  "domain.removed",
  "recipient.added",
  "recipient.renamed",
  "recipient.removed",
  "recipient.tested",
  "recipient.confirmed",
  "saved_only.begun",
  "saved_only.end_asked",
  "saved_only.end_called_off",
  "key.issued",
  "key.rolled",
  "key.revoked",
  "member.added",
  "member.role_changed",
  "member.removed",
  "invitation.made",
  "invitation.accepted",
  "invitation.revoked",
  "invitation.link_made",
  "endpoint.added",
  "endpoint.changed",
  "endpoint.secret_rolled",
  "endpoint.tested",
  "endpoint.enabled",
  "endpoint.disabled",
  "endpoint.deleted",
  "delivery.resent",
  "deliveries.resent",
  "deliveries.replayed",
  "intent.created",
  "intents.created",
  "link.created",
  "link.closed",
  "payment.refund_built",
  "payment.refund_sent",
  "dispute.statement_sent",
  "dispute.file_announced",
  "dispute.offer_made",
  "dispute.offer_withdrawn",
  "dispute.offer_declined",
  "dispute.offer_accepted",
  "dispute.arbiter_asked",
  "fulfillment.recorded",
  "dispute.decision_frozen",
  "dispute.ruling_sent",
  "dispute.erased",
  "dispute.exported",
  "list.exported",
  "payment.noted",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  readonly businessId: string;
  /** The environment; null for the business as a whole. */
  readonly environment: Environment | null;
  readonly action: AuditAction;
  /** The id of the target; null if there is none. */
  readonly target: string | null;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, string | number | null>>;
}

/** The columns that entries of the audit log and of an account's history share: details, actor and time. */
export const entryColumns = (details: object) => ({
  details: other<string>("text", {
    says: "Further facts; never a secret.",
    example: details as unknown as string,
    schema: { type: "object", properties: {}, additionalProperties: true },
    show: (json) => JSON.parse(json),
  }),
  /** The id of a user, `cli` or `service`. */
  actor: word(),
  actorName: text(),
  address: nullable(text()),
  recordedAt: time({ says: "The time at which it was recorded.", example: "2026-11-20T08:30:00.000Z" }),
});

/** The audit log of businesses (§13.6). */
export const AUDIT_LOG = table("audit_log", {
  businessId: word(),
  id: idColumn("aud"),
  environment: nullable(
    word<Environment>({
      of: ENVIRONMENTS,
      says: "The environment; null if it concerns the business as a whole.",
      example: "test",
    }),
  ),
  action: text({ says: "The action, as a word such as `key.issued`.", example: "key.issued" }),
  target: nullable(
    word({
      says: "The id of the target; null if there is none.",
      example: "key_test_5szw01a1fc07df8c619d8e6ec9114ad57676",
    }),
  ),
  ...entryColumns({ name: "Shop server", last4: "x7k2", scope: "full" }),
});
/** The columns of a listed entry. */
export const AUDIT_ENTRY = omit(AUDIT_LOG.columns, "businessId");

/** The columns that name an entry's actor. */
export const actorColumns = (actor: Actor) =>
  actor.kind === "user"
    ? { actor: actor.userId, actorName: actor.email, address: actor.address }
    : actor.kind === "arbiter"
      ? { actor: actor.userId, actorName: "The arbiter", address: null }
      : { actor: actor.kind, actorName: actor.kind === "cli" ? actor.name : "Holdfast", address: null };

/** An entry with its actor as one object. */
export const withActor = <Entry extends FieldsOf<ReturnType<typeof entryColumns>>>(entry: Entry) => ({
  ...entry,
  actor: { id: entry.actor, name: entry.actorName, address: entry.address },
});
