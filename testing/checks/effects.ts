import { type Check, expectEffects } from "../check.ts";
import type { TestEvent } from "../life.ts";
import { MENDS } from "../mend.ts";

const AT_ONCE = 20;
const SHUFFLES = 10;

const TWICE = "The same order is shipped twice.";
const common = { group: "effects", needs: "probe" } as const;

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
    ...common,
    name: "duplicate_refund",
    needs: "refunds",
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
    name: "partial_refund",
    needs: "refunds",
    says: "The refund of a part does not take the order back.",
    costs: "An order that is paid for the most part is taken back, or refunded a second time.",
    mend: MENDS.WHOLE,
    run: async (handler) => {
      const life = await handler.order();
      const last = await handler.deliverAll([life.paid(), life.partlyRefunded()]);
      return expectEffects(handler, life.reference, last, { fulfilled: 1, refunded: 0 });
    },
  },
  {
    ...common,
    name: "full_refund",
    needs: "refunds",
    says: "A refund of everything takes the order back, once.",
    costs: "The books show an order as sold whose money went back.",
    mend: MENDS.WHOLE,
    run: async (handler) => {
      const life = await handler.order();
      const back = life.refunded();
      const last = await handler.deliverAll([life.paid(), back, back]);
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
