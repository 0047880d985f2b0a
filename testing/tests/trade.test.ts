import assert from "node:assert/strict";
import { test } from "node:test";
import type { TradedIntent, TradedPayment } from "../trade/api.ts";
import { judgeOrder } from "../trade/judge.ts";
import { randomOf } from "../trade/random.ts";
import type { ShopOrder } from "../trade/shop.ts";

type Changes = Partial<TradedPayment>;

const anIntent = (payment: Changes | null): TradedIntent => ({
  ...{ id: "pi_test_1", status: "paid" },
  payment: payment && {
    ...{ id: "9XU3", status: "protected", amount: "24500000", refundTotal: "0", outcome: null, disputedAt: null },
    ...{ lateReason: null, createdAt: "2026-11-21T02:58:22.000Z", ...payment },
  },
});
const judge = (payment: Changes | null, order: Partial<ShopOrder>) =>
  judgeOrder([anIntent(payment)], { state: "open", shipments: 0, total: "2450", refunded: "0", ...order }).length;

const SHIPPED = { state: "paid", shipments: 1 } as const;
const DISPUTED = { status: "disputed", disputedAt: "2026-11-22T02:58:22.000Z" } as const;
const REFUNDED = { status: "refunded", outcome: "refunded_by_recipient", refundTotal: "24500000" } as const;

test("an order is right where the shop and the API say the same of it", () => {
  assert.equal(judge(null, {}), 0);
  assert.equal(judge(null, { state: "canceled" }), 0);
  assert.equal(judge({ lateReason: "paid_after_cancel" }, { state: "canceled" }), 0);
  assert.equal(judge({}, SHIPPED), 0);
  assert.equal(judge({ status: "released", lateReason: "found_after_expiry" }, SHIPPED), 0);
  assert.equal(judge({ refundTotal: "8166666" }, { ...SHIPPED, refunded: "816" }), 0);
  assert.equal(judge(DISPUTED, { state: "held" }), 0);
  assert.equal(judge(REFUNDED, { state: "refunded", refunded: "2450" }), 0);
  assert.equal(judge(REFUNDED, { state: "canceled" }), 0);
});

test("an order is wrong that is stuck, canceled after payment, shipped twice or unpaid, or refunded in the books alone", () => {
  for (const [payment, order] of [
    [{}, {}],
    [{}, { state: "paid" }],
    [{}, { state: "canceled", shipments: 1 }],
    [{}, { state: "paid", shipments: 2 }],
    [null, { shipments: 1 }],
    [null, { state: "paid" }],
    [{ lateReason: "paid_after_expiry" }, { state: "paid" }],
    [{}, { ...SHIPPED, refunded: "2450" }],
    [{ refundTotal: "8166666" }, { ...SHIPPED, refunded: "814" }],
    [DISPUTED, SHIPPED],
    [REFUNDED, { ...SHIPPED, refunded: "2450" }],
    [REFUNDED, { state: "refunded", refunded: "2449" }],
  ] as const satisfies readonly (readonly [Changes | null, Partial<ShopOrder>])[])
    assert.notEqual(judge(payment, order), 0, JSON.stringify([payment, order]));
});

test("the first payment in time is the order's, and the same seed plays the same stories", () => {
  const [first, second] = [anIntent({ createdAt: "2026-11-21T00:00:00.000Z" }), anIntent(REFUNDED)];
  const order: ShopOrder = { ...SHIPPED, total: "2450", refunded: "0" };
  assert.deepEqual(judgeOrder([second, first], order), []);
  const draw = () => Array.from({ length: 5 }, randomOf(7).next);
  assert.deepEqual(draw(), draw());
});
