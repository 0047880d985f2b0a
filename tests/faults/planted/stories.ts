import { actOnPayment } from "@holdfast/devnet/buyer.ts";
import type { Intent } from "../../../server/features/intents/intent.ts";
import type { Stage } from "../steppedService.ts";

/** A short scenario in which a bug of one kind shows; without the bug the checker finds nothing. */
export type Scenario = (stage: Stage) => Promise<unknown>;

const PAYMENTS = 8;

async function createMany(stage: Stage, count = PAYMENTS) {
  const intents = [];
  for (let at = 0; at < count; at++) intents.push(await stage.create());
  return intents;
}

/** Paid one after the other, found by the sweep alone. */
export const swept: Scenario = async (stage) => {
  for (const intent of await createMany(stage)) {
    await stage.pay(intent);
    stage.tick();
  }
  await keepTrying(stage, stage.settle);
};

/** Of each intent, two late buyers' payments confirmed at the same moment. */
export const racing: Scenario = async (stage) => {
  const { "buyer-2": second, "buyer-3": third } = stage.net.wallets;
  const intents = await createMany(stage);
  const first = [];
  const late: { readonly intent: Intent; readonly signature: string }[] = [];
  for (const intent of intents) {
    first.push({ intent, ...(await stage.pay(intent)) });
    for (const buyer of [second, third]) late.push({ intent, ...(await stage.pay(intent, buyer)) });
  }
  stage.tick(2);
  // What the database refuses is found by the sweep.
  const confirmAll = (made: typeof late) =>
    Promise.allSettled(made.map(({ intent, signature }) => stage.confirm(intent, signature)));
  await confirmAll(first);
  await confirmAll(late);
  await stage.settle();
};

/** Bound, dropped by a fork, with two duplicates waiting. */
export const forked: Scenario = async (stage) => {
  const intent = await stage.create();
  const { signature } = await stage.pay(intent);
  stage.tick(2);
  await stage.confirm(intent, signature);
  stage.net.controls.drop(signature);
  await stage.pay(intent, stage.net.wallets["buyer-2"]);
  await stage.settle();
  await stage.pay(intent, stage.net.wallets["buyer-3"]);
  await stage.settle();
  stage.tick(32);
  for (let reads = 0; reads < 3; reads++) await stage.finalize();
};

/** One node of two has lost an account and its transaction. */
export const ignorant: Scenario = async (stage) => {
  const intent = await stage.create();
  const { signature, payment } = await stage.pay(intent);
  stage.tick(2);
  await stage.confirm(intent, signature);
  stage.net.controls.faults({ mode: "ignorant", node: "one", names: [payment, signature] });
  stage.tick(32);
  for (let reads = 0; reads < 3; reads++) await stage.finalize();
  stage.net.controls.faults({ mode: "none" });
};

/** Asked for twice under one reference. */
export const askedTwice: Scenario = async (stage) => {
  await stage.create("order-of-two");
  await stage.create("order-of-two").catch(() => null);
};

/** Canceled, and paid all the same. */
export const canceled: Scenario = async (stage) => {
  const intent = await stage.create();
  await stage.cancel(intent);
  await stage.advance(2);
  await stage.pay(intent);
  await stage.settle();
};

/** Disputed and resolved before anybody looked. */
export const jumped: Scenario = async (stage) => {
  const { "buyer-1": buyer, arbiter } = stage.net.wallets;
  const intent = await stage.create();
  const { payment } = await stage.pay(intent);
  stage.tick(2);
  for (const [wallet, action] of [
    [buyer, "dispute"],
    [arbiter, "resolve_refund"],
  ] as const) {
    await actOnPayment(stage.net, wallet, action, payment as never, { until: "none" });
    stage.tick(2);
  }
  await stage.settle();
};

/** Expired unpaid, and told so. */
export const expired: Scenario = async (stage) => {
  for (const _ of await createMany(stage, 3)) await stage.advance(30_000);
  await stage.advance(90_000);
  stage.tick(20);
  // The watermark moves with the pass after the one that found nothing unread.
  await stage.catchUp();
  await stage.catchUp();
  await stage.expire();
};

/** A step that fails is tried again, as the loops do. */
async function keepTrying(stage: Stage, step: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 3; tries++) await step.call(stage).catch(() => null);
}
