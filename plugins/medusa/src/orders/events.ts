import { paymentOf } from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys } from "@medusajs/framework/utils";
import { connect } from "../connection";
import { bringUpToDate } from "./progress";
import { readSettings, saveCursor } from "./settings";

const PAGE_EVENTS = 100;
/** A run of the job handles so much at most; the next one goes on. */
const PAGES_MAX = 50;
const ORDERS_MAX = 500;

/** An event as it is delivered or read; of a type that this version does not know, too. */
interface ReceivedEvent {
  readonly id: string;
  readonly data: { readonly object: object };
}

/** The id of the order that an event is about; null if it is about none of Medusa's. */
function orderOf({ data }: ReceivedEvent): string | null {
  const { merchantReference } = data.object as { readonly merchantReference?: unknown };
  return typeof merchantReference === "string" && merchantReference.startsWith("order_") ? merchantReference : null;
}

/**
 * Stores an event that may change an order, once. Returns its order, or null if it is about none. Only a payment changes one: a
 * buyer who has a checkout made each quarter of an hour leaves nothing.
 */
export async function storeEvent(container: MedusaContainer, event: ReceivedEvent): Promise<string | null> {
  const order = orderOf(event);
  if (order === null || paymentOf(event) === null) return null;
  const connection = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  await connection.raw(
    `insert into holdfast_event (id, order_id, body) values (?, ?, ?::jsonb) on conflict (id) do nothing`,
    [event.id, order, JSON.stringify(event)],
  );
  return order;
}

/** Reads what no webhook brought, then finishes what a killed process left. */
export async function catchUp(container: MedusaContainer): Promise<void> {
  const { holdfast } = connect();
  let { cursor } = await readSettings(container);
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await holdfast.events.list({ afterSequence: cursor, limit: PAGE_EVENTS });
    const events = [...page.data].reverse();
    for (const event of events) await storeEvent(container, event);
    const last = events.at(-1);
    if (last !== undefined) {
      cursor = last.sequence;
      await saveCursor(container, cursor);
    }
    if (!page.hasMore) break;
  }
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  // An order that fails keeps no other waiting.
  for (const order of await listWaiting(container))
    await bringUpToDate(container, order).catch(({ message }: Error) =>
      logger.warn(`Holdfast: ${order} waits: ${message}`),
    );
}

async function listWaiting(container: MedusaContainer): Promise<string[]> {
  const connection = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const { rows } = await connection.raw(
    `select distinct order_id from holdfast_event where handled_at is null limit ${ORDERS_MAX}`,
  );
  return rows.map(({ order_id }: { order_id: string }) => order_id);
}
