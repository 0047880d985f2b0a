import assert from "node:assert/strict";
import { test } from "node:test";
import { asVersion1, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  openDisputeInstruction,
  type PaymentRef,
  payOutInstruction,
  refundInstruction,
  releaseInstruction,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import fc from "fast-check";
import { inForm } from "../../../tests/harness/form.ts";
import { checkSponsored } from "./sponsored.ts";
import { anAddress, operator, programId } from "./testing/chain.ts";

const [SPONSOR, BUYER, SHOP, MINT, ARBITER, THIEF] = [11, 12, 13, 14, 15, 16].map(anAddress) as [
  Address,
  ...Address[],
] &
  Record<1 | 2 | 3 | 4 | 5, Address>;
const SYSTEM = address("11111111111111111111111111111111");
const BUDGET = address("ComputeBudget111111111111111111111111111111");
const LIGHTHOUSE = address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95");
const ED25519 = address("Ed25519SigVerify111111111111111111111111111");
const RECENT_BLOCKHASHES = address("SysvarRecentB1ockHashes11111111111111111111");
const [UNITS, PRICE] = [100_000, 10_000n];

const PAYMENT = {
  programId,
  operator,
  sender: BUYER,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  paymentId: 4_102_821_404_991_083_692n,
  amount: 24_500_000n,
  period: "sevenDays",
  notAfter: 1_800_000_000n,
  arbiter: ARBITER,
  termsHash: "ab".repeat(32),
  payer: SPONSOR,
} as const;
const create = await createPaymentInstruction(PAYMENT);
const other = await createPaymentInstruction({ ...PAYMENT, paymentId: 7n });

interface Draft {
  readonly instructions: readonly Instruction[];
  readonly feePayer?: Address;
  readonly version?: 0 | "legacy";
  readonly blockhashOf?: Address;
}

const compile = ({ instructions, feePayer = SPONSOR, version = 0, blockhashOf = SHOP }: Draft): string =>
  getBase64EncodedWireTransaction(
    compileTransaction(
      pipe(
        createTransactionMessage({ version }),
        (empty) => setTransactionMessageFeePayer(feePayer, empty),
        (paid) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: blockhash(blockhashOf), lastValidBlockHeight: 1n },
            paid,
          ),
        (timed) => appendTransactionMessageInstructions(instructions, timed),
      ),
    ),
  );

const little = (kind: number, size: number, value: bigint) =>
  Uint8Array.from({ length: size }, (_, at) => (at === 0 ? kind : Number((value >> BigInt(8 * (at - 1))) & 255n)));
const limit = (units: number): Instruction => ({ programAddress: BUDGET, data: little(2, 5, BigInt(units)) });
const price = (microLamports: bigint): Instruction => ({ programAddress: BUDGET, data: little(3, 9, microLamports) });
const BUILT = compile({ instructions: [limit(UNITS), price(PRICE), create] });

const metas = (role: AccountRole, ...accounts: readonly Address[]) => accounts.map((one) => ({ address: one, role }));
const guard = (kind: number, ...accounts: readonly Address[]): Instruction => ({
  programAddress: LIGHTHOUSE,
  accounts: metas(AccountRole.READONLY, ...accounts),
  data: Uint8Array.of(kind, 1, 2, 3),
});
const transfer = (from: Address, to: Address): Instruction => ({
  programAddress: SYSTEM,
  accounts: [...metas(AccountRole.WRITABLE_SIGNER, from), ...metas(AccountRole.WRITABLE, to)],
  data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
});
const call = (kind: number, ...accounts: readonly Address[]): Instruction => ({
  programAddress: programId,
  accounts: metas(AccountRole.WRITABLE, ...accounts),
  data: Uint8Array.of(kind, 0, 0, 0, 0, 0, 0, 0, 0),
});

test("what the server built may be signed, as it is or as wallets change it", () => {
  const good: Readonly<Record<string, Draft>> = {
    "another blockhash": { instructions: [limit(UNITS), price(PRICE), create], blockhashOf: THIEF },
    "less compute": { instructions: [limit(UNITS - 1), price(PRICE), create] },
    "less priority, at the end": { instructions: [create, limit(UNITS), price(0n)] },
    "no priority": { instructions: [limit(UNITS), create] },
    "a bound of what is loaded": {
      instructions: [{ programAddress: BUDGET, data: little(4, 5, 65_536n) }, limit(UNITS), price(PRICE), create],
    },
    "assertions before and after": {
      instructions: [guard(5, BUYER), limit(UNITS), price(PRICE), guard(2, MINT), create, guard(9, SHOP), guard(15)],
    },
    "an assertion for which the buyer signs": {
      instructions: [limit(UNITS), create, { ...guard(4), accounts: metas(AccountRole.WRITABLE_SIGNER, BUYER) }],
    },
  };
  assert.equal(checkSponsored(BUILT, BUILT), null);
  for (const [name, draft] of Object.entries(good)) assert.equal(checkSponsored(compile(draft), BUILT), null, name);
  for (const [name, draft] of Object.entries(good))
    assert.equal(checkSponsored(asVersion1(compile(draft)), BUILT), null, `${name}, as version 1`);
});

test("a wallet that makes version 1 of it asks for no more compute and priority than was built", () => {
  // 100,000 units at 10,000 micro-lamports are 1,000 lamports.
  for (const [config, reason] of [
    [{ priorityFeeLamports: 1_000n, computeUnitLimit: UNITS, heapSize: 65_536 }, null],
    [{}, null],
    [{ priorityFeeLamports: 1_001n, computeUnitLimit: UNITS }, "it offers more for priority than was built"],
    [{ priorityFeeLamports: 2n ** 64n - 1n }, "it offers more for priority than was built"],
    [{ computeUnitLimit: UNITS + 1 }, "it asks for more compute than was built"],
  ] as const)
    assert.equal(
      checkSponsored(
        asVersion1(BUILT, () => config),
        BUILT,
      ),
      reason,
    );
  // An instruction of the compute budget means nothing in version 1.
  const priced = asVersion1(compile({ instructions: [limit(UNITS), create] }));
  const both = withInstructions(priced, (all) => [price(2n ** 64n - 1n), ...all]);
  assert.equal(checkSponsored(both, BUILT), null);
});

/** Instructions that a thief may add. */
const HOSTILE: Readonly<Record<string, Instruction>> = {
  "a transfer from the sponsor": transfer(SPONSOR, THIEF),
  "a transfer to the sponsor": transfer(BUYER, SPONSOR),
  "a transfer of the buyer's own": transfer(BUYER, THIEF),
  "a nonce advanced by the sponsor": {
    programAddress: SYSTEM,
    accounts: [
      ...metas(AccountRole.WRITABLE, THIEF, RECENT_BLOCKHASHES),
      ...metas(AccountRole.READONLY_SIGNER, SPONSOR),
    ],
    data: Uint8Array.of(4, 0, 0, 0),
  },
  "a nonce advanced by the buyer": {
    programAddress: SYSTEM,
    accounts: [...metas(AccountRole.WRITABLE, THIEF, RECENT_BLOCKHASHES), ...metas(AccountRole.READONLY_SIGNER, BUYER)],
    data: Uint8Array.of(4, 0, 0, 0),
  },
  "the sponsor's account assigned away": {
    programAddress: SYSTEM,
    accounts: metas(AccountRole.WRITABLE_SIGNER, SPONSOR),
    data: Uint8Array.of(1, 0, 0, 0, ...new Uint8Array(32).fill(9)),
  },
  "a token account at the sponsor's cost": await createTokenAccountInstruction({
    payer: SPONSOR,
    owner: THIEF,
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM_ID,
  }),
  "a token account at the buyer's cost": await createTokenAccountInstruction({
    payer: BUYER,
    owner: SHOP,
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM_ID,
  }),
  "a transfer of the sponsor's tokens": {
    programAddress: TOKEN_PROGRAM_ID,
    accounts: [...metas(AccountRole.WRITABLE, MINT, THIEF), ...metas(AccountRole.READONLY_SIGNER, SPONSOR)],
    data: little(3, 9, 1n),
  },
  "the payment twice": create,
  "another payment": other,
  "a release": call(6, operator, THIEF, BUYER),
  "a payout": call(8, operator, THIEF, SPONSOR, BUYER, SHOP, MINT),
  "a proposal of an arbiter": call(1, operator, SPONSOR),
  "a second limit": limit(1),
  "a second price": price(0n),
  "a larger heap": { programAddress: BUDGET, data: little(1, 5, 65_536n) },
  "a limit with an account": { ...limit(1), accounts: metas(AccountRole.READONLY_SIGNER, SPONSOR) },
  "a limit that is cut off": { programAddress: BUDGET, data: Uint8Array.of(2, 1, 0) },
  "an empty request": { programAddress: BUDGET, data: new Uint8Array() },
  "signatures to check for a fee": { programAddress: ED25519, data: Uint8Array.of(1, 0) },
  "a third signer": { ...guard(5), accounts: metas(AccountRole.READONLY_SIGNER, THIEF) },
  "an assertion on the sponsor": guard(5, SPONSOR),
  "an assertion that takes the sponsor's signature": {
    ...guard(5),
    accounts: metas(AccountRole.WRITABLE_SIGNER, SPONSOR),
  },
  "an assertion without data": { ...guard(5), data: new Uint8Array() },
  "an unknown program": { programAddress: anAddress(17), accounts: [], data: Uint8Array.of(1) },
  ...Object.fromEntries(
    [0, 1, 16, 17, 18, 255].map((kind) => [`instruction ${kind} of the guard program`, guard(kind, BUYER)]),
  ),
};

test("nothing else may stand in it, wherever it stands", () => {
  for (const [name, hostile] of Object.entries(HOSTILE))
    for (const at of [0, 3]) {
      const given = compile({ instructions: [limit(UNITS), price(PRICE), create].toSpliced(at, 0, hostile) });
      assert.notEqual(checkSponsored(given, BUILT), null, `${name} at ${at}`);
      if (hostile.programAddress !== BUDGET)
        assert.notEqual(checkSponsored(asVersion1(given), BUILT), null, `${name} at ${at}, as version 1`);
    }
});

test("more compute, more priority, or none of them said is refused", () => {
  for (const instructions of [
    [limit(UNITS + 1), price(PRICE), create],
    [limit(UNITS), price(PRICE + 1n), create],
    [limit(UNITS), price(2n ** 64n - 1n), create],
    [price(PRICE), create],
    [create],
    [limit(UNITS), price(PRICE)],
    [limit(UNITS), price(PRICE), other],
    [limit(UNITS), price(PRICE), create, ...Array.from({ length: 14 }, () => guard(15))],
  ])
    assert.notEqual(checkSponsored(compile({ instructions }), BUILT), null);
});

test("each account of the payment and each byte of its data stays", () => {
  for (const [index, { role, address: was }] of create.accounts.entries())
    for (const swapped of [THIEF, SPONSOR, BUYER, SHOP]) {
      if (swapped === was) continue;
      const accounts = create.accounts.with(index, { address: swapped, role });
      const swap = compile({ instructions: [limit(UNITS), price(PRICE), { ...create, accounts }] });
      assert.notEqual(checkSponsored(swap, BUILT), null, `account ${index}`);
    }
  for (let at = 0; at < create.data.length; at++) {
    const data = Uint8Array.from(create.data, (byte, index) => (index === at ? byte ^ 1 : byte));
    assert.notEqual(
      checkSponsored(compile({ instructions: [limit(UNITS), price(PRICE), { ...create, data }] }), BUILT),
      null,
      `byte ${at}`,
    );
  }
  const longer = { ...create, accounts: [...create.accounts, ...metas(AccountRole.READONLY, THIEF)] };
  assert.notEqual(checkSponsored(compile({ instructions: [limit(UNITS), longer] }), BUILT), null);
});

test("another fee payer, another form, or a transaction that was built for no sponsor is refused", async () => {
  const own = await createPaymentInstruction({ ...PAYMENT, payer: BUYER });
  const others: Readonly<Record<string, readonly [given: string, built: string]>> = {
    "the buyer pays the fee": [compile({ instructions: [limit(UNITS), create], feePayer: BUYER }), BUILT],
    "a thief pays the fee": [compile({ instructions: [limit(UNITS), create], feePayer: THIEF }), BUILT],
    "a legacy form": [compile({ instructions: [limit(UNITS), create], version: "legacy" }), BUILT],
    "no transaction": ["AQ==", BUILT],
    "no base64": ["?", BUILT],
    nothing: ["", BUILT],
  };
  for (const [name, [given, built]] of Object.entries(others))
    assert.notEqual(checkSponsored(given, built), null, name);
  for (const built of [
    compile({ instructions: [limit(UNITS), price(PRICE), own] }),
    compile({ instructions: [limit(UNITS), price(PRICE), own], feePayer: BUYER }),
    compile({ instructions: [limit(UNITS), price(PRICE)] }),
    "",
  ])
    assert.notEqual(checkSponsored(built, built), null);
});

/** Resolves all indices with kit's own decoder, and checks who does what. */
function assertHarmless(transaction: string): void {
  const { messageBytes } = getTransactionDecoder().decode(Buffer.from(transaction, "base64"));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { feePayer, ...decompiled } = decompileTransactionMessage(message);
  if (decompiled.version === 1) {
    const { computeUnitLimit = 0, priorityFeeLamports = 0n } = decompiled.config ?? {};
    assert.ok(computeUnitLimit <= UNITS && priorityFeeLamports <= 1_000n);
  }
  const instructions: readonly Instruction[] = decompiled.instructions;
  assert.equal(feePayer.address, SPONSOR);
  const naming = instructions.filter(({ accounts = [] }) => accounts.some((one) => one.address === SPONSOR));
  assert.equal(naming.length, 1);
  assert.deepEqual(Uint8Array.from(naming[0]!.data ?? []), create.data);
  assert.deepEqual(
    naming[0]!.accounts!.map((one) => one.address),
    create.accounts.map((one) => one.address),
  );
  const programs = new Set(instructions.map(({ programAddress }) => programAddress));
  for (const program of programs) assert.ok(([BUDGET, LIGHTHOUSE, programId] as string[]).includes(program), program);
  const budget = instructions.filter(({ programAddress }) => programAddress === BUDGET);
  for (const { data } of budget)
    if (data![0] === 2) assert.ok(Buffer.from(data!).readUInt32LE(1) <= UNITS);
    else if (data![0] === 3) assert.ok(Buffer.from(data!).readBigUInt64LE(1) <= PRICE);
}

for (const [version, text] of [
  [0, BUILT],
  [1, asVersion1(BUILT)],
] as const)
  test(`no change of the bytes of version ${version} that is let through does harm`, () =>
    assertNoHarm(Buffer.from(text, "base64")));

function assertNoHarm(bytes: Buffer): void {
  let accepted = 0;
  const look = (changed: Uint8Array) => {
    const text = Buffer.from(changed).toString("base64");
    if (checkSponsored(text, BUILT) !== null) return;
    accepted++;
    assertHarmless(text);
  };
  for (let at = 0; at < bytes.length; at += inForm({ short: 5, long: 1 }))
    look(Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte)));
  const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(flips, (all) => {
      const changed = Uint8Array.from(bytes);
      for (const [at, by] of all) changed[at] = changed[at]! ^ by;
      look(changed);
    }),
    { numRuns: inForm({ short: 50, long: 300 }), seed: 1 },
  );
  assert.ok(accepted > 0, "the blockhash may change, and the signatures are another's to check");
  for (let length = 0; length < bytes.length; length += 7)
    assert.notEqual(checkSponsored(bytes.subarray(0, length).toString("base64"), BUILT), null);
  for (const more of [[0], [1, 2, 3]])
    assert.notEqual(checkSponsored(Buffer.concat([bytes, Buffer.from(more)]).toString("base64"), BUILT), null);
}

test("no mixture of a wallet's and a thief's instructions that is let through does harm", () => {
  const pieces = [
    limit(UNITS),
    limit(1_400_000),
    price(PRICE),
    price(10n ** 12n),
    create,
    guard(5, BUYER),
    ...Object.values(HOSTILE),
  ];
  const mixture = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 });
  const around = fc.tuple(mixture, fc.boolean(), fc.constantFrom(SPONSOR, SPONSOR, SPONSOR, BUYER));
  fc.assert(
    fc.property(around, ([some, hasBuilt, feePayer]) => {
      const built = hasBuilt ? [limit(UNITS), price(PRICE), create] : [];
      const text = compile({ instructions: [...some, ...built], feePayer });
      if (checkSponsored(text, BUILT) === null) assertHarmless(text);
    }),
    { numRuns: inForm({ short: 40, long: 200 }), seed: 2 },
  );
});

test("a change made by the tools of a wallet is read the same", () => {
  const guarded = withInstructions(BUILT, (all) => [guard(6, BUYER), ...all, guard(10, MINT)]);
  assert.equal(checkSponsored(guarded, BUILT), null);
  const drained = withInstructions(BUILT, (all) => [...all, transfer(SPONSOR, THIEF)]);
  assert.equal(checkSponsored(drained, BUILT), "it does more than to pay");
});

const REF: PaymentRef = {
  address: anAddress(20),
  operator,
  sender: BUYER,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  arbiter: ARBITER,
  rentPayer: SPONSOR,
};
const release = releaseInstruction({ programId, payment: REF, total: 5n });
const dispute = openDisputeInstruction({ programId, payment: REF });

test("§4.15.7 a buyer's decision may be signed as it was built, with assertions, and with nothing else around it", async () => {
  const payOut = await payOutInstruction({ programId, payment: REF, side: "recipient" });
  for (const decision of [dispute, release]) {
    const built = compile({ instructions: [limit(UNITS), price(PRICE), decision] });
    const check = (...instructions: readonly Instruction[]) => checkSponsored(compile({ instructions }), built);
    assert.equal(checkSponsored(built, built), null);
    assert.equal(check(guard(5, BUYER), limit(UNITS - 1), decision, guard(2, MINT)), null);
    for (const [name, hostile] of Object.entries({ ...HOSTILE, decision, payOut, dispute, release }))
      for (const at of [0, 3]) {
        const instructions = [limit(UNITS), price(PRICE), decision].toSpliced(at, 0, hostile);
        assert.notEqual(check(...instructions), null, `${name} at ${at}`);
      }
    for (const [index, { role, address: was }] of decision.accounts.entries())
      for (const swapped of [THIEF, SPONSOR, BUYER, SHOP].filter((one) => one !== was)) {
        const accounts = decision.accounts.with(index, { address: swapped, role });
        assert.notEqual(check(limit(UNITS), { ...decision, accounts }), null, `account ${index}`);
      }
    for (let at = 0; at < decision.data.length; at++) {
      const data = Uint8Array.from(decision.data, (byte, index) => (index === at ? byte ^ 1 : byte));
      assert.notEqual(check(limit(UNITS), { ...decision, data }), null, `byte ${at}`);
    }
    assert.notEqual(checkSponsored(BUILT, built), null, "a payment is no decision");
    assert.notEqual(checkSponsored(built, BUILT), null, "a decision is no payment");
  }
});

test("§4.15.7 nothing was built for a sponsor that pays out, refunds, names the sponsor or has no limit", async () => {
  const payOut = await payOutInstruction({ programId, payment: REF, side: "recipient" });
  const ofSponsor = releaseInstruction({ programId, payment: { ...REF, sender: SPONSOR }, total: 5n });
  const named = { ...dispute, accounts: [...dispute.accounts, ...metas(AccountRole.READONLY, SPONSOR)] };
  for (const instructions of [
    [limit(UNITS), release, payOut],
    [limit(UNITS), refundInstruction({ programId, payment: { ...REF, recipient: BUYER }, total: 5n })],
    [limit(UNITS), ofSponsor, guard(5, BUYER)],
    [limit(UNITS), named],
    [release],
  ]) {
    const built = compile({ instructions });
    assert.notEqual(checkSponsored(built, built), null);
  }
});
