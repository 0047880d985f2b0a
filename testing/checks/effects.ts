import { type Check, expectEffects } from "../check.ts";
import type { Life, TestEvent } from "../life.ts";
import { MENDS } from "../mend.ts";

const AT_ONCE = 20;
const SHUFFLES = 10;

const TWICE = "The same order is shipped twice.";
const common = { group: "effects", needs: ["probe"] } as const;
const counted = { group: "effects", needs: ["probe", "refunds"] } as const;

export const EFFECTS: readonly Check[] = [
  {
    ...common,
    name: "ships",
    says: "A paid order is fulfilled.",
    costs: "The buyer has paid, and gets nothing until the dispute.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const last = await handler.deliverAll([life.created(), life.of("protected"), life.paid()]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1, refunded: 0 });
    },
  },
  {
    ...common,
    name: "repeat",
    says: "An event that comes three times is dealt with once.",
    costs: TWICE,
    mend: MENDS.ONCE,
    run: async (handler) => {
      const life = await handler.order();
      const event = life.paid();
      const last = await handler.deliverAll([event, event, event]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "at_once",
    says: `An event that comes ${AT_ONCE} times at once is dealt with once.`,
    costs: `${TWICE} The check before the write is not enough: two processes read at the same moment.`,
    mend: MENDS.ONCE,
    run: async (handler) => {
      const life = await handler.order();
      const event = life.paid();
      const [first] = await Promise.all(Array.from({ length: AT_ONCE }, () => handler.deliver(event)));
      return expectEffects(handler, life.reference, first!, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "resent_later",
    says: "An event that comes again after others is dealt with once.",
    costs: `${TWICE} A resend comes hours later, after many other events.`,
    mend: MENDS.ONCE,
    run: async (handler) => {
      const [life, other] = [await handler.order(), await handler.order()];
      const event = life.paid();
      const between = [other.created(), other.of("protected"), other.paid(), other.released()];
      const last = await handler.deliverAll([event, ...between, event]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "unsigned_id",
    says: "A repeat is known by the id in the signed body, not by a header that anybody can change.",
    costs: `${TWICE} Whoever sees a delivery sends it again under another id.`,
    mend: MENDS.ONCE,
    run: async (handler) => {
      const life = await handler.order();
      const event = life.paid();
      await handler.deliver(event);
      const last = await handler.deliver(event, { headers: { "Service-Event-Id": `${event.id}0` } });
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "late",
    says: "An order that was given up is not fulfilled when a payment comes late.",
    costs: "The goods were sold to somebody else, or their price has changed.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const last = await handler.deliverAll([
        life.of("protected", { late: true, lateReason: "paid_after_cancel" }),
        life.paidLate(),
      ]);
      return expectEffects(handler, life.reference, last, { fulfilled: 0 });
    },
  },
  {
    ...common,
    name: "mismatch",
    says: "A payment on other terms fulfils nothing.",
    costs: "Anybody gets the order for one unit of the token.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      return expectEffects(handler, life.reference, await handler.deliver(life.mismatch()), { fulfilled: 0 });
    },
  },
  {
    ...common,
    name: "duplicate",
    says: "A second buyer's payment of the same order fulfils nothing more.",
    costs: TWICE,
    mend: MENDS.ROLE,
    run: async (handler) => {
      const life = await handler.order();
      const last = await handler.deliverAll([life.of("protected"), life.paid(), ...life.duplicate().found]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...counted,
    name: "duplicate_refund",
    says: "The refund of a second payment takes nothing back of the order.",
    costs: "An order that is paid is taken back, or its buyer is refunded as well.",
    mend: MENDS.ROLE,
    run: async (handler) => {
      const life = await handler.order();
      const { found, refunded } = life.duplicate();
      const last = await handler.deliverAll([life.of("protected"), life.paid(), ...found, refunded]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1, refunded: 0 });
    },
  },
  {
    ...common,
    name: "reverted",
    says: "A payment that a fork took away and that lands again fulfils the order once.",
    costs: TWICE,
    mend: MENDS.ONCE,
    run: async (handler) => {
      const life = await handler.order();
      const first = [life.of("protected"), life.paid(), life.of("reverted")];
      const last = await handler.deliverAll([...first, life.of("protected"), life.paid()]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "corrected",
    says: "payment.protected with previousAttributes is no new payment.",
    costs: TWICE,
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const first = [life.of("protected"), life.paid(), life.disputed()];
      const back = life.of("protected", {}, { status: "disputed" });
      return expectEffects(handler, life.reference, await handler.deliverAll([...first, back]), { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "going_back",
    says: "An order whose payment is already on its way back, or decided, is not fulfilled.",
    costs: "The buyer gets the goods and the money.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      for (const changes of [
        { refundTotal: "5000000" },
        { status: "disputed" },
        { outcome: "refunded_by_recipient", status: "refunded", refundTotal: "5000000", amountRefunded: "5000000" },
      ]) {
        const life = await handler.order();
        const last = await handler.deliver(life.paid(changes));
        const failure = await expectEffects(handler, life.reference, last, { fulfilled: 0 });
        if (failure !== null) return failure;
      }
      return null;
    },
  },
  {
    ...common,
    name: "found_after_expiry",
    says: "An order that was paid in time is fulfilled, also if the payment was found only after its intent expired.",
    costs: "The buyer has paid in time, and gets nothing until the dispute.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const found = { late: true, lateReason: "found_after_expiry" };
      const last = await handler.deliverAll([life.of("protected", found), life.paid(found)]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1 });
    },
  },
  {
    ...common,
    name: "over_limit",
    says: "A payment past the seats of its payment link fulfils nothing.",
    costs: "A workshop with fifty seats sells the fifty-first.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const paid = life.paid({ overLimit: true });
      return expectEffects(handler, life.reference, await handler.deliver(paid), { fulfilled: 0 });
    },
  },
  {
    ...common,
    name: "environment",
    says: "A payment of the other environment fulfils nothing.",
    costs: "Anybody buys real goods with the tokens of test, which cost nothing.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      const environment = handler.environment === "test" ? "live" : "test";
      const { data, ...event } = life.paid();
      const other = { ...event, environment, data: { object: { ...data.object, environment } } } as const;
      return expectEffects(handler, life.reference, await handler.deliver(other), { fulfilled: 0 });
    },
  },
  {
    ...common,
    name: "other_types",
    says: "No event but payment_intent.paid fulfils an order.",
    costs: "An order is shipped whose payment is not the order's, is not there any more, or goes back.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const others: readonly ((life: Life) => TestEvent)[] = [
        (life) => life.created(),
        (life) => life.of("protected"),
        (life) => life.disputed(),
        (life) => life.of("decided", { status: "disputed", outcome: "resolved", refundTotal: "1000000" }),
        (life) => life.partlyRefunded("1000000"),
        (life) => life.refunded(),
        (life) => life.of("settleable", { settleable: true }),
        (life) => life.of("reverted"),
      ];
      const judged = others.map(async (event) => {
        const life = await handler.order();
        return expectEffects(handler, life.reference, await handler.deliver(event(life)), { fulfilled: 0 });
      });
      return (await Promise.all(judged)).find((failure) => failure !== null) ?? null;
    },
  },
  ...(
    [
      ["refunded_first", (life) => life.refunded(), "The buyer gets the goods and the money."],
      ["disputed_first", (life) => life.disputed(), "The goods leave while the buyer asks for the money."],
      ["reverted_first", (life) => life.of("reverted"), "The goods leave for a payment that is not there any more."],
    ] as const satisfies readonly (readonly [string, (life: Life) => TestEvent, string])[]
  ).map(
    ([name, later, costs]): Check => ({
      ...common,
      ...{ name, costs, mend: MENDS.CONDITION },
      says: `An order whose payment was ${name.replace("_first", "")} is not fulfilled when the earlier payment_intent.paid arrives after that.`,
      run: async (handler) => {
        const life = await handler.order();
        const paid = life.paid();
        const last = await handler.deliverAll([later(life), paid]);
        return expectEffects(handler, life.reference, last, { fulfilled: 0 });
      },
    }),
  ),
  {
    ...common,
    name: "return_url",
    needs: ["probe", "return URL"],
    says: "A buyer who comes back without having paid gets nothing.",
    costs: "Anybody opens the return URL, and gets the order for nothing.",
    mend: MENDS.CONDITION,
    run: async (handler) => {
      const life = await handler.order();
      await handler.deliver(life.created());
      const url = handler.options.returnUrl!(life.reference, String(life.intent.id));
      return expectEffects(handler, life.reference, await handler.comeBack(url), { fulfilled: 0 });
    },
  },
  {
    ...common,
    name: "restart",
    needs: ["probe", "restart"],
    says: "An event that was answered by a 2xx is dealt with once, also if the process is killed at that moment.",
    costs: "The service does not send again what was answered: the buyer has paid, and gets nothing until the dispute.",
    mend: MENDS.SAVED,
    run: async (handler) => {
      const life = await handler.order();
      const event = life.paid();
      const answered = await handler.deliver(event);
      await handler.options.restart!();
      const failure = await expectEffects(handler, life.reference, answered, { fulfilled: 1 });
      if (failure !== null) return failure;
      return expectEffects(handler, life.reference, await handler.deliver(event), { fulfilled: 1 });
    },
  },
  ...(
    [
      ["refund_total", "1000000", "3000000", "refundTotal holds the refunds before it, so it is not added up."],
      ["large_amount", "1", "9007199254740993", "An amount above 2^53 is kept to its last digit."],
    ] as const
  ).map(
    ([name, first, total, says]): Check => ({
      ...{ group: "effects", needs: ["probe", "refunded amounts"], name, says },
      costs: "The books show a sum that never moved.",
      mend: MENDS.WHOLE,
      run: async (handler) => {
        const life = await handler.order();
        const amount = String(2n * BigInt(total));
        const events = [
          life.paid({ amount }, { amount }),
          life.partlyRefunded(first, "0", { amount }),
          life.partlyRefunded(total, first, { amount }),
        ];
        return expectEffects(handler, life.reference, await handler.deliverAll(events), { refundedAmount: total });
      },
    }),
  ),
  {
    ...counted,
    name: "partial_refund",
    says: "The refund of a part does not take the order back.",
    costs: "An order that is paid for the most part is taken back, or refunded a second time.",
    mend: MENDS.WHOLE,
    run: async (handler) => {
      const life = await handler.order();
      const last = await handler.deliverAll([life.paid(), life.partlyRefunded("1000000")]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1, refunded: 0 });
    },
  },
  {
    ...counted,
    name: "full_refund",
    says: "A refund of everything takes the order back, once.",
    costs: "The books show an order as sold whose money went back.",
    mend: MENDS.WHOLE,
    run: async (handler) => {
      const life = await handler.order();
      // Drafted in the order of the sequence, by which a shop knows the newest.
      const [paid, back] = [life.paid(), life.refunded()];
      const last = await handler.deliverAll([paid, back, back]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1, refunded: 1 });
    },
  },
  {
    ...common,
    name: "any_order",
    says: "The events of one order in any order fulfil it once at most.",
    costs: TWICE,
    mend: MENDS.ONCE,
    run: async (handler) => {
      for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
        const life = await handler.order();
        const events = [life.created(), life.of("protected"), life.paid(), life.disputed(), life.released()];
        const last = await handler.deliverAll(rotated(events, shuffle));
        const failure = await expectEffects(handler, life.reference, last, ({ fulfilled }) => fulfilled <= 1);
        if (failure !== null) return failure;
      }
      return null;
    },
  },
];

/** A different order for each number: every event comes first once, forwards and backwards. */
function rotated(events: readonly TestEvent[], number: number): readonly TestEvent[] {
  const start = number % events.length;
  const turned = [...events.slice(start), ...events.slice(0, start)];
  return number < events.length ? turned : turned.reverse();
}
