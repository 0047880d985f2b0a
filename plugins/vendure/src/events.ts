import { paymentOf } from "@holdfast/sdk";
import type { RequestContext } from "@vendure/core";
import { connection } from "./connection";
import { HoldfastEvent } from "./entities";
import { bringUpToDate, MISMATCH } from "./progress";
import { findOrder, type Shop } from "./shop";

export const CURSOR = { namespace: "holdfast", name: "cursor" } as const;
const CURSOR_KEY = `${CURSOR.namespace}.${CURSOR.name}`;
const PAGE_EVENTS = 100;
/** A run handles so much at most; the next one goes on. */
const PAGES_MAX = 50;
const ORDERS_MAX = 500;

/** An event as it is delivered or read; of a type that this version does not know, too. */
interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: object };
}

/** Stores an event, once. Returns the code of its order, or null if it is about none of this shop's, or changes none. */
export async function storeEvent(shop: Shop, event: ReceivedEvent): Promise<string | null> {
  const { merchantReference: code } = event.data.object as { readonly merchantReference?: unknown };
  if (paymentOf(event) === null && event.type !== MISMATCH) return null;
  if (typeof code !== "string" || (await findOrder(shop, code)) === null) return null;
  const events = shop.connection.rawConnection.getRepository(HoldfastEvent);
  const row = { id: event.id, orderCode: code, body: JSON.stringify(event) };
  await events.createQueryBuilder().insert().values(row).orIgnore().execute();
  return code;
}

/** Reads what no webhook brought, then finishes what a killed process left. */
export async function catchUp(shop: Shop, onError: (code: string, error: Error) => void): Promise<void> {
  const ctx: RequestContext = await shop.contexts.create({ apiType: "admin" });
  let cursor = (await shop.settings.get<{ sequence: string }>(ctx, CURSOR_KEY))?.sequence ?? "0";
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await connection().holdfast.events.list({ afterSequence: cursor, limit: PAGE_EVENTS });
    const events = [...page.data].reverse();
    for (const event of events) await storeEvent(shop, event);
    const last = events.at(-1);
    if (last !== undefined) {
      cursor = last.sequence;
      const { error } = await shop.settings.set(ctx, CURSOR_KEY, { sequence: cursor });
      if (error) throw new Error(error);
    }
    if (!page.hasMore) break;
  }
  for (const code of await listWaiting(shop))
    await bringUpToDate(shop, code).catch((error: Error) => onError(code, error));
}

async function listWaiting(shop: Shop): Promise<string[]> {
  const rows = await shop.connection.rawConnection
    .getRepository(HoldfastEvent)
    .createQueryBuilder("event")
    .select("event.orderCode", "code")
    .distinct(true)
    .where("event.isHandled = :isHandled", { isHandled: false })
    .limit(ORDERS_MAX)
    .getRawMany<{ code: string }>();
  return rows.map(({ code }) => code);
}
