import { type Check, expectTaken } from "../check.ts";
import { MENDS } from "../mend.ts";

/** Above any event of the service, whose largest has two copies of a 16 KB metadata's intent. */
const LARGE_BYTES = 65_536;

const RETRIED =
  "The service sends it again for three days. After five such deliveries the endpoint gets no events at all, and orders are paid and not shipped.";

const common = { group: "answering", costs: RETRIED } as const;

/** JSON as another writer lays it out: it means the same, and its bytes are others once it is parsed and written again. */
const ANOTHER_LAYOUT = (text: string): string =>
  text
    .replace('"metadata":{}', '"metadata" : { "note":"\\u00e9\\/", "size": 1.0, "big": 12345678901234567890 }')
    .replaceAll(',"', ', "');

export const ANSWERING: readonly Check[] = [
  {
    ...common,
    name: "raw_body",
    says: "The signature is checked over the bytes as they arrived, not over JSON that was parsed and written again.",
    mend: MENDS.VERIFY,
    run: async (handler) => {
      const event = (await handler.order()).created();
      return expectTaken(await handler.deliver(event, { body: ANOTHER_LAYOUT(JSON.stringify(event)) }));
    },
  },
  {
    ...common,
    name: "large_body",
    says: "A body of 64 KB is taken.",
    mend: MENDS.LIMIT,
    run: async (handler) => {
      const event = (await handler.order()).created({ note: "x".repeat(LARGE_BYTES) });
      return expectTaken(await handler.deliver(event));
    },
  },
  {
    ...common,
    name: "unknown_type",
    says: "An event of a type that was added later is answered by a 2xx.",
    mend: MENDS.KNOWN,
    run: async (handler) =>
      expectTaken(await handler.deliver(handler.draft("payment.audited", (await handler.order()).payment()))),
  },
  {
    ...common,
    name: "unknown_order",
    says: "An event of an order that this shop does not have is answered by a 2xx.",
    mend: MENDS.KNOWN,
    run: async (handler) => {
      const { paid } = { paid: (await handler.order()).paid() };
      const stranger = { ...paid.data.object, merchantReference: "an order of another system" };
      return expectTaken(await handler.deliver(handler.draft("payment_intent.created", stranger)));
    },
  },
  {
    ...common,
    name: "webhook_test",
    says: "The test that the dashboard sends is answered by a 2xx.",
    mend: MENDS.KNOWN,
    run: async (handler) => expectTaken(await handler.deliver(handler.draftTest())),
  },
  {
    ...common,
    name: "events_restored",
    says: "The event of a restore, which has no order, is answered by a 2xx.",
    mend: MENDS.KNOWN,
    run: async (handler) => {
      const gap = { object: "sequence_gap", after: "97", before: "1000098" };
      return expectTaken(await handler.deliver(handler.draft("events.restored", gap)));
    },
  },
  {
    ...common,
    name: "added_fields",
    says: "Fields that were added later are no error.",
    mend: MENDS.KNOWN,
    run: async (handler) => {
      const { data, ...event } = (await handler.order()).created();
      const more = { ...event, traceId: "t1", data: { ...data, object: { ...data.object, tags: ["a"] } } };
      return expectTaken(await handler.deliver(more));
    },
  },
  {
    ...common,
    name: "repeat_answer",
    says: "An event that comes again is answered by a 2xx again.",
    mend: MENDS.AGAIN,
    run: async (handler) => {
      const event = (await handler.order()).paid();
      await handler.deliver(event);
      return expectTaken(await handler.deliver(event));
    },
  },
];
