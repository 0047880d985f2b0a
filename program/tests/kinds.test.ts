import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findPaymentAddress,
  findVaultAddress,
  PAYMENT_ACCOUNT_SIZE,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import { inForm } from "../../tests/harness/form.ts";
import { anyAddress, aWorld, pay, START, tokenAccountOf } from "./chain.ts";
import { ENDINGS, EVERYDAY, GROUPINGS, KINDS, type Kind, OBSTACLES, RENT_CHANGES } from "./kinds/axes.ts";
import { type Case, KindCases, ROLES } from "./kinds/cases.ts";
import { close, DAY, payOut, RETENTION, refund } from "./scenario.ts";

const TOKEN_ACCOUNT_SIZE = 165;

/** The variable KINDS_CASES sets the number of random cases, and then no case is left out below. KINDS_SEED draws other cases. */
const CASES = Number(process.env.KINDS_CASES ?? inForm({ short: 40, long: 400 }));
const isWhole = process.env.KINDS_CASES !== undefined;
const SEED = Number(process.env.KINDS_SEED ?? 1);
const endings = Object.keys(ENDINGS);
/** The short form takes the endings by turns, with another kind of wallet each. */
const TURNS = isWhole ? 1 : inForm({ short: 7, long: 1 });
let [large, turn] = [0, 0];
const isEndingsTurn = (): boolean => turn++ % TURNS === 0;

/** A transaction with ten megabytes takes as long as forty without, so here one such case in six is enough. */
const isLeftOut = (kind: Kind): boolean => kind === "ten megabytes" && !isWhole && large++ % 6 > 0;

test("every ending, with a wallet of every kind in every role, and any of the four being one with another", async () => {
  const cases = await KindCases.create();
  let count = 0;
  for (const grouping of GROUPINGS)
    for (const block of new Set(grouping))
      for (const kind of KINDS)
        for (const ending of endings) {
          count += 1;
          if (!isEndingsTurn() || isLeftOut(kind)) continue;
          const kinds = [0, 1, 2, 3].map((one) => (one === block ? kind : "a key"));
          await cases.run({ ...EVERYDAY, grouping, kinds, ending });
        }
  assert.equal(count, 27 * KINDS.length * endings.length);
});

test("every ending, with a decision made under every obstacle, and wallets of every kind in all roles", async () => {
  const cases = await KindCases.create();
  for (const obstacle of OBSTACLES)
    for (const kind of KINDS)
      for (const ending of endings) {
        if (!isEndingsTurn() || isLeftOut(kind)) continue;
        await cases.run({ ...EVERYDAY, kinds: ROLES.map(() => kind), obstacle, ending });
      }
});

test("every ending, with rent unknown, ten times as high, a tenth or as before between any two steps", async () => {
  const cases = await KindCases.create();
  for (const ending of endings) {
    const gaps = cases.stepsOf(ending) + 1;
    // With five gaps there are a thousand ways, of which a third is enough in each run. An odd stride meets every change in
    // every gap.
    const stride = isWhole ? 1 : inForm({ short: gaps > 3 ? 29 : 5, long: gaps > 4 ? 3 : 1 });
    for (let number = 0; number < RENT_CHANGES.length ** gaps; number += stride) {
      const rents = Array.from({ length: gaps }, (_, gap) => {
        return RENT_CHANGES[Math.floor(number / RENT_CHANGES.length ** gap) % RENT_CHANGES.length]!;
      });
      // An emptied rent payer, to whom every change of the price matters.
      await cases.run({ ...EVERYDAY, kinds: ["a key", "a key", "emptied", "a key"], ending, rents });
    }
  }
});

test("where record and vault are paid for beforehand, any account may be the rent payer, and has the rents back", async () => {
  for (const kind of ["the mint", "a token account", "nobody's account"] as const) {
    const world = await aWorld();
    const { chain, token, offer, sender } = world;
    const payer = { "the mint": token.mint, "a token account": await tokenAccountOf(token, sender) }[kind as string];
    const at = await findPaymentAddress(offer);
    const vaultAt = await findVaultAddress({ ...offer, payment: at });
    chain.fund(at, chain.rent(PAYMENT_ACCOUNT_SIZE));
    chain.fund(vaultAt, chain.rent(TOKEN_ACCOUNT_SIZE));
    const paid = await pay(world, { payer: payer ?? anyAddress() });
    const { rentPayer } = paid.payment;
    const before = chain.balance(rentPayer);
    chain.done(refund(paid, 1n), await payOut(paid, "sender"));
    chain.setTime(START + DAY);
    chain.done(await payOut(paid, "recipient"));
    chain.setTime(START + DAY + RETENTION);
    chain.done(await close(paid));
    const rents = chain.rent(PAYMENT_ACCOUNT_SIZE) + chain.rent(TOKEN_ACCOUNT_SIZE);
    assert.equal(chain.balance(rentPayer) - before, rents - chain.rent(TOMBSTONE_ACCOUNT_SIZE), kind);
  }
});

test(`any ending with anybody's wallet of any kind, any obstacle and any rents (${CASES} at random)`, async () => {
  const cases = await KindCases.create();
  const random = numbers(SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[random() % items.length]!;
  for (let count = 0; count < CASES; count += 1) {
    const one: Case = {
      grouping: pick(GROUPINGS),
      kinds: ROLES.map(() => pick(KINDS.filter((kind) => !isLeftOut(kind)))),
      ending: pick(endings),
      obstacle: pick(OBSTACLES),
      rents: Array.from({ length: 6 }, () => pick(RENT_CHANGES)),
    };
    await cases.run(one);
    if (count % 10_000 === 9_999) console.log(`${count + 1} cases`);
  }
});

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
