import type { Db } from "../../../store/database.ts";
import type { AuditAction } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import type { Grant } from "../provider/company.ts";
import type { User } from "../user.ts";
import {
  giveGroupRole,
  listGroupMemberships,
  lockBusiness,
  type Membership,
  revokeInvitationsOf,
  takeGroupRole,
} from "./queries.ts";

/**
 * Makes a user's roles by groups those of a grant. Roles that people gave stay. A business that does not exist gives
 * nothing. A role that goes takes the open invitations of its user with it. One statement if nothing changes.
 */
export async function applyGrant(db: Db, user: Pick<User, "id" | "email">, { roles }: Grant): Promise<void> {
  const read = async () =>
    new Map((await listGroupMemberships(db, user.id, [...roles.keys()])).map((one) => [one.businessId, one]));
  const present = await read();
  const changed = [...new Set([...present.keys(), ...roles.keys()])].filter((id) =>
    differs(present.get(id), roles.get(id)),
  );
  if (changed.length === 0) return;
  // In one order, so that two sign-ins do not wait for each other.
  const locked: string[] = [];
  for (const id of changed.sort()) if (await lockBusiness(db, id)) locked.push(id);
  const current = await read();
  for (const businessId of locked) {
    const member = current.get(businessId);
    const role = roles.get(businessId);
    if (!differs(member, role)) continue;
    await (role === undefined ? takeGroupRole(db, businessId, user.id) : giveGroupRole(db, businessId, user.id, role));
    const action: AuditAction =
      role === undefined ? "member.removed" : member === undefined ? "member.added" : "member.role_changed";
    const details = {
      email: user.email,
      ...(action === "member.role_changed" ? { from: member!.role, to: role! } : { role: role ?? member!.role }),
      by: "group",
    };
    await record(db, businessId, action, user.id, details);
    if (role !== undefined) continue;
    for (const { id, ...revoked } of await revokeInvitationsOf(db, businessId, user.id))
      await record(db, businessId, "invitation.revoked", id, { ...revoked, by: "group" });
  }
}

const record = (
  db: Db,
  businessId: string,
  action: AuditAction,
  target: string,
  details: Readonly<Record<string, string>>,
) => db.rows(recordAudit({ kind: "service" }, { businessId, environment: null, action, target, details }));

/** A role that a person gave differs from none. */
const differs = (member: Membership | undefined, role: string | undefined): boolean =>
  member === undefined ? role !== undefined : member.byGroup && member.role !== role;
