import type { Db } from "../../../../store/database.ts";
import { sql } from "../../../../store/sql.ts";
import type { Endpoint } from "../../webhook.ts";
import { deliveryTime } from "../clock.ts";

/** A resend of many deliveries, or a replay, with its request and progress. */
export interface ResendRow {
  readonly id: string;
  readonly request: string;
  /** The position of the last part; null at the beginning. */
  readonly position: string | null;
  readonly up_to_sequence: string | null;
  readonly resent: number;
  readonly made: number;
  readonly ended_at: Date | null;
  readonly limited: boolean;
}

const COLUMNS = sql`id, request, position, up_to_sequence, resent, made, ended_at, limited`;

/** Begins a resend, or finds the one with this id. */
export async function beginResend(
  db: Db,
  { businessId, id: endpointId }: Endpoint,
  id: string,
  request: string,
): Promise<ResendRow> {
  const begun = await db.row<ResendRow>(sql`
    insert into webhook_resends (business_id, endpoint_id, id, request, begun_at)
    values (${businessId}, ${endpointId}, ${id}, ${request}, ${deliveryTime()})
    on conflict do nothing returning ${COLUMNS}`);
  if (begun !== null) return begun;
  // Two statements: one that loses the key to another cannot see the winner's row.
  const found = await db.row<ResendRow>(sql`
    select ${COLUMNS} from webhook_resends
    where business_id = ${businessId} and endpoint_id = ${endpointId} and id = ${id}`);
  return found!;
}

/** Locks the resend until the commit: if two calls do the same part, the second sees the result of the first. */
export async function lockResend(db: Db, { businessId, id: endpointId }: Endpoint, id: string): Promise<ResendRow> {
  const row = await db.row<ResendRow>(sql`
    select ${COLUMNS} from webhook_resends
    where business_id = ${businessId} and endpoint_id = ${endpointId} and id = ${id} for update`);
  return row!;
}

/** One part of a resend. */
export interface ResendPart {
  readonly resent: number;
  readonly made: number;
  readonly position: string | null;
  readonly upToSequence: string | null;
  readonly ended: boolean;
  readonly limited: boolean;
}

/** Records that a part was queued, in its transaction. */
export async function advanceResend(
  db: Db,
  { businessId, id: endpointId }: Endpoint,
  id: string,
  part: ResendPart,
): Promise<ResendRow> {
  const row = await db.row<ResendRow>(sql`
    update webhook_resends set resent = resent + ${part.resent}::integer, made = made + ${part.made}::integer,
      position = ${part.position}, up_to_sequence = ${part.upToSequence}::bigint, limited = ${part.limited},
      ended_at = case when ${part.ended} then ${deliveryTime()} end
    where business_id = ${businessId} and endpoint_id = ${endpointId} and id = ${id} returning ${COLUMNS}`);
  return row!;
}
