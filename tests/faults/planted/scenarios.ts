import { actOnPayment } from "@holdfast/devnet/buyer.ts";
import type { Intent } from "../../../server/features/intents/intent.ts";
import type { SteppedService } from "../steppedService.ts";

/** A short scenario in which a bug of one kind shows; without the bug the checker finds nothing. */
export type Scenario = (stepped: SteppedService) => Promise<unknown>;

const PAYMENTS = 8;
const DAY_SECONDS = 86_400;

async function createMany(stepped: SteppedService, count = PAYMENTS) {
  const intents = [];
  for (let at = 0; at < count; at++) intents.push(await stepped.create());
  return intents;
}

/** Payments are made one after the other, and only the sweep finds them. */
export const swept: Scenario = async (stepped) => {
  for (const intent of await createMany(stepped)) {
    await stepped.pay(intent);
    stepped.tick();
  }
  await keepTrying(stepped, stepped.settle);
};

/** For each intent, the payments of two late buyers are confirmed at the same moment. */
export const racing: Scenario = async (stepped) => {
  const { "buyer-2": second, "buyer-3": third } = stepped.net.wallets;
  const intents = await createMany(stepped);
  const first = [];
  const late: { readonly intent: Intent; readonly signature: string }[] = [];
  for (const intent of intents) {
    first.push({ intent, ...(await stepped.pay(intent)) });
    for (const buyer of [second, third]) late.push({ intent, ...(await stepped.pay(intent, buyer)) });
  }
  stepped.tick(2);
  // The sweep finds the payments that the database refuses here.
  const confirmAll = (made: typeof late) =>
    Promise.allSettled(made.map(({ intent, signature }) => stepped.confirm(intent, signature)));
  await confirmAll(first);
  await confirmAll(late);
  await stepped.settle();
};

/** A payment is bound and dropped by a fork, with two duplicates waiting. */
export const forked: Scenario = async (stepped) => {
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  stepped.tick(2);
  await stepped.confirm(intent, signature);
  stepped.net.controls.drop(signature);
  await stepped.pay(intent, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  await stepped.pay(intent, stepped.net.wallets["buyer-3"]);
  await stepped.settle();
  stepped.tick(32);
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
};

/** A dispute that a fork takes back. */
export const undisputed: Scenario = async (stepped) => {
  const { payment } = await stepped.pay(await stepped.create());
  await stepped.settle();
  const buyer = stepped.net.wallets["buyer-1"];
  const { signature } = await actOnPayment(stepped.net, buyer, "dispute", payment as never, { until: "none" });
  stepped.tick(2);
  await stepped.catchUp();
  stepped.net.controls.drop(signature);
  stepped.tick(32);
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
};

/** A node of two has lost an account and its transaction. */
export const ignorant: Scenario = async (stepped) => {
  const intent = await stepped.create();
  const { signature, payment } = await stepped.pay(intent);
  stepped.tick(2);
  await stepped.confirm(intent, signature);
  stepped.net.controls.faults({ mode: "ignorant", node: "one", names: [payment, signature] });
  stepped.tick(32);
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
  stepped.net.controls.faults({ mode: "none" });
};

/** Two creates ask for the same reference. */
export const askedTwice: Scenario = async (stepped) => {
  await stepped.create("order-of-two");
  await stepped.create("order-of-two").catch(() => null);
};

/** An intent is canceled, and paid nevertheless. */
export const canceled: Scenario = async (stepped) => {
  const intent = await stepped.create();
  await stepped.cancel(intent);
  await stepped.advance(2);
  await stepped.pay(intent);
  await stepped.settle();
};

/** The payment is disputed and resolved between two reads of the service. */
export const jumped: Scenario = async (stepped) => {
  const { "buyer-1": buyer, arbiter } = stepped.net.wallets;
  const intent = await stepped.create();
  const { payment } = await stepped.pay(intent);
  stepped.tick(2);
  for (const [wallet, action] of [
    [buyer, "dispute"],
    [arbiter, "resolve_refund"],
  ] as const) {
    await actOnPayment(stepped.net, wallet, action, payment as never, { until: "none" });
    stepped.tick(2);
  }
  await stepped.settle();
};

/** An intent expires unpaid, with its event. */
export const expired: Scenario = async (stepped) => {
  for (const _ of await createMany(stepped, 3)) await stepped.advance(30_000);
  await stepped.advance(90_000);
  stepped.tick(20);
  // The watermark moves with the pass after the one that found nothing unread.
  await stepped.catchUp();
  await stepped.catchUp();
  await stepped.expire();
};

/** Payments are due together, and the first is disputed at the last moment. */
export const obstructed: Scenario = async (stepped) => {
  const { "buyer-1": buyer } = stepped.net.wallets;
  const [first, ...others] = await createMany(stepped, 4);
  const { payment } = await stepped.pay(first!);
  await stepped.advance(60);
  for (const intent of others) await stepped.pay(intent, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  await stepped.advance(DAY_SECONDS - 900);
  await actOnPayment(stepped.net, buyer, "dispute", payment as never, { until: "none" });
  stepped.tick(2);
  await stepped.advance(1_000);
  stepped.tick(2);
  // The books do not have the dispute yet.
  await stepped.announceSettleable();
  await stepped.settle();
};

/** A failed step is tried again, like in the loops. */
async function keepTrying(stepped: SteppedService, step: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 3; tries++) await step.call(stepped).catch(() => null);
}
