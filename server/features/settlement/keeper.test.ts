import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChainPayment, ChainSender, DuePart } from "../../chain/port.ts";
import type { Database } from "../../store/database.ts";
import type { Chain } from "../chains/chain.ts";
import { atHour } from "../intents/fixtures.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { createKeeper } from "./keeper.ts";

type Answer = Awaited<ReturnType<ChainSender["payOut"]>>;

const SPLIT = { status: "disputed", disputedAt: atHour(2), outcome: "resolved", refundTotal: "400" } as const;
const paymentOf = (address: string, fields: Partial<ChainPayment>) => anObservedPayment({ address, ...fields }).payment;

/** A keeper over these payments, all of them due by the books; what it sent, logged and asked to be checked. */
function aKeeper(payments: readonly ChainPayment[], answer: (parts: readonly DuePart[]) => Answer) {
  const [sent, logged, checked]: [string[][], string[], string[]] = [[], [], []];
  let resting: readonly unknown[] = [];
  const database = {
    rows: async ({ values }: { readonly values: readonly unknown[] }) => {
      resting = values.find((value) => Array.isArray(value)) as unknown[];
      return payments
        .filter(({ address }) => !resting.includes(address))
        .map(({ address }) => ({ address, now: atHour(3) }));
    },
  } as unknown as Database;
  const reader = {
    fetchPayments: async (addresses: readonly string[]) => ({
      value: addresses.map((address) => payments.find((payment) => payment.address === address)!),
      slot: 1,
      node: 0,
    }),
  };
  const sender: ChainSender = {
    keepTo: () => {},
    payOutMax: 4,
    payOut: async (parts) => {
      sent.push(parts.map(({ payment, side }) => `${payment.address} ${side}`));
      return answer(parts);
    },
  };
  const chain = { environment: "test", reader } as unknown as Chain;
  const onChanged = async (addresses: readonly string[]) => void checked.push(...addresses);
  const step = createKeeper({ database, chain, onChanged }, sender, (message) => logged.push(message));
  return { step: () => step(new AbortController().signal), sent, logged, checked };
}

const SENT: Answer = { kind: "sent", signature: "signature" };

test("both parts of a split leave in one transaction, and the payment then waits for it to land", async () => {
  const keeper = aKeeper([paymentOf("one", SPLIT)], () => SENT);
  assert.equal(await keeper.step(), true);
  assert.equal(await keeper.step(), false);
  assert.deepEqual(keeper.sent, [["one sender", "one recipient"]]);
});

test("a part that cannot reach one side is no reason to keep the other's", async () => {
  const refuse = (parts: readonly DuePart[]): Answer => {
    const part = parts.find(({ side }) => side === "recipient");
    return part === undefined ? SENT : { kind: "refused", part, reason: "destination_missing" };
  };
  const keeper = aKeeper([paymentOf("one", SPLIT)], refuse);
  await keeper.step();
  assert.deepEqual(keeper.sent, [["one sender", "one recipient"], ["one sender"]]);
  assert.deepEqual(keeper.logged, ["A part of the payment one cannot be paid out now: destination_missing."]);
  assert.equal(await keeper.step(), false, "it is tried again later");
});

test("a part that somebody else sent first is no error: the payment is checked", async () => {
  const keeper = aKeeper([paymentOf("one", SPLIT)], ([part]) => ({ kind: "overtaken", part: part! }));
  await keeper.step();
  assert.deepEqual([keeper.checked, keeper.logged], [["one"], []]);
});

test("a payment of which nothing is due on chain is left to the sweep", async () => {
  const keeper = aKeeper([paymentOf("one", {})], () => SENT);
  assert.equal(await keeper.step(), true);
  assert.equal(await keeper.step(), false);
  assert.deepEqual(keeper.sent, []);
});

for (const [state, fields] of [
  ["an undecided payment", {}],
  ["a disputed payment", { status: "disputed", disputedAt: atHour(2) }],
  ["a decided payment", { ...SPLIT, amountReleased: "600" }],
] as const)
  test(`refunds of ${state} unit by unit are sent ever more rarely`, async ({ mock }) => {
    mock.timers.enable({ apis: ["Date"], now: atHour(3) });
    const keeper = aKeeper([paymentOf("one", { refundTotal: "1", ...fields })], () => SENT);
    const waitsS: number[] = [];
    for (let waited = 0; waitsS.length < 3 && waited < 10_000; waited++) {
      if (await keeper.step()) waitsS.push(waited);
      mock.timers.tick(1_000);
    }
    assert.deepEqual(waitsS, [0, 90, 270]);
  });
