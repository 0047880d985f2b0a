import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  decodePaymentAccount,
  encodePaymentAccount,
  findProgramError,
  INSTRUCTION_KINDS,
  instructionKind,
  namesPayment,
  type OperatorAccount,
  PAYMENT_ACCOUNT_SIZE,
  PAYMENT_OPERATOR_OFFSET,
  type PaymentAccount,
  PROGRAM_ERRORS,
  type TombstoneAccount,
} from "@holdfast/escrow-client";
import { type Address, getAddressDecoder } from "@solana/kit";

const golden = (name: string): Uint8Array =>
  Uint8Array.from(readFileSync(new URL(`../golden/${name}`, import.meta.url)));

/** As the Rust side makes them: 32 rising bytes. */
const key = (first: number): Address =>
  getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_, index) => (first + index) % 256));

const operator: OperatorAccount = {
  kind: "operator",
  bump: 254,
  authority: key(1),
  arbiter: key(40),
  pendingArbiter: null,
};
const payment: PaymentAccount = {
  kind: "payment",
  bump: 253,
  status: "protected",
  period: "sevenDays",
  decimals: 6,
  outcome: null,
  paymentId: 0x0102030405060708n,
  amount: 2n ** 64n - 2n,
  createdAt: 1_767_225_600n,
  deadline: 1_767_830_400n,
  disputedAt: null,
  resolvedAt: null,
  sender: key(2),
  recipient: key(34),
  mint: key(66),
  tokenProgram: key(98),
  operator: key(130),
};
const disputed: PaymentAccount = { ...payment, status: "disputed", disputedAt: 1_767_300_001n };
const over: PaymentAccount = { ...disputed, resolvedAt: 1_767_900_002n };
const tombstone: TombstoneAccount = { kind: "tombstone", bump: 252, paymentId: 0x1112131415161718n };

const accounts: Readonly<Record<string, PaymentAccount | OperatorAccount | TombstoneAccount>> = {
  operator,
  "operator-pending": { ...operator, pendingArbiter: key(80) },
  "payment-protected": payment,
  "payment-disputed": disputed,
  "payment-released-by-sender": { ...over, status: "released", outcome: "released_by_sender" },
  "payment-settled": { ...over, status: "released", outcome: "settled" },
  "payment-resolved": { ...over, status: "refunded", outcome: "resolved" },
  "payment-refunded-by-recipient": { ...over, status: "refunded", outcome: "refunded_by_recipient" },
  "payment-refunded-unresolved": { ...over, status: "refunded", outcome: "refunded_unresolved" },
  tombstone,
};

for (const [name, account] of Object.entries(accounts)) {
  test(`${name}: the codecs read and write the bytes the Rust code makes`, () => {
    const bytes = golden(`${name}.bin`);
    assert.deepEqual(decodePaymentAccount(bytes), account);
    assert.deepEqual(Uint8Array.from(encodePaymentAccount(account)), bytes);
  });
}

test("the filter's offset is the operator's", () => {
  const bytes = golden("payment-protected.bin");
  assert.equal(bytes.length, PAYMENT_ACCOUNT_SIZE);
  assert.equal(getAddressDecoder().decode(bytes, PAYMENT_OPERATOR_OFFSET), payment.operator);
});

test("every refusal of the Rust code has its name here, under the same code, and none has more", () => {
  const lines = readFileSync(new URL("../golden/refusals.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const inRust = lines.map((line) => {
    const [code, name] = line.split(" ");
    return [Number(code), name!.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()];
  });
  const here = Object.entries(PROGRAM_ERRORS).map(([code, [name]]) => [Number(code), name]);
  assert.deepEqual(here, inRust);
  assert.equal(findProgramError(7013)?.name, "payment_exists");
  assert.equal(findProgramError(1), null);
});

test("bytes that are no account of the program are nothing", () => {
  const bytes = golden("payment-protected.bin");
  const wrong = [
    new Uint8Array(),
    new Uint8Array(PAYMENT_ACCOUNT_SIZE),
    bytes.subarray(0, -1),
    Uint8Array.from([...bytes, 0]),
    bytes.with(0, 1),
    bytes.with(1, 2),
    bytes.with(3, 0),
    bytes.with(3, 5),
    bytes.with(4, 6),
    bytes.with(6, 6),
    golden("operator.bin").with(0, 3),
    golden("tombstone.bin").with(0, 2),
  ];
  for (const data of wrong) assert.equal(decodePaymentAccount(data), null);
});

test("instruction data names its kind by the first byte", () => {
  for (const [number, kind] of INSTRUCTION_KINDS.entries()) {
    assert.equal(instructionKind(Uint8Array.of(number, 1, 2)), kind);
    assert.equal(namesPayment(kind), number >= 3);
  }
  assert.equal(instructionKind(new Uint8Array()), null);
  assert.equal(instructionKind(Uint8Array.of(INSTRUCTION_KINDS.length)), null);
});
