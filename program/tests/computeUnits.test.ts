import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  acceptInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  NATIVE_MINTS,
  proposeInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  AMOUNT,
  aMint,
  anyAddress,
  aPayment,
  aWorld,
  type Chain,
  give,
  type Paid,
  START,
  type Token,
} from "./chain.ts";
import { close, DAY, dispute, payOut, RETENTION, refund, release, resolve } from "./scenario.ts";

const file = new URL("../compute-units.json", import.meta.url);
const TOLERANCE = 0.1;
const PART = 10n;

async function creating(token: (chain: Chain) => Token): Promise<number> {
  const { chain, offer } = await aWorld({ token });
  return chain.done(await createPaymentInstruction(offer));
}

/** Somebody made the vault of a finished payment again and put tokens into it. */
async function sweeping(paid: Paid): Promise<number> {
  await give(paid.chain, paid.token, paid.payment.address, AMOUNT);
  return paid.chain.done(await payOut(paid, "recipient"));
}

async function measure(): Promise<Record<string, number>> {
  const units: Record<string, number> = {};
  const world = await aWorld();
  const { chain, operator } = world;
  const { programId } = chain;
  const [authority, arbiter, next] = [anyAddress(), anyAddress(), anyAddress()];
  const payer = chain.feePayer;
  units.create_operator = chain.done(await createOperatorInstruction({ programId, authority, arbiter, payer }));
  const role = { programId, operator, role: "arbiter" } as const;
  units.propose = chain.done(proposeInstruction({ ...role, authority: world.authority, key: next }));
  units.accept = chain.done(acceptInstruction({ ...role, key: next }));

  units.create_payment = await creating((on) => aMint(on));
  units.create_payment_token_2022 = await creating((on) => aMint(on, TOKEN_2022_PROGRAM_ID));
  const native = { mint: NATIVE_MINTS[0]!, tokenProgram: TOKEN_PROGRAM_ID, authority: anyAddress() };
  units.create_payment_wrapped_sol = await creating(() => native);

  const disputed = await aPayment();
  units.open_dispute = disputed.chain.done(dispute(disputed));
  units.resolve = disputed.chain.done(resolve(disputed, PART));
  const released = await aPayment();
  units.refund = released.chain.done(refund(released, PART));
  units.release = released.chain.done(release(released, PART));

  const kinds = [
    ["", (on: Chain) => aMint(on)],
    ["_token_2022", (on: Chain) => aMint(on, TOKEN_2022_PROGRAM_ID)],
    ["_wrapped_sol", () => native],
  ] as const;
  for (const [name, token] of kinds) {
    const paid = await aPayment({ token });
    paid.chain.done(refund(paid, PART));
    units[`pay_out_part${name}`] = paid.chain.done(await payOut(paid, "sender"));
    paid.chain.setTime(START + DAY);
    units[`pay_out_last${name}`] = paid.chain.done(await payOut(paid, "recipient"));
    if (name === "") units.pay_out_sweep = await sweeping(paid);
    paid.chain.setTime(START + DAY + RETENTION);
    units[`close_payment${name}`] = paid.chain.done(await close(paid));
  }
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
