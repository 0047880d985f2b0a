import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  findTokenAccountAddress,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import fc from "fast-check";
import { inForm } from "../../tests/harness/form.ts";
import { checkTransaction, NETWORK_LAMPORTS_MAX, type ShownPayment, UnexpectedBytesError } from "./index.ts";
import {
  ARBITER,
  BUYER,
  type Draft,
  MINT,
  OPERATOR,
  PROGRAM,
  SHOP,
  SOL,
  SPONSOR,
  THIEF,
  tokens,
  transfer,
  wire,
} from "./testing.ts";

const HASH = "ab".repeat(32);
const VERSIONS = [0, 1] as const;

const TERMS = {
  programId: PROGRAM,
  operator: OPERATOR,
  sender: BUYER,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  paymentId: 4_102_821_404_991_083_692n,
  amount: 24_500_000n,
  period: "sevenDays",
  notAfter: 1_800_000_000n,
  arbiter: ARBITER,
  termsHash: HASH,
} as const;

const shown = (given: Partial<ShownPayment> = {}): ShownPayment => ({
  account: BUYER,
  programId: PROGRAM,
  operator: OPERATOR,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  amount: "24500000",
  period: 3,
  paymentId: "4102821404991083692",
  arbiter: ARBITER,
  expiresAt: 1_800_000_100,
  termsHash: HASH,
  networkLamports: 6_000n,
  ...given,
});

const payment = (given: object = {}) => createPaymentInstruction({ ...TERMS, ...given });
const accountOf = (owner: Address, mint: Address = MINT) =>
  createTokenAccountInstruction({ payer: BUYER, owner, mint, tokenProgram: TOKEN_PROGRAM_ID });

test("§12.7 the payment shown is accepted, with the recipient's account made on the way or not", async () => {
  for (const version of VERSIONS)
    for (const made of [[], [await accountOf(SHOP)]])
      assert.deepEqual(checkTransaction(wire({ version, instructions: [...made, await payment()] }), shown()), {
        notAfter: 1_800_000_000,
        networkLamports: 6_000n,
        isSponsored: false,
        makesTokenAccount: made.length === 1,
        makesPayment: true,
      });
});

test("§12.7 SOL is wrapped where the payment takes it from, and nowhere else", async () => {
  const own = await findTokenAccountAddress({ owner: BUYER, mint: SOL, tokenProgram: TOKEN_PROGRAM_ID });
  const create = await payment({ mint: SOL });
  const wrap = (to: Address, lamports: bigint): Instruction[] => [transfer(BUYER, to, lamports), tokens([17], to)];
  const close = tokens([9], own, BUYER, BUYER);
  const made = await accountOf(BUYER, SOL);
  const page = shown({ mint: SOL });
  checkTransaction(wire({ instructions: [made, ...wrap(own, 24_500_000n), create, close] }), page);
  checkTransaction(wire({ instructions: [...wrap(own, 100n), create] }), page);
  const bad: Readonly<Record<string, Instruction[]>> = {
    "more than the amount": [...wrap(own, 24_500_001n), create],
    "twice the amount": [...wrap(own, 24_500_000n), ...wrap(own, 1n), create],
    "to a thief": [transfer(BUYER, THIEF, 1n), create],
    "closed to a thief": [create, tokens([9], own, THIEF, BUYER)],
    "a transfer of tokens": [create, tokens([3, 1, 0, 0, 0, 0, 0, 0, 0], own, THIEF, BUYER)],
    "an approval": [create, tokens([4, 1, 0, 0, 0, 0, 0, 0, 0], own, THIEF, BUYER)],
    "another owner": [create, tokens([6], own, BUYER)],
  };
  for (const [name, instructions] of Object.entries(bad))
    assert.throws(() => checkTransaction(wire({ instructions }), page), UnexpectedBytesError, name);
});

test("§12.7 every term that differs from what the page shows is refused, by its name", async () => {
  const cases: readonly (readonly [given: object, reason: RegExp])[] = [
    [{ operator: THIEF }, /another site/],
    [{ recipient: THIEF }, /recipient/],
    [{ amount: 24_500_001n }, /amount/],
    [{ mint: SOL }, /token is another/],
    [{ period: "oneHour" }, /period/],
    [{ paymentId: 1n }, /another order/],
    [{ notAfter: 0n }, /after its time/],
    [{ notAfter: 1_800_000_101n }, /after its time/],
    [{ arbiter: SHOP }, /arbiter/],
    [{ termsHash: null }, /terms/],
    [{ programId: THIEF }, /exactly one payment/],
    [{ payer: THIEF }, /somebody else signs/],
    [{ sender: SPONSOR }, /somebody else signs/],
  ];
  for (const [given, reason] of cases) {
    const instructions = [await payment(given)];
    assert.throws(() => checkTransaction(wire({ instructions }), shown()), reason, JSON.stringify(Object.keys(given)));
  }
});

test("§12.7 nothing may stand beside the payment that moves anything or signs for anybody", async () => {
  const create = await payment();
  const release: Instruction = {
    programAddress: PROGRAM,
    accounts: [OPERATOR, THIEF, BUYER].map((one) => ({ address: one, role: AccountRole.WRITABLE })),
    data: Uint8Array.of(6, 0, 0, 0, 0, 0, 0, 0, 0),
  };
  const memo: Instruction = { programAddress: THIEF, accounts: [], data: Uint8Array.of(1) };
  const bad: Readonly<Record<string, Draft>> = {
    "two payments": { instructions: [create, create] },
    "no payment": { instructions: [await accountOf(SHOP)] },
    "a transfer of SOL": { instructions: [create, transfer(BUYER, THIEF, 1n)] },
    "a release of another payment": { instructions: [create, release] },
    "an unknown program": { instructions: [create, memo] },
    "a token account for a thief": { instructions: [await accountOf(THIEF), create] },
    "a fee above the one shown": { instructions: [create], microLamports: 10_001n },
    "a second signer": { instructions: [create], feePayer: SPONSOR },
  };
  for (const [name, draft] of Object.entries(bad)) {
    const page = shown(name === "a second signer" ? { networkLamports: 6_000n } : {});
    for (const version of VERSIONS)
      assert.throws(() => checkTransaction(wire({ ...draft, version }), page), UnexpectedBytesError, name);
  }
});

test("§12.7 a fee beyond all reason is refused, even if the page shows it", async () => {
  const instructions = [await payment()];
  const page = shown({ networkLamports: 1_000_000_000n });
  // With one signature this is 10,000,000 lamports in all; one more is refused.
  for (const version of VERSIONS) {
    const { networkLamports } = checkTransaction(wire({ version, instructions, microLamports: 99_950_000n }), page);
    assert.equal(networkLamports, NETWORK_LAMPORTS_MAX);
    assert.throws(
      () => checkTransaction(wire({ version, instructions, microLamports: 99_950_001n }), page),
      /the network takes far too much/,
    );
  }
});

test("§12.7 only a sponsor that the page names may pay fee and rents, both or neither, in the wallet's place", async () => {
  const page = (sponsors: readonly string[]) => shown({ sponsors, networkLamports: 20_000n });
  const sponsored = wire({ instructions: [await payment({ payer: SPONSOR })], feePayer: SPONSOR });
  const { networkLamports, isSponsored } = checkTransaction(sponsored, page([THIEF, SPONSOR]));
  assert.deepEqual([networkLamports, isSponsored], [11_000n, true]);
  const own = wire({ instructions: [await payment()] });
  checkTransaction(own, page([SPONSOR]));
  const made = await createTokenAccountInstruction({
    payer: BUYER,
    owner: SHOP,
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM_ID,
  });
  const bad: readonly (readonly [what: string, bytes: Uint8Array, sponsors: readonly string[], reason: RegExp])[] = [
    ["no sponsor is named", sponsored, [], /somebody else signs/],
    ["another is named", sponsored, [THIEF], /somebody else signs/],
    ["the buyer pays the rents", wire({ instructions: [await payment()], feePayer: SPONSOR }), [SPONSOR], /deposit/],
    [
      "the sponsor pays the rents alone",
      wire({ instructions: [await payment({ payer: SPONSOR })] }),
      [SPONSOR],
      /somebody else signs/,
    ],
    [
      "the buyer pays for a token account",
      wire({ instructions: [made, await payment({ payer: SPONSOR })], feePayer: SPONSOR }),
      [SPONSOR],
      /another token/,
    ],
    [
      "the buyer's SOL moves",
      wire({ instructions: [await payment({ payer: SPONSOR }), transfer(BUYER, SPONSOR, 1n)], feePayer: SPONSOR }),
      [SPONSOR],
      /moves SOL/,
    ],
  ];
  for (const [what, bytes, sponsors, reason] of bad)
    assert.throws(() => checkTransaction(bytes, page(sponsors)), reason, what);
});

for (const version of VERSIONS)
  test(`§12.7 bytes that are no whole transaction of version ${version} are refused, and none make it fail in another way`, async () => {
    const good = wire({ version, instructions: [await payment()] });
    for (let length = 0; length < good.length; length++)
      assert.throws(() => checkTransaction(good.subarray(0, length), shown()), UnexpectedBytesError);
    assert.throws(() => checkTransaction(Uint8Array.of(...good, 0), shown()), UnexpectedBytesError);
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(changes, (flips) => {
        const bytes = Uint8Array.from(good);
        for (const [at, by] of flips) bytes[at] = bytes[at]! ^ by;
        try {
          checkTransaction(bytes, shown());
        } catch (error) {
          assert.ok(error instanceof UnexpectedBytesError, String(error));
        }
      }),
      { numRuns: inForm({ short: 300, long: 3_000 }) },
    );
  });

for (const version of VERSIONS)
  test(`§12.7 no single changed byte of the payment's own data is accepted in version ${version}, save an earlier end`, async () => {
    const create = await payment();
    const good = wire({ version, instructions: [create] });
    const at = Buffer.from(good).indexOf(Buffer.from(create.data));
    for (let index = 0; index < create.data.length; index++)
      for (const by of [1, 0x80, 0xff]) {
        const bytes = Uint8Array.from(good);
        bytes[at + index] = bytes[at + index]! ^ by;
        const isTime = index >= 18 && index < 26;
        try {
          const { notAfter } = checkTransaction(bytes, shown());
          assert.ok(isTime && notAfter <= shown().expiresAt, `byte ${index}`);
        } catch (error) {
          assert.ok(error instanceof UnexpectedBytesError, String(error));
        }
      }
  });

test("§12.7 version 1 is read up to its limits, and a mask or an account that means nothing is refused by its name", async () => {
  const instructions = [await payment()];
  const good = wire({ version: 1, instructions });
  const changed = (at: number, value: number) => Uint8Array.from(good, (byte, index) => (index === at ? value : byte));
  const longest = (length: number) => {
    const memo = { programAddress: THIEF, data: new Uint8Array(length) };
    return wire({ version: 1, instructions: [memo] });
  };
  const frame = longest(0).length;
  const twice = Uint8Array.from(good).copyWithin(42 + 64, 42 + 32, 42 + 64);
  for (const [bytes, reason] of [
    [longest(4_096 - frame), /exactly one payment/],
    [longest(4_097 - frame), /too long/],
    [changed(1, 13), /too many parts/],
    [changed(40, 65), /too many parts/],
    [changed(41, 65), /too many parts/],
    [changed(4, good[4]! & ~1), /something unknown/],
    [changed(4, good[4]! | 32), /something unknown/],
    [twice, /an account twice/],
    [Uint8Array.of(...good, 0), /after its end/],
  ] as const)
    assert.throws(() => checkTransaction(bytes, shown()), reason);
});
