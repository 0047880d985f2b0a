import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  acceptArbiterInstruction,
  closePaymentInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  openDisputeInstruction,
  proposeArbiterInstruction,
  refundInstruction,
  refundUnresolvedInstruction,
  releaseInstruction,
  resolveInstruction,
  settleInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  aMint,
  anyAddress,
  aPayment,
  aWorld,
  type Chain,
  give,
  NATIVE_MINT,
  type Paid,
  START,
  type Token,
} from "./chain.ts";

const file = new URL("../compute-units.json", import.meta.url);
const TOLERANCE = 0.1;
const DAY = 86_400n;

const payout = (paid: Paid) => ({ programId: paid.chain.programId, payment: paid.payment, payer: paid.chain.feePayer });
const dispute = (paid: Paid) => openDisputeInstruction({ programId: paid.chain.programId, payment: paid.payment });

/** A payment whose beneficiaries both have token accounts. */
async function aReadyPayment(): Promise<Paid> {
  const paid = await aPayment();
  await give(paid.chain, paid.token, paid.recipient, 0n);
  return paid;
}

async function aDispute(): Promise<Paid> {
  const paid = await aReadyPayment();
  paid.chain.done(dispute(paid));
  return paid;
}

async function creating(token: (chain: Chain) => Token): Promise<number> {
  const { chain, offer } = await aWorld({ token });
  return chain.done(await createPaymentInstruction(offer));
}

async function measure(): Promise<Record<string, number>> {
  const units: Record<string, number> = {};
  const world = await aWorld();
  const { chain, operator } = world;
  const { programId } = chain;
  const [authority, arbiter, next] = [anyAddress(), anyAddress(), anyAddress()];
  const payer = chain.feePayer;
  units.create_operator = chain.done(await createOperatorInstruction({ programId, authority, arbiter, payer }));
  const proposal = { programId, authority: world.authority, arbiter: next };
  units.propose_arbiter = chain.done(await proposeArbiterInstruction(proposal));
  units.accept_arbiter = chain.done(acceptArbiterInstruction({ programId, operator, arbiter: next }));

  units.create_payment = await creating((on) => aMint(on));
  units.create_payment_token_2022 = await creating((on) => aMint(on, TOKEN_2022_PROGRAM_ID));
  const native = { mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM_ID, authority: anyAddress() };
  units.create_payment_wrapped_sol = await creating(() => native);

  const disputed = await aReadyPayment();
  units.open_dispute = disputed.chain.done(dispute(disputed));
  const ruling = { ...payout(disputed), arbiter: disputed.arbiter, to: "recipient" } as const;
  units.resolve = disputed.chain.done(await resolveInstruction(ruling));

  const released = await aReadyPayment();
  units.release = released.chain.done(await releaseInstruction(payout(released)));
  released.chain.setTime(START + 90n * DAY);
  const close = closePaymentInstruction({ programId, payment: released.payment });
  units.close_payment = released.chain.done(close);

  const refunded = await aReadyPayment();
  units.refund = refunded.chain.done(await refundInstruction(payout(refunded)));

  const settled = await aReadyPayment();
  settled.chain.setTime(START + DAY);
  units.settle = settled.chain.done(await settleInstruction(payout(settled)));
  const settledAgain = await aPayment();
  settledAgain.chain.setTime(START + DAY);
  units.settle_creating_the_account = settledAgain.chain.done(await settleInstruction(payout(settledAgain)));
  const settled2022 = await aPayment({ token: (on) => aMint(on, TOKEN_2022_PROGRAM_ID) });
  settled2022.chain.setTime(START + DAY);
  units.settle_creating_the_account_token_2022 = settled2022.chain.done(await settleInstruction(payout(settled2022)));

  const unresolved = await aDispute();
  unresolved.chain.setTime(START + 90n * DAY);
  units.refund_unresolved = unresolved.chain.done(await refundUnresolvedInstruction(payout(unresolved)));
  return units;
}

test("each instruction takes the compute units on record, give or take a tenth (--write records new ones)", async () => {
  const units = await measure();
  if (process.argv.includes("--write")) writeFileSync(file, `${JSON.stringify(units, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  assert.deepEqual(Object.keys(units), Object.keys(recorded));
  for (const [name, taken] of Object.entries(units)) {
    const allowed = recorded[name]! * TOLERANCE;
    assert.ok(Math.abs(taken - recorded[name]!) <= allowed, `${name}: ${taken}, on record ${recorded[name]}`);
  }
});
