import assert from "node:assert/strict";
import { test } from "node:test";
import { PAYMENT_ACCOUNT_SIZE, TOMBSTONE_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import { RENT_PRICE } from "./chain.ts";
import { measureRent, measureTransactions } from "./costs/measure.ts";
import { TOKEN_ACCOUNT_SIZE } from "./scenario.ts";

const BYTES_MAX = 1_232;
/** Wallets put checks of their own into what they sign. */
const LEFT_FOR_WALLETS = 250;
/** Without a limit of its own an instruction may take 200,000. */
const UNITS_MAX = 100_000;

test("every transaction leaves wallets 250 bytes for checks of their own, and takes half of what it may", async () => {
  for (const [name, { units, bytes }] of Object.entries(await measureTransactions())) {
    assert.ok(BYTES_MAX - bytes >= LEFT_FOR_WALLETS, `${name}: ${bytes} bytes`);
    assert.ok(units <= UNITS_MAX, `${name}: ${units} compute units`);
  }
});

test("the rent payer is without the vault's rent until the payout, the record's for 90 days, and the tombstone's for ever", async () => {
  const minimum = (size: number) => (128n + BigInt(size)) * RENT_PRICE;
  const forEver = minimum(TOMBSTONE_ACCOUNT_SIZE);
  assert.deepEqual(await measureRent(), {
    forEver,
    for90Days: minimum(PAYMENT_ACCOUNT_SIZE) - forEver,
    untilThePayout: minimum(TOKEN_ACCOUNT_SIZE),
  });
});
