import type { Tenant } from "../../../domain/callers.ts";
import { sql } from "../../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../../store/testing.ts";
import { addBusiness } from "../../businesses/actions.ts";
import { draftEvent } from "../../events/event.ts";
import type { EventType } from "../../events/eventTypes.ts";
import { QUEUE_PLANNING } from "../delivery/claims.ts";
import { recordEvents } from "../fragments.ts";

/** A fresh database with one business whose events a test records. */
export interface EventFixture extends OpenTestDatabase {
  readonly tenant: Tenant;
  /** Records events of this type in one transaction. Returns their ids, in the order of their sequence. */
  recordEvents(count: number, type?: EventType, tenant?: Tenant): Promise<string[]>;
  addTenant(): Promise<Tenant>;
}

export async function openEventFixture(
  options: { onAnnounced?: (businessIds: readonly string[]) => void } = {},
): Promise<EventFixture> {
  const opened = await openTestDatabase(QUEUE_PLANNING, { connectionsMax: 6, ...options });
  const { database } = opened;
  const addTenant = async (): Promise<Tenant> => ({
    businessId: (await addBusiness(database, { kind: "service" }, "Shop")).id,
    environment: "test",
  });
  const tenant = await addTenant();
  let objects = 0;
  return {
    ...opened,
    tenant,
    addTenant,
    recordEvents: async (count, type = "payment_intent.created", of = tenant) => {
      const now = new Date();
      const drafts = Array.from({ length: count }, () => {
        const objectId = `pi_test_${String(++objects).padStart(36, "0")}`;
        const object = { object: '"payment_intent"', id: `"${objectId}"` };
        const about = { objectId, generation: 1, transition: type, intentId: objectId, paymentAddress: null };
        return draftEvent(of, { type, ...about, occurredAt: now, object, before: null }, now);
      });
      await database.rows(sql`with ${recordEvents(drafts)} select sequence from recorded_events`);
      return drafts.map((draft) => draft.id);
    },
  };
}
