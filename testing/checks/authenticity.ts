import { type Check, expectRefused, expectTaken } from "../check.ts";
import type { Changes, Handler } from "../handler.ts";
import { MENDS } from "../mend.ts";
import { newSecret } from "../signing.ts";

/** The service's tolerance, and two seconds for clocks that differ. */
const BEYOND_TOLERANCE_MS = 303_000;

const FORGED = "Anybody who knows the address can say that an order is paid, and gets it for nothing.";
const REPLAYED =
  "Whoever once saw a delivery, in a log or at a proxy, can send it again for ever, and act on your orders with it.";
const ROLLED = "While a secret is rolled, deliveries fail, and after five of them the endpoint gets no events at all.";

const SIGNATURES = ["Service-Signature", "webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const without = Object.fromEntries(SIGNATURES.map((name) => [name, null]));
const common = { group: "authenticity", mend: MENDS.VERIFY } as const;

/** Delivers that a new order is paid, changed so that it is not the service's. */
const refusesPaid = (changes: () => Changes) => async (handler: Handler) => {
  const life = await handler.order();
  return expectRefused(handler, life, await handler.forge(life.paid(), changes()));
};

export const AUTHENTICITY: readonly Check[] = [
  {
    ...common,
    name: "unsigned",
    says: "A delivery without a signature is refused.",
    costs: FORGED,
    run: refusesPaid(() => ({ headers: without })),
  },
  {
    ...common,
    name: "empty_signature",
    says: "A signature header without a signature is refused.",
    costs: FORGED,
    run: refusesPaid(() => {
      const time = String(Math.floor(Date.now() / 1_000));
      return { headers: { "Service-Signature": `t=${time}`, "webhook-timestamp": time, "webhook-signature": "v1," } };
    }),
  },
  {
    ...common,
    name: "wrong_secret",
    says: "A delivery that is signed with another secret is refused.",
    costs: FORGED,
    run: refusesPaid(() => ({ secrets: [newSecret()] })),
  },
  {
    ...common,
    name: "changed_body",
    says: "A body of which one byte was changed is refused.",
    costs: "Whoever can change a delivery on its way can name another order, and gets that one for nothing.",
    run: async (handler) => {
      const life = await handler.order();
      const event = life.paid();
      const body = JSON.stringify(event).replace('"amount":"', '"amount":"9');
      return expectRefused(handler, life, await handler.forge(event, { body, sentBody: JSON.stringify(event) }));
    },
  },
  {
    ...common,
    name: "other_delivery",
    says: "The signature of another delivery is refused.",
    costs: FORGED,
    run: async (handler) => {
      const life = await handler.order();
      const sentBody = JSON.stringify(life.paid());
      const other = (await handler.order()).created();
      return expectRefused(handler, life, await handler.forge(other, { sentBody }));
    },
  },
  {
    ...common,
    name: "stale",
    says: "A delivery that was signed more than five minutes ago is refused.",
    costs: REPLAYED,
    run: refusesPaid(() => ({ at: new Date(Date.now() - BEYOND_TOLERANCE_MS) })),
  },
  {
    ...common,
    name: "future",
    says: "A delivery that was signed more than five minutes ahead is refused.",
    costs: "Nothing by itself: only the service can sign it. It shows a clock that is behind.",
    isNote: true,
    run: refusesPaid(() => ({ at: new Date(Date.now() + BEYOND_TOLERANCE_MS) })),
  },
  {
    ...common,
    name: "byte_order_mark",
    says: "A body with a byte order mark in front, which was not signed, is refused.",
    costs:
      "Nothing by itself: the event is the signed one. It shows that text is verified, not the bytes that arrived.",
    isNote: true,
    run: async (handler) => {
      const life = await handler.order();
      const event = life.created();
      return expectRefused(handler, life, await handler.forge(event, { sentBody: `\ufeff${JSON.stringify(event)}` }));
    },
  },
  {
    ...common,
    name: "second_signature",
    says: "A delivery with two signatures is taken if the second one matches.",
    costs: ROLLED,
    run: async (handler) => {
      const [secret] = handler.options.secrets;
      return expectTaken(await handler.deliver((await handler.order()).created(), { secrets: [newSecret(), secret!] }));
    },
  },
  {
    ...common,
    name: "old_secret",
    says: "The old secret is taken as well while it is valid.",
    costs: ROLLED,
    needs: ["two secrets"],
    run: async (handler) => {
      const old = handler.options.secrets.slice(1, 2);
      return expectTaken(await handler.deliver((await handler.order()).created(), { secrets: old }));
    },
  },
];
