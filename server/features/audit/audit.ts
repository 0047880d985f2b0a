import type { Actor } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";

/** The actions of the audit log, in words that are never renamed: old entries keep theirs. */
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
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  readonly businessId: string;
  /** Null: it concerns the business as a whole. */
  readonly environment: Environment | null;
  readonly action: AuditAction;
  /** The id of what it was done to. */
  readonly target: string | null;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, string | number | null>>;
}

/** How the logs name who acted. */
export const actorColumns = (actor: Actor) =>
  actor.kind === "user"
    ? { actor: actor.userId, name: actor.email, address: actor.address }
    : { actor: actor.kind, name: actor.kind === "cli" ? actor.name : "Holdfast", address: null };
