import {
  type AnyEvent,
  type Dispute,
  type Holdfast,
  NotFoundError,
  type Payment,
  type PaymentIntent,
} from "@holdfast/sdk";
import { z } from "zod";
import { dispute, event, intent, payment } from "../schemas.ts";
import type { Tools } from "../tools.ts";

/** Payments that are searched for a signature or a wallet, by which no list is filtered. */
const SEARCHED_MAX = 500;
/** Intents of one reference: each takes two requests more. */
const INTENTS_MAX = 10;
const PAGE = 100;

const output = z.object({
  kind: z.string().describe("intent, payment, dispute, event, signature, wallet, reference or nothing"),
  intents: z.array(intent),
  payments: z.array(payment).describe("of these intents, duplicates too"),
  disputes: z.array(dispute),
  events: z.array(event).describe("the event, if one was asked for"),
  says: z.string().describe("what was found, or where it was searched in vain"),
});
type Kind = "intent" | "payment" | "dispute" | "event" | "signature" | "wallet" | "reference";
interface Found {
  readonly kind: Kind | "nothing";
  readonly intents: readonly PaymentIntent[];
  readonly payments: readonly Payment[];
  readonly disputes: readonly Dispute[];
  readonly events: readonly AnyEvent[];
  readonly says: string;
}

const orNull = <Value>(call: Promise<Value>): Promise<Value | null> =>
  call.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });

export function registerFind(tool: Tools): void {
  tool(
    "find",
    {
      title: "Find anything",
      description:
        "Finds by any text that you have: id of an intent, event or dispute, a payment's address, a transaction's signature, a buyer's wallet, or an order's reference. Answers the intents with all their payments and disputes: whether an order is paid, why it is late, who has the money.",
      input: z.strictObject({ query: z.string().trim().min(1).max(255) }),
      output,
    },
    async ({ query }, { client }) => (await findById(client, query)) ?? findByReference(client, query),
  );
}

async function findById(client: Holdfast, query: string): Promise<Found | null> {
  if (/^pi_\w+$/.test(query)) return gather(client, "intent", [query]);
  if (/^dp_\w+$/.test(query)) {
    const found = await orNull(client.disputes.retrieve(query));
    return found && gather(client, "dispute", [found.intent]);
  }
  if (/^evt_\w+$/.test(query)) {
    const found = await orNull(client.events.retrieve(query));
    if (found === null) return null;
    const { object, id, intent } = found.data.object as Readonly<Record<string, string | undefined>>;
    const about = object === "payment_intent" ? id : intent;
    const events = [found];
    if (about === undefined) return { ...show("event", [], [], []), events };
    return { ...((await gather(client, "event", [about])) ?? show("event", [], [], [])), events };
  }
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(query)) {
    const found = await orNull(client.payments.retrieve(query));
    if (found !== null) return gather(client, "payment", [found.intent]);
    return search(client, "wallet", ({ sender }) => sender === query);
  }
  if (/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(query))
    return search(client, "signature", ({ signature }) => signature === query);
  return null;
}

async function search(client: Holdfast, kind: Kind, isWanted: (payment: Payment) => boolean): Promise<Found | null> {
  const payments = await client.payments.list({ limit: PAGE }).toArray({ limit: SEARCHED_MAX });
  const intents = new Set(payments.filter(isWanted).map(({ intent }) => intent));
  return gather(client, kind, [...intents].slice(0, INTENTS_MAX));
}

async function findByReference(client: Holdfast, query: string): Promise<Found> {
  const { data } = await client.paymentIntents.list({ merchantReference: query, limit: INTENTS_MAX });
  const found = await gatherOf(client, "reference", data);
  if (found !== null) return found;
  const says = `Nothing has this id, address, signature or exact reference. For signatures and wallets the newest ${SEARCHED_MAX} payments were searched; a transaction that pays no intent is explained by explain_signature.`;
  return { kind: "nothing", intents: [], payments: [], disputes: [], events: [], says };
}

async function gather(client: Holdfast, kind: Kind, ids: readonly string[]): Promise<Found | null> {
  const intents = await Promise.all(ids.map((id) => orNull(client.paymentIntents.retrieve(id))));
  return gatherOf(
    client,
    kind,
    intents.filter((one) => one !== null),
  );
}

/** Intents with all that belongs to them; null if there are none. */
async function gatherOf(client: Holdfast, kind: Kind, intents: readonly PaymentIntent[]): Promise<Found | null> {
  if (intents.length === 0) return null;
  const of = <Item>(list: (query: { intent: string; limit: number }) => PromiseLike<{ data: readonly Item[] }>) =>
    Promise.all(intents.map(async ({ id }) => (await list({ intent: id, limit: PAGE })).data));
  const [payments, disputes] = await Promise.all([of(client.payments.list), of(client.disputes.list)]);
  return show(kind, intents, payments.flat(), disputes.flat());
}

function show(kind: Kind, intents: Found["intents"], payments: Found["payments"], disputes: Found["disputes"]): Found {
  const says = `Found by ${kind}: ${intents.length} intents, ${payments.length} payments, ${disputes.length} disputes.`;
  return { kind, intents, payments, disputes, events: [], says };
}
