import type { Tenant } from "../../../domain/callers.ts";
import { sql } from "../../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../../store/testing.ts";
import { addBusiness } from "../../businesses/actions.ts";
import { draftEvent, type EventType } from "../../events/event.ts";
import { recordEvents } from "../../events/fragments.ts";
import { QUEUE_PLANNING } from "../queue/claims.ts";

/** A fresh database with one business, and a way to make things happen to it. */
export interface Books extends OpenTestDatabase {
  readonly tenant: Tenant;
  /** Records events of this type in one transaction; their ids, in sequence order. */
  tell(count: number, type?: EventType, tenant?: Tenant): Promise<string[]>;
  addTenant(): Promise<Tenant>;
}

export async function openBooks(
  options: { onAnnounced?: (businessIds: readonly string[]) => void } = {},
): Promise<Books> {
  const opened = await openTestDatabase(QUEUE_PLANNING, { connectionsMax: 6, ...options });
  const { database } = opened;
  const addTenant = async (): Promise<Tenant> => ({
    businessId: (await addBusiness(database, "Shop")).id,
    environment: "test",
  });
  const tenant = await addTenant();
  let happened = 0;
  return {
    ...opened,
    tenant,
    addTenant,
    tell: async (count, type = "payment_intent.created", of = tenant) => {
      const now = new Date();
      const drafts = Array.from({ length: count }, () => {
        const objectId = `pi_test_${String(++happened).padStart(32, "0")}`;
        const object = { object: '"payment_intent"', id: `"${objectId}"` };
        const about = { objectId, generation: 1, transition: type, intentId: objectId, paymentAddress: null };
        return draftEvent(of, { type, ...about, occurredAt: now, object, before: null }, now);
      });
      await database.rows(sql`with ${recordEvents(drafts)} select sequence from recorded_events`);
      return drafts.map((draft) => draft.id);
    },
  };
}
