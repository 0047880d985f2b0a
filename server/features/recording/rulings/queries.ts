import type { Tenant } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { type DisputeChange, saveDisputes } from "../../disputes/fragments.ts";
import type { EventDraft } from "../../events/event.ts";
import { moveLastOccurred } from "../../intents/fragments.ts";
import { recordEvents } from "../../webhooks/fragments.ts";

/** Writes the ruling of a dispute, under the lock of its intent. Without an event nobody is told of it yet. */
export const saveRuling = (db: Db, tenant: Tenant, change: DisputeChange, event: EventDraft | null) =>
  db.rows(
    event === null
      ? sql`with nothing as (select 1)${saveDisputes([change])} select 1 from nothing`
      : sql`
        with changed_intents as (${moveLastOccurred(tenant, change.after.intentId, event.pendingEvent.occurredAt)}),
        ${recordEvents([event], sql`exists (select from changed_intents)`)}${saveDisputes([change])}
        select sequence from recorded_events`,
  );
