import assert from "node:assert/strict";
import { test } from "node:test";
import { TOMBSTONE_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import { FeatureSet } from "litesvm";
import { inForm } from "../../tests/harness/form.ts";
import { AMOUNT, aPayment, type Chain, FUNDS, START, type Token } from "./chain.ts";
import { known, mainnetAnd, readMainnetFeatures } from "./features.ts";
import { aPyusdMint, TOKENS } from "./mints.ts";
import { close, DAY, dispute, has, payOut, RETENTION, refund, resolve } from "./scenario.ts";

const PART = 10_000_000n;

/** Made, refunded in part, disputed, split, paid out and closed. */
async function live(features: FeatureSet, token: (chain: Chain) => Token): Promise<void> {
  const paid = await aPayment({ features, token });
  const { chain, sender, recipient } = paid;
  chain.done(refund(paid, 1n), await payOut(paid, "sender"), dispute(paid), resolve(paid, PART));
  chain.setTime(START + DAY);
  chain.done(await payOut(paid, "recipient"), await payOut(paid, "sender"));
  assert.deepEqual([await has(paid, sender), await has(paid, recipient)], [FUNDS - AMOUNT + PART, AMOUNT - PART]);
  chain.setTime(START + DAY + RETENTION);
  chain.done(await close(paid));
  assert.equal(chain.data(paid.payment.address)!.length, TOMBSTONE_ACCOUNT_SIZE);
}

const all = new Set(known());
const active = new Set(readMainnetFeatures().active.map(([feature]) => feature));
/** Two are for tests of the runtime, and forbid the very programs that are tested with. */
const inactive = [...all].filter((feature) => !active.has(feature) && !feature.startsWith("TestFeature"));

test("the list of mainnet's features names features that this runtime has", () => {
  assert.deepEqual(
    [...active].filter((feature) => !all.has(feature)),
    [],
  );
  assert.ok(inactive.length > 0, "else it says nothing of mainnet");
});

for (const [name, token] of Object.entries({ ...TOKENS, PYUSD: aPyusdMint })) {
  test(`${name}: a payment lives its whole life with mainnet's features, and with all`, async () => {
    await live(mainnetAnd(), token);
    await live(FeatureSet.allEnabled(), token);
  });
}

/** The short form takes them in turn with all at once, above. */
const TRIED = inForm({ short: inactive.filter((_, index) => index % 5 === 0), long: inactive });

test("a payment lives its whole life with each feature that mainnet has not yet, by itself", async () => {
  for (const feature of TRIED) await live(mainnetAnd(feature), TOKENS["SPL Token"]!);
});
