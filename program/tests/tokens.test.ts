import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  findPaymentAddress,
  findVaultAddress,
  payOutInstructions,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  AMOUNT,
  aMint,
  anotherAccount,
  aPayment,
  aWorld,
  FUNDS,
  freeze,
  give,
  giveTo,
  pay,
  START,
  thaw,
  tokenAccountOf,
  transferLamports,
} from "./chain.ts";
import { TOKENS } from "./mints.ts";
import { closeTokenAccount, DAY, dispute, has, payOut, refund, release, resolve } from "./scenario.ts";

const PART = 10_000_000n;

for (const [name, token] of Object.entries(TOKENS)) {
  const isNative = name.includes("wrapped SOL");

  test(`${name}: in, and out to each side, to the last unit`, async () => {
    const world = await aWorld({ token });
    const { chain } = world;
    const refunded = await pay(world);
    assert.equal(await has(refunded, world.sender), FUNDS - AMOUNT);
    chain.done(refund(refunded, AMOUNT), await payOut(refunded, "sender"));
    assert.equal(await has(refunded, world.sender), FUNDS);

    const settled = await pay(world, { paymentId: 2n });
    chain.setTime(START + DAY);
    chain.done(await payOut(settled, "recipient"));
    assert.deepEqual([await has(settled, world.sender), await has(settled, world.recipient)], [FUNDS - AMOUNT, AMOUNT]);
    for (const paid of [refunded, settled]) assert.equal(chain.exists(paid.vault), false);
  });

  test(`${name}: split in either order, each side its part to the last unit`, async () => {
    for (const order of [["sender", "recipient"] as const, ["recipient", "sender"] as const]) {
      const paid = await aPayment({ token });
      const { chain, sender, recipient } = paid;
      chain.done(dispute(paid), resolve(paid, PART));
      for (const side of order) chain.done(await payOut(paid, side));
      assert.deepEqual([await has(paid, sender), await has(paid, recipient)], [FUNDS - AMOUNT + PART, AMOUNT - PART]);
      assert.equal(chain.exists(paid.vault), false);
    }
  });

  test(`${name}: dust sent to the vault before the payment does not count as its amount`, async () => {
    const world = await aWorld({ token });
    const { chain } = world;
    const payment = await findPaymentAddress(world.offer);
    assert.equal(await give(chain, world.token, payment, 7n), await findVaultAddress({ ...world.offer, payment }));
    const paid = await pay(world);
    assert.deepEqual([chain.payment(payment).amount, chain.tokens(paid.vault)], [AMOUNT, AMOUNT + 7n]);
    chain.done(release(paid), await payOut(paid, "recipient"));
    // Native dust is lamports, and leaves with the rent.
    assert.equal(await has(paid, paid.recipient), isNative ? AMOUNT : AMOUNT + 7n);
    assert.equal(chain.exists(paid.vault), false);
  });

  test(`${name}: dust sent to the vault later leaves with the last part, and no earlier`, async () => {
    const paid = await aPayment({ token });
    const { chain, sender, recipient } = paid;
    giveTo(chain, paid.token, paid.vault, 9n);
    chain.done(transferLamports(chain.feePayer, paid.vault, 11n));
    chain.done(refund(paid, PART), release(paid), await payOut(paid, "sender"));
    assert.equal(await has(paid, sender), FUNDS - AMOUNT + PART);
    const before = chain.balance(sender) + chain.balance(paid.vault);
    chain.done(await payOut(paid, "recipient"));
    assert.equal(await has(paid, recipient), AMOUNT - PART + (isNative ? 0n : 9n));
    assert.equal(chain.exists(paid.vault), false);
    const left = isNative ? AMOUNT - PART : 0n;
    assert.equal(chain.balance(sender), before - left, "the vault's lamports are the rent payer's");
  });

  test(`${name}: what comes into a vault after the payout is swept to who was paid`, async () => {
    for (const side of ["recipient", "sender"] as const) {
      const paid = await aPayment({ token });
      const { chain } = paid;
      const owner = paid[side];
      chain.done(side === "sender" ? refund(paid, AMOUNT) : release(paid), await payOut(paid, side));
      const before = await has(paid, owner);
      await give(chain, paid.token, paid.payment.address, 13n);
      const held = [chain.balance(paid.payment.address), chain.balance(paid.sender), chain.balance(paid.vault)];
      chain.done(await payOut(paid, side));
      assert.equal(await has(paid, owner), before + 13n);
      assert.equal(chain.exists(paid.vault), false);
      assert.equal(chain.balance(paid.payment.address), held[0]);
      assert.equal(chain.balance(paid.sender), held[1]! + held[2]! - (isNative ? 13n : 0n));
      assert.equal(chain.refused(await payOut(paid, side)), "already_paid_out");
    }
  });

  test(`${name}: an empty vault made again is closed without a destination`, async () => {
    const paid = await aPayment({ token });
    const { chain } = paid;
    chain.done(release(paid), await payOut(paid, "recipient"));
    await give(chain, paid.token, paid.payment.address, 0n);
    await closeTokenAccount(chain, paid.token, paid.recipient);
    chain.done(await payOut(paid, "recipient"));
    assert.equal(chain.exists(paid.vault), false);
  });

  test(`${name}: the client's whole payout makes a missing account and shows all of it`, async () => {
    const paid = await aPayment({ token });
    const { chain, recipient } = paid;
    await closeTokenAccount(chain, paid.token, recipient);
    chain.setTime(START + DAY);
    const payout = { programId: chain.programId, payment: paid.payment, side: "recipient" } as const;
    chain.done(...(await payOutInstructions({ ...payout, accountPayer: chain.feePayer })));
    assert.equal(await has(paid, recipient), AMOUNT);
  });
}

test("a vault address that was sent lamports before can still become the vault", async () => {
  const world = await aWorld();
  const payment = await findPaymentAddress(world.offer);
  const vault = await findVaultAddress({ ...world.offer, payment });
  world.chain.fund(vault, 1_000_000n);
  const paid = await pay(world);
  assert.equal(world.chain.tokens(paid.vault), AMOUNT);
});

test("a frozen token account delays its owner's part until it is thawed, and nobody else's", async () => {
  const paid = await aPayment();
  const { chain, token, recipient, sender } = paid;
  const account = await tokenAccountOf(token, recipient);
  chain.done(freeze(token, account), refund(paid, PART));
  chain.setTime(START + DAY);
  assert.equal(chain.refused(await payOut(paid, "recipient")), "destination_frozen");
  assert.equal(chain.payment(paid.payment.address).outcome, null);
  chain.done(await payOut(paid, "sender"));
  assert.equal(await has(paid, sender), FUNDS - AMOUNT + PART);
  chain.done(thaw(token, account), await payOut(paid, "recipient"));
  assert.equal(chain.tokens(account), AMOUNT - PART);
});

test("a beneficiary who signs takes their part into any token account of that mint they own", async () => {
  for (const side of ["recipient", "sender"] as const) {
    const paid = await aPayment();
    const { chain, token } = paid;
    chain.done(freeze(token, await tokenAccountOf(token, paid[side])));
    chain.done(dispute(paid), resolve(paid, PART));
    assert.equal(chain.refused(await payOut(paid, side)), "destination_frozen");
    const destination = anotherAccount(chain, token, paid[side]);
    chain.done(await payOut(paid, side, { destination }));
    assert.equal(chain.tokens(destination), side === "sender" ? PART : AMOUNT - PART);
  }
});

test("a mint's accounts that begin frozen cannot be paid in", async () => {
  const world = await aWorld({ token: (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID) });
  const { chain, token, offer } = world;
  const payment = await findPaymentAddress(offer);
  chain.done(await createTokenAccountInstruction({ ...token, payer: chain.feePayer, owner: payment }));
  chain.done(freeze(token, await findVaultAddress({ ...offer, payment })));
  assert.match(chain.refused(await createPaymentInstruction(offer)), /Custom\(17\)/, "the token program's own refusal");
});
