import assert from "node:assert/strict";
import { test } from "node:test";
import { refundInstruction, resolveInstruction, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { UnexpectedBytesError } from "./message.ts";
import { checkRuling, type ShownRuling } from "./ruling.ts";
import { ARBITER, anAddress, BUYER, MINT, OPERATOR, PROGRAM, SHOP, THIEF, transfer, wire } from "./testing.ts";

const PAYMENT = anAddress(200);
const HASH = "ab".repeat(32);
const ref = {
  ...{ address: PAYMENT, operator: OPERATOR, sender: BUYER, recipient: SHOP, mint: MINT },
  ...{ tokenProgram: TOKEN_PROGRAM_ID, arbiter: ARBITER, rentPayer: BUYER },
};
const SHOWN: ShownRuling = {
  ...{ arbiter: ARBITER, programId: PROGRAM, operator: OPERATOR, payment: PAYMENT, total: "12500000", memo: HASH },
};
const resolve = (given: Partial<typeof ref> = {}, total = 12_500_000n) =>
  resolveInstruction({ programId: PROGRAM, payment: { ...ref, ...given }, total });
const memo = (text: string, ...signers: readonly Address[]): Instruction => ({
  programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
  accounts: signers.map((one) => ({ address: one, role: AccountRole.READONLY_SIGNER })),
  data: new TextEncoder().encode(text),
});
const check = (instructions: readonly Instruction[], shown: Partial<ShownRuling> = {}, feePayer: Address = ARBITER) =>
  checkRuling(wire({ instructions, feePayer }), { ...SHOWN, ...shown });

test("§17 a ruling has the decision and the hash of its record as the memo of the arbiter, and costs the network's fee", () => {
  const whole = [resolve(), memo(HASH, ARBITER)];
  assert.deepEqual(check(whole, { networkLamports: 6_000n }), { networkLamports: 6_000n });
  assert.throws(() => check(whole, { networkLamports: 5_999n }), /takes more than shown/);
});

test("§17 bytes that rule anything else, name another record or do more are refused", () => {
  const whole = [resolve(), memo(HASH, ARBITER)];
  for (const [why, instructions, shown] of [
    ["another total", whole, { total: "12500001" }],
    ["another payment", whole, { payment: THIEF }],
    ["another site", whole, { operator: THIEF }],
    ["another program", whole, { programId: THIEF }],
    ["another arbiter", whole, { arbiter: THIEF }],
    ["another record", whole, { memo: HASH.replace("a", "b") }],
    ["no memo", [resolve()], {}],
    ["no decision", [memo(HASH, ARBITER)], {}],
    ["a memo of nobody", [resolve(), memo(HASH)], {}],
    ["a memo of another signer", [resolve(), memo(HASH, THIEF)], {}],
    ["two memos", [...whole, memo("0".repeat(64), ARBITER)], {}],
    ["two decisions", [resolve(), ...whole], {}],
    ["a decision for another payment", [resolve({ address: THIEF }), memo(HASH, ARBITER)], {}],
    ["a transfer", [...whole, transfer(ARBITER, THIEF, 1n)], {}],
    [
      "a refund",
      [
        refundInstruction({ programId: PROGRAM, payment: { ...ref, recipient: ARBITER }, total: 12_500_000n }),
        whole[1]!,
      ],
      {},
    ],
  ] as const)
    assert.throws(() => check(instructions, shown), UnexpectedBytesError, why);
  assert.throws(() => check(whole, {}, THIEF), UnexpectedBytesError, "another fee payer");
});
