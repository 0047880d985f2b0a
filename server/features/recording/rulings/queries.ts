import type { Tenant } from "../../../domain/callers.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { type DisputeChange, saveDisputes } from "../../disputes/fragments.ts";
import type { EventDraft } from "../../events/event.ts";
import { moveLastOccurred } from "../../intents/fragments.ts";
import { recordEvents } from "../../webhooks/fragments.ts";

/** The intent of the payment at an address, which establishes the business; null if none is bound there. */
export const findIntentByAddress = (db: Db, environment: Environment, address: string) =>
  db.row<Tenant & { readonly intentId: string }>(sql`
    select p.business_id as "businessId", p.environment, p.intent_id as "intentId"
    from payment_addresses a join payments p on p.business_id = a.business_id and p.address = a.address
    where a.address = ${address} and p.environment = ${environment}`);

/** Writes the ruling of a case, under the lock of its intent. Without an event nobody is told of it yet. */
export const saveRuling = (db: Db, tenant: Tenant, change: DisputeChange, event: EventDraft | null) =>
  db.rows(
    event === null
      ? sql`with nothing as (select 1)${saveDisputes([change])} select 1 from nothing`
      : sql`
        with changed_intents as (${moveLastOccurred(tenant, change.after.intentId, event.pendingEvent.occurredAt)}),
        ${recordEvents([event], sql`exists (select from changed_intents)`)}${saveDisputes([change])}
        select sequence from recorded_events`,
  );
