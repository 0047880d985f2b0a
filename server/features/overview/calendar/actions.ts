import type { Member, Tenant } from "../../../domain/callers.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Database } from "../../../store/database.ts";
import type { AuditAction, AuditEntry } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { deleteFeed, saveFeed } from "./queries.ts";

const describe = ({ businessId, environment }: Tenant, action: AuditAction, userId: string): AuditEntry => ({
  businessId,
  environment,
  action,
  target: userId,
});

/** Makes the member's calendar, or gives it another link; returns the secret of the link, which is shown once. */
export async function makeFeed(database: Database, { actor, userId }: Member, tenant: Tenant): Promise<string> {
  const secret = newStaffSecret();
  await database.transaction(async (db) => {
    await saveFeed(db, tenant, userId, secret);
    await db.rows(recordAudit(actor, describe(tenant, "calendar.made", userId)));
  });
  return secret;
}

/** Ends the link of the member's calendar, if there is one. */
export const revokeFeed = (database: Database, { actor, userId }: Member, tenant: Tenant): Promise<void> =>
  database.transaction(async (db) => {
    if (await deleteFeed(db, tenant, userId))
      await db.rows(recordAudit(actor, describe(tenant, "calendar.revoked", userId)));
  });
