import assert from "node:assert/strict";
import { test } from "node:test";
import { getBase58Decoder } from "@solana/kit";
import { NodeError } from "./nodeError.ts";
import { anAddress, aSignature, aTransaction, createData, dataOf, operator, programId } from "./testing/chain.ts";
import { parseTransaction } from "./transaction.ts";

const read = (result: unknown) => parseTransaction(result, aSignature, { programId, operator })!;
const payment = anAddress(10);
const other = anAddress(11);
const foreign = { programIdIndex: 0, accounts: [], data: createData };

test("a payment made at the top level is created and touched", () => {
  const { created, touched, slot, failed, blockTime } = read(aTransaction());
  assert.deepEqual([created, touched, slot, failed], [[payment], [payment], 100, false]);
  assert.equal(blockTime?.toISOString(), "2026-11-18T11:06:40.000Z");
});

test("a payment is found by the longest data that the program takes: 90 bytes of create_payment", () => {
  const data = getBase58Decoder().decode(Uint8Array.of(3, ...Array(89).fill(255)));
  const instructions = [{ programIdIndex: 3, accounts: [2, 1, 0], data }];
  assert.ok(data.length > 120);
  assert.deepEqual(read(aTransaction({ message: { instructions } })).created, [payment]);
});

test("a payment made by a call of another program is found, in the order of the calls", () => {
  const accountKeys = [anAddress(2), payment, operator, programId, other];
  const instructions = [foreign, foreign, { programIdIndex: 3, accounts: [2, 1], data: createData }];
  const inner = { index: 1, instructions: [foreign, { programIdIndex: 3, accounts: [2, 4], data: createData }] };
  const { created } = read(
    aTransaction({ message: { accountKeys, instructions }, meta: { innerInstructions: [inner] } }),
  );
  assert.deepEqual(created, [other, payment]);
});

test("accounts from look-up tables are counted after the message's own, writable before read-only", () => {
  const { created } = read(
    aTransaction({
      message: { accountKeys: [programId], instructions: [{ programIdIndex: 0, accounts: [2, 1], data: createData }] },
      meta: { loadedAddresses: { writable: [payment], readonly: [operator] } },
    }),
  );
  assert.deepEqual(created, [payment]);
});

test("every later instruction touches, none of them creates, and payments do not repeat", () => {
  const accountKeys = [anAddress(2), payment, operator, programId, other];
  const instructions = [
    { programIdIndex: 3, accounts: [2, 4], data: dataOf(4) },
    ...[3, 5, 6, 7, 8, 9, 10].map((number) => ({ programIdIndex: 3, accounts: [2, 1], data: dataOf(number) })),
  ];
  const { created, touched } = read(aTransaction({ message: { accountKeys, instructions } }));
  assert.deepEqual([created, touched], [[payment], [other, payment]]);
});

test("what is not a payment instruction of our operator is left out", () => {
  const accountKeys = [anAddress(2), payment, operator, programId, anAddress(99)];
  const instructions = [
    { programIdIndex: 3, accounts: [4, 1], data: createData }, // another operator
    { programIdIndex: 4, accounts: [2, 1], data: createData }, // another program
    { programIdIndex: 3, accounts: [2, 1], data: dataOf(1) }, // of the operator itself
    { programIdIndex: 3, accounts: [2, 1], data: dataOf(11) }, // no instruction
    { programIdIndex: 3, accounts: [2, 1], data: "" },
    { programIdIndex: 3, accounts: [2, 1], data: "2".repeat(1_000) }, // longer than any of ours
  ];
  const { created, touched } = read(aTransaction({ message: { accountKeys, instructions } }));
  assert.deepEqual([created, touched], [[], []]);
});

test("a failed transaction did nothing to payments", () => {
  const { failed, created, touched } = read(
    aTransaction({ meta: { err: { InstructionError: [0, { Custom: 7013 }] } } }),
  );
  assert.deepEqual([failed, created, touched], [true, [], []]);
});

test("a transaction without a block time, or of a version yet to come, is read", () => {
  assert.equal(read({ ...aTransaction(), blockTime: null }).blockTime, null);
  assert.deepEqual(read({ ...aTransaction(), version: 7 }).created, [payment]);
  const { loadedAddresses: _, ...legacy } = aTransaction().meta;
  assert.deepEqual(read({ ...aTransaction(), version: "legacy", meta: legacy }).created, [payment]);
});

const wrongs: readonly [string, unknown][] = [
  ["text", "text"],
  ["no meta", { ...aTransaction(), meta: null }],
  ["no err", aTransaction({ meta: { err: undefined } })],
  ["no inner instructions recorded", aTransaction({ meta: { innerInstructions: null } })],
  ["another transaction", { ...aTransaction(), transaction: { ...aTransaction().transaction, signatures: ["x"] } }],
  ["a fractional slot", aTransaction({ slot: 1.5 })],
  ["a huge slot", aTransaction({ slot: 2 ** 53 })],
  ["a block time beyond all dates", { ...aTransaction(), blockTime: 9e15 }],
  [
    "an index out of range",
    aTransaction({ message: { instructions: [{ programIdIndex: 9, accounts: [], data: "" }] } }),
  ],
  ["no data", aTransaction({ message: { instructions: [{ programIdIndex: 3, accounts: [2, 1] }] } })],
  ["no base58", aTransaction({ message: { instructions: [{ programIdIndex: 3, accounts: [2, 1], data: "0OIl" }] } })],
  [
    "too few accounts",
    aTransaction({ message: { instructions: [{ programIdIndex: 3, accounts: [2], data: createData }] } }),
  ],
  ["calls of no instruction", aTransaction({ meta: { innerInstructions: [{ index: 5, instructions: [] }] } })],
];
for (const [name, result] of wrongs) {
  test(`an answer with ${name} is the node's fault`, () => {
    assert.throws(() => read(result), NodeError);
  });
}
