import type { TradedIntent, TradedPayment } from "./api.ts";
import type { ShopOrder } from "./shop.ts";

/** The differences between an order of the shop and the API, in words; none if both say the same. */
export function judgeOrder(intents: readonly TradedIntent[], order: ShopOrder): string[] {
  const payment = findOwn(intents);
  const wrong: string[] = [];
  const expect = (isRight: boolean, text: string) => {
    if (!isRight) wrong.push(text);
  };
  expect(order.shipments <= 1, `it was shipped ${order.shipments} times`);
  if (payment === null) {
    expect(order.state === "open" || order.state === "canceled", `it is ${order.state}, and nothing pays it`);
    expect(order.shipments === 0, "it was shipped unpaid");
    expect(order.refunded === "0", `${order.refunded} went back in the books alone`);
    return wrong;
  }
  const states = statesOf(payment);
  const shown = `its payment is ${payment.status} (${payment.outcome ?? "not decided"}, ${payment.refundTotal} back)`;
  expect(states.includes(order.state), `it is ${order.state}, and ${shown}`);
  if (mustShip(payment)) expect(order.shipments === 1, `it was not shipped, and ${shown}`);
  if (order.state !== "canceled")
    expect(isSameShare(payment, order), `${order.refunded} of ${order.total} went back in the shop, and ${shown}`);
  return wrong;
}

/** The first payment in time pays the order. */
function findOwn(intents: readonly TradedIntent[]): TradedPayment | null {
  const inTime = intents.flatMap(({ payment }) =>
    payment !== null && (payment.lateReason === null || payment.lateReason === "found_after_expiry") ? [payment] : [],
  );
  return inTime.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))[0] ?? null;
}

function statesOf({ status, outcome, disputedAt }: TradedPayment): readonly ShopOrder["state"][] {
  if (status === "refunded") return ["refunded", "canceled"];
  if (status === "disputed") return outcome === null ? ["held"] : ["held", "paid"];
  // Goods of an order that was disputed before they left are for a person.
  return disputedAt === null ? ["paid"] : ["paid", "held"];
}

const mustShip = ({ status, disputedAt, refundTotal }: TradedPayment): boolean =>
  (status === "protected" || status === "released") && disputedAt === null && refundTotal === "0";

/** The shop's books round to the smallest unit of its currency. */
function isSameShare({ amount, refundTotal, status }: TradedPayment, { refunded, total }: ShopOrder): boolean {
  const difference = BigInt(refunded) * BigInt(amount) - BigInt(refundTotal) * BigInt(total);
  const isClose = difference <= BigInt(amount) && -difference <= BigInt(amount);
  return isClose && (status !== "refunded" || refunded === total);
}
