import type { EventBody } from "../../features/events/eventTypes.ts";
import { OBSERVED, PAYMENT_EVENT_EXAMPLE } from "../../features/events/schema.ts";
import { PAID_EXAMPLE } from "../../features/intents/schema.ts";
import { examplesOf } from "../../lib/columns.ts";
import { dataOfDispute } from "./disputeStory.ts";

const EVENT_EXAMPLE = {
  ...PAYMENT_EVENT_EXAMPLE,
  id: "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d",
  type: "payment_intent.paid",
  sequence: "3",
  data: { object: PAID_EXAMPLE, previousAttributes: { status: "requires_payment", payment: null } },
} as const;

export interface EventExample {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly sequence: string | null;
  readonly data: object;
}

/** A body for each kind of delivery. */
export const EVENT_EXAMPLES: Readonly<Record<EventBody | "TestEvent", EventExample>> = {
  PaymentIntentEvent: EVENT_EXAMPLE,
  PaymentEvent: PAYMENT_EVENT_EXAMPLE,
  PaymentMismatchEvent: {
    ...EVENT_EXAMPLE,
    type: "payment_intent.payment_mismatch",
    data: {
      object: PAID_EXAMPLE,
      mismatch: ["amount"],
      observed: {
        ...examplesOf(OBSERVED),
        payment: "6dVvhV9WNbGTTeh8bhiBNNyHdgfsMGPm6vZkPdbWHvkb",
        amount: "4999999",
        signature: null,
      },
    },
  },
  DisputeEvent: {
    ...PAYMENT_EVENT_EXAMPLE,
    id: "evt_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991f",
    type: "dispute.opened",
    sequence: "5",
    occurredAt: "2026-11-21T03:10:00.001Z",
    createdAt: "2026-11-21T03:10:01.512Z",
    data: dataOfDispute("dispute.opened")!.data,
  },
  WebhookEndpointEvent: {
    ...EVENT_EXAMPLE,
    type: "webhook_endpoint.disabled",
    data: {
      object: {
        object: "webhook_endpoint",
        id: "we_test_5szw01a1fc0a6b1e6aa1dfb6bc9487e1991e",
        url: "https://shop-demo.com/hooks",
        status: "failing",
        eventTypes: ["*"],
        environment: "test",
        createdAt: "2026-11-20T09:00:00.000Z",
        disabledAt: "2026-11-24T09:00:00.000Z",
      },
      previousAttributes: { status: "enabled", disabledAt: null },
    },
  },
  SequenceGapEvent: {
    ...EVENT_EXAMPLE,
    type: "events.restored",
    sequence: "1000098",
    data: { object: { object: "sequence_gap", after: "97", before: "1000098" } },
  },
  TestEvent: {
    ...EVENT_EXAMPLE,
    type: "webhook.test",
    sequence: null,
    data: { object: { object: "webhook_test", endpoint: "we_test_5szw01a1fc0a6b1e6aa1dfb6bc9487e1991e" } },
  },
};
