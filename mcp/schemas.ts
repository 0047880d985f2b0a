// The answers of the tools. An answer may have more members than are declared, since a newer service has more; texts stand
// where the service may add values. docs/openapi.json has the whole objects.
import { z } from "zod";

const text = (description: string) => z.string().describe(description);
const textOrNull = (description: string) => z.string().nullable().describe(description);
const time = (description: string) => z.string().describe(`${description}, ISO 8601 in UTC`);

export const payment = z.looseObject({
  id: text("the payment's address on chain"),
  intent: text("id of the intent that it pays"),
  role: text("primary, or duplicate: a further payment of an intent that is paid"),
  status: text("protected, disputed, released or refunded"),
  sender: text("the buyer's wallet"),
  recipient: text("the wallet that is paid"),
  amount: text("digits, in the token's smallest unit"),
  asset: text("the token's mint"),
  merchantReference: text("the shop's own reference"),
  late: z.boolean().describe("paid or found after the intent had expired or been canceled"),
  lateReason: textOrNull("why it is late; null if it is not"),
  signature: textOrNull("the transaction that created it"),
  createdAt: time("creation"),
  protectionDeadline: time("the end of the time in which the buyer may dispute"),
  refundTotal: text("the part that goes to the buyer"),
  outcome: textOrNull("what was decided; null while nothing is"),
});

export const intent = z.looseObject({
  id: text("id of the intent"),
  status: text("requires_payment, paid, expired or canceled"),
  recipient: text("the wallet to be paid"),
  amount: text("digits, in the token's smallest unit"),
  asset: text("the token's mint"),
  protectionPeriod: text("the time in which the buyer may dispute"),
  merchantReference: text("the shop's own reference"),
  paymentId: text("the number that the payment on chain carries"),
  payment: payment.nullable().describe("the primary payment; null until paid"),
  environment: text("test or live"),
  createdAt: time("creation"),
  expiresAt: time("the time after which it is expired"),
  canceledAt: textOrNull("the time of its cancellation"),
  checkoutUrl: textOrNull("where the buyer pays; null unless requires_payment"),
});

export const dispute = z.looseObject({
  id: text("id of the dispute"),
  payment: text("address of the payment"),
  intent: text("id of the intent"),
  status: text("talking, deciding, agreed, decided, paused or closed"),
  reason: textOrNull("the buyer's reason"),
  turn: text("whose turn it is: buyer, merchant, arbiter or nobody"),
});

export const event = z.looseObject({
  id: text("id of the event"),
  type: text("such as payment_intent.paid"),
  sequence: text("its number among the business's events"),
  occurredAt: time("when it happened"),
  data: z.looseObject({ object: z.looseObject({}).describe("the object as it was then") }),
});

export const listOf = <Item extends z.ZodObject>(item: Item) =>
  z.looseObject({
    data: z.array(item).describe("newest first"),
    hasMore: z.boolean().describe("older ones are there: ask again with startingAfter, the last id"),
  });

export const business = z.looseObject({
  id: text("id of the business"),
  name: text("its name"),
  environment: text("test or live: the key decides it"),
  apiKey: z.looseObject({ id: text("id of the key"), scope: text("full, read or disputes") }),
});

export const chain = z.looseObject({
  environment: text("test or live"),
  slot: z.number().nullable().describe("the newest confirmed slot that is known"),
  watermark: textOrNull("the block time up to which everything final is processed"),
  behindSeconds: z.number().nullable().describe("the seconds by which the watermark is behind"),
  nodes: z.looseObject({ healthy: z.number(), total: z.number() }).describe("nodes that answered, and all"),
  heldBy: z.looseObject({ reason: z.string() }).nullable().describe("what holds the watermark; null if nothing does"),
});

export const verification = z.looseObject({
  outcome: text("bound, duplicate, already_recorded or signature_unverified: what confirm would answer"),
  reason: textOrNull("why it is unverified"),
  rules: z
    .array(
      z.looseObject({
        rule: z.string(),
        verdict: text("pass, fail or unknown"),
        expected: z.string(),
        found: z.string().nullable(),
      }),
    )
    .describe("each rule of a binding, in order"),
});
