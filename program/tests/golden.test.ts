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
  PAYMENT_SPAN_OFFSET,
  type PaymentAccount,
  PROGRAM_ERRORS,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  type TombstoneAccount,
} from "@holdfast/escrow-client";
import { type Address, getAddressDecoder } from "@solana/kit";

const golden = (name: string): Uint8Array =>
  Uint8Array.from(readFileSync(new URL(`../golden/${name}`, import.meta.url)));

/** Makes 32 rising bytes, like the Rust side. */
const key = (first: number): Address =>
  getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_, index) => (first + index) % 256));

const operator: OperatorAccount = {
  kind: "operator",
  bump: 254,
  authority: key(1),
  arbiter: key(40),
  pendingAuthority: null,
  pendingArbiter: null,
};
const payment: PaymentAccount = {
  kind: "payment",
  bump: 253,
  status: "protected",
  period: "sevenDays",
  decimals: 6,
  outcome: null,
  tokenProgram: TOKEN_PROGRAM_ID,
  paymentId: 0x0102030405060708n,
  amount: 2n ** 64n - 2n,
  refundTotal: 0n,
  amountRefunded: 0n,
  amountReleased: 0n,
  createdAt: 1_767_225_600n,
  deadline: 1_767_830_400n,
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  sender: key(2),
  recipient: key(34),
  mint: key(66),
  operator: key(130),
  arbiter: key(40),
  rentPayer: key(162),
  termsHash: null,
};
const bound: PaymentAccount = {
  ...payment,
  tokenProgram: TOKEN_2022_PROGRAM_ID,
  termsHash: Buffer.from(Array.from({ length: 32 }, (_, index) => (200 + index) % 256)).toString("hex"),
};
const disputed: PaymentAccount = { ...bound, status: "disputed", disputedAt: 1_767_300_001n };
const all = payment.amount;
const part = 0x31323334n;
const [settledAt, refundedAt] = [1_767_900_002n, 1_767_900_004n];
const released: PaymentAccount = { ...disputed, status: "released", amountReleased: all, settledAt };
const refunded: PaymentAccount = { ...disputed, status: "refunded", refundTotal: all, amountRefunded: all, refundedAt };
const split = { refundTotal: part, amountRefunded: part, amountReleased: all - part, refundedAt };

const accounts: Readonly<Record<string, PaymentAccount | OperatorAccount | TombstoneAccount>> = {
  operator,
  "operator-pending": { ...operator, pendingAuthority: key(120), pendingArbiter: key(80) },
  "payment-protected": payment,
  "payment-partly-refunded": {
    ...bound,
    refundTotal: 0x21222324n,
    amountRefunded: 0x11121314n,
    refundedAt: 1_767_300_003n,
  },
  "payment-disputed": disputed,
  "payment-decided": { ...disputed, outcome: "resolved", refundTotal: part },
  "payment-released-by-sender": { ...released, outcome: "released_by_sender" },
  "payment-settled": { ...released, outcome: "settled" },
  "payment-resolved": { ...refunded, outcome: "resolved" },
  "payment-split": { ...released, ...split, outcome: "resolved" },
  "payment-refunded-by-recipient": { ...refunded, outcome: "refunded_by_recipient" },
  "payment-refunded-unresolved": { ...refunded, outcome: "refunded_unresolved" },
  tombstone: {
    kind: "tombstone",
    bump: 252,
    status: "released",
    outcome: "resolved",
    paymentId: 0x1112131415161718n,
    amountReleased: all - part,
    amountRefunded: part,
    disputedAt: disputed.disputedAt,
    settledAt,
    refundedAt,
  },
};

for (const [name, account] of Object.entries(accounts)) {
  test(`${name}: the codecs read and write the bytes the Rust code makes`, () => {
    const bytes = golden(`${name}.bin`);
    assert.deepEqual(decodePaymentAccount(bytes), account);
    assert.deepEqual(Uint8Array.from(encodePaymentAccount(account)), bytes);
  });
}

test("the filters' offsets are the operator's and that of created at without its two lowest bytes", () => {
  const bytes = golden("payment-protected.bin");
  assert.equal(bytes.length, PAYMENT_ACCOUNT_SIZE);
  const span = new DataView(bytes.buffer).getBigUint64(PAYMENT_SPAN_OFFSET, true) & 0xffff_ffff_ffffn;
  assert.equal(span, payment.createdAt >> 16n);
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
    bytes.with(1, 1),
    bytes.with(3, 0),
    bytes.with(3, 5),
    bytes.with(4, 6),
    bytes.with(6, 6),
    bytes.with(7, 0),
    bytes.with(7, 3),
    golden("operator.bin").with(0, 3),
    golden("tombstone.bin").with(0, 2),
    golden("tombstone.bin").with(3, 0),
    golden("tombstone.bin").with(4, 0),
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
