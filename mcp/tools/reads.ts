import type { ListEventsQuery } from "@holdfast/sdk";
import { z } from "zod";
import { business, chain, event, intent, listOf, payment, verification } from "../schemas.ts";
import type { Tools } from "../tools.ts";

const LIMIT = 10;
const page = {
  limit: z.int().min(1).max(100).default(LIMIT).describe("page size"),
  startingAfter: z.string().optional().describe("the last id of the page before"),
};
const intentId = z.string().describe("id of an intent, pi_…");
const time = (of: string) =>
  z.iso.datetime().optional().describe(`only what ${of} this time, such as 2026-11-20T08:30:00Z`);

export function registerReads(tool: Tools): void {
  tool(
    "whoami",
    {
      title: "Check the key",
      description:
        "The business, environment and scope of the key in use, the service, and the requests left this minute.",
      input: z.strictObject({}),
      output: business.extend({
        url: z.string().describe("the service"),
        from: z.string().describe("where service and key were found"),
        isLocal: z.boolean().describe("whether a local chain is known, on which local_play works"),
        requestsLeft: z.number().nullable().describe("of this minute; null if the service does not say"),
      }),
    },
    async (_, { instance, client }) => {
      const { data, response } = await client.me.retrieve().withResponse();
      const left = response.headers.get("ratelimit-remaining");
      const { url, from, local } = instance;
      return { ...data, url, from, isLocal: local !== null, requestsLeft: left === null ? null : Number(left) };
    },
  );
  tool(
    "list_intents",
    {
      title: "List payment intents",
      description: "Payment intents, newest first: by reference, status or time. Each has its primary payment.",
      input: z.strictObject({
        merchantReference: z.string().optional().describe("exactly this reference"),
        status: z.enum(["requires_payment", "paid", "expired", "canceled"]).optional(),
        createdAfter: time("was created after"),
        createdBefore: time("was created before"),
        ...page,
      }),
      output: listOf(intent),
    },
    async (query, { client }) => client.paymentIntents.list(query),
  );
  tool(
    "list_payments",
    {
      title: "List payments",
      description:
        "Payments on chain that are bound to intents, newest first: by status, intent, role, lateness, or what can be settled now.",
      input: z.strictObject({
        status: z.enum(["protected", "disputed", "released", "refunded"]).optional(),
        intent: intentId.optional(),
        role: z.enum(["primary", "duplicate"]).optional(),
        late: z.boolean().optional(),
        settleable: z.boolean().optional(),
        ...page,
      }),
      output: listOf(payment),
    },
    async (query, { client }) => client.payments.list(query),
  );
  tool(
    "list_events",
    {
      title: "List events",
      description:
        "What happened, newest first: the events that webhooks deliver, of an intent, of a payment, or of types such as payment_intent.paid or dispute.*.",
      input: z.strictObject({
        type: z.array(z.string()).max(20).optional().describe("types, or groups such as payment.*"),
        intent: intentId.optional(),
        payment: z.string().optional().describe("address of a payment"),
        occurredAfter: time("happened after"),
        occurredBefore: time("happened before"),
        ...page,
      }),
      output: listOf(event),
    },
    async ({ type, ...query }, { client }) => client.events.list({ ...query, type: type as ListEventsQuery["type"] }),
  );
  tool(
    "explain_signature",
    {
      title: "Explain a transaction",
      description:
        "Says rule by rule whether a transaction pays an intent, and why not: for a buyer who has paid while the intent is unpaid. Changes nothing.",
      input: z.strictObject({ intent: intentId, signature: z.string().describe("the transaction's signature") }),
      output: verification,
    },
    async ({ intent, signature }, { client }) => client.paymentIntents.verify(intent, { signature }),
  );
  tool(
    "chain_status",
    {
      title: "Chain status",
      description:
        "How far the service has read the chain, how many nodes answer, and what holds it up: ask this if a payment is not found yet.",
      input: z.strictObject({}),
      output: chain,
    },
    async (_, { client }) => client.chain.retrieve(),
  );
}
