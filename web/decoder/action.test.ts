import assert from "node:assert/strict";
import { test } from "node:test";
import {
  closePaymentInstruction,
  createPaymentInstruction,
  createTokenAccountInstruction,
  findTokenAccountAddress,
  harvestInstruction,
  openDisputeInstruction,
  type PaymentRef,
  type ProgramInstruction,
  payOutInstruction,
  payOutInstructions,
  proposeInstruction,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  syncNativeInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import fc from "fast-check";
import { inForm } from "../../tests/harness/form.ts";
import { type ActionName, checkAction, checkPlainForm, type ShownAction, UnexpectedBytesError } from "./index.ts";
import { COMPUTE_BUDGET } from "./rules.ts";
import {
  ARBITER,
  anAddress,
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

const PAYMENT = anAddress(200);
const OTHER_PAYMENT = anAddress(210);
const PAYER = anAddress(215);
const TOTAL = 12_500_000n;

const REF: PaymentRef = {
  address: PAYMENT,
  operator: OPERATOR,
  sender: BUYER,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  arbiter: ARBITER,
  rentPayer: PAYER,
};

const ACTORS: Readonly<Record<ActionName, Address>> = {
  dispute: BUYER,
  release: BUYER,
  refund: SHOP,
  settle: BUYER,
  pay_out_recipient: BUYER,
  pay_out_sender: BUYER,
  refund_unresolved: BUYER,
  close: BUYER,
};
const ALL = Object.keys(ACTORS) as ActionName[];
const PAID = { recipient: ["release", "settle", "pay_out_recipient"], sender: ["refund", "pay_out_sender"] } as const;
const hasTotal = (action: ActionName) => action === "release" || action === "refund";

const shownFor = (action: ActionName, given: Partial<ShownAction> = {}): ShownAction => ({
  account: ACTORS[action],
  programId: PROGRAM,
  operator: OPERATOR,
  payment: PAYMENT,
  action,
  total: hasTotal(action) ? TOTAL.toString() : null,
  sender: BUYER,
  recipient: SHOP,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ID,
  rentPayer: PAYER,
  networkLamports: 6_000n,
  ...given,
});

interface Given {
  readonly ref?: Partial<PaymentRef>;
  readonly programId?: Address;
  readonly total?: bigint;
}

/** The action's instruction, as the client of the program makes it. */
async function ownOf(action: ActionName, given: Given = {}): Promise<ProgramInstruction> {
  const { ref = {}, programId = PROGRAM, total = TOTAL } = given;
  const payment = { ...REF, ...ref };
  const payOut = (side: "sender" | "recipient") => payOutInstruction({ programId, payment, side });
  switch (action) {
    case "dispute":
      return openDisputeInstruction({ programId, payment });
    case "release":
      return releaseInstruction({ programId, payment, total });
    case "refund":
      return refundInstruction({ programId, payment, total });
    case "close":
      return closePaymentInstruction({ programId, payment });
    case "settle":
    case "pay_out_recipient":
      return payOut("recipient");
    case "pay_out_sender":
    case "refund_unresolved":
      return payOut("sender");
  }
}

const payOut = (side: "sender" | "recipient", ref: Partial<PaymentRef> = {}) =>
  payOutInstruction({ programId: PROGRAM, payment: { ...REF, ...ref }, side });
/** A payout as the client composes it where the account is missing and fees are withheld. */
const fullPayOut = (side: "sender" | "recipient", accountPayer: Address, ref: Partial<PaymentRef>) =>
  payOutInstructions({ programId: PROGRAM, payment: { ...REF, ...ref }, side, accountPayer, harvest: true });

interface Tampered extends Draft {
  readonly kind: string;
  readonly action: ActionName;
  readonly page?: Partial<ShownAction>;
}

const bytesOf = ({ action, ...draft }: Pick<Tampered, "action"> & Draft) =>
  wire({ feePayer: ACTORS[action], ...draft });

test("§12.18 every action shown is accepted, alone and with the payout that it makes due", async () => {
  for (const action of ALL) {
    const own = await ownOf(action);
    const alone = bytesOf({ action, instructions: [own] });
    const checked = { networkLamports: 6_000n, isSponsored: false, makesTokenAccount: false };
    assert.deepEqual(checkAction(alone, shownFor(action)), checked, action);
    checkAction(alone, shownFor(action, { tokenProgram: null, rentPayer: null }));
    const side = action === "release" ? "recipient" : action === "refund" ? "sender" : null;
    if (side === null) continue;
    checkAction(bytesOf({ action, instructions: [own, await payOut(side)] }), shownFor(action));
  }
});

test("§12.18 a missing account of one's own is made, withheld fees are harvested, and native tokens are counted again", async () => {
  for (const ref of [{ tokenProgram: TOKEN_2022_PROGRAM_ID }, { mint: SOL, tokenProgram: TOKEN_2022_PROGRAM_ID }])
    for (const action of ["pay_out_sender", "refund_unresolved", "close"] as const) {
      const last = action === "close" ? [await ownOf("close", { ref })] : [];
      const bytes = bytesOf({ action, instructions: [...(await fullPayOut("sender", BUYER, ref)), ...last] });
      assert.equal(checkAction(bytes, shownFor(action, ref)).makesTokenAccount, true);
    }
  const [, harvest, part] = await fullPayOut("recipient", BUYER, { tokenProgram: TOKEN_2022_PROGRAM_ID });
  const bytes = wire({ instructions: [await ownOf("release"), harvest!, part!] });
  checkAction(bytes, shownFor("release", { tokenProgram: TOKEN_2022_PROGRAM_ID }));
});

test("§12.18 anybody may send a payout, and whoever paid the deposit may sign to close the record", async () => {
  for (const action of ["settle", "pay_out_sender", "refund_unresolved"] as const)
    checkAction(wire({ feePayer: THIEF, instructions: [await ownOf(action)] }), shownFor(action, { account: THIEF }));
  const close = await closePaymentInstruction({ programId: PROGRAM, payment: REF, signed: true });
  checkAction(wire({ feePayer: PAYER, instructions: [close] }), shownFor("close", { account: PAYER }));
});

test("§12.18 a sponsor that the page names pays the fee, also where it gets the deposit back", async () => {
  const page = { sponsors: [SPONSOR], networkLamports: 11_000n };
  for (const rentPayer of [PAYER, SPONSOR]) {
    const instructions = [await ownOf("release"), await payOut("recipient", { rentPayer })];
    const bytes = wire({ feePayer: SPONSOR, instructions });
    assert.equal(checkAction(bytes, shownFor("release", { ...page, rentPayer })).networkLamports, 11_000n);
  }
});

const system = (data: number[], ...accounts: Address[]): Instruction => ({
  programAddress: "11111111111111111111111111111111" as Address,
  accounts: accounts.map((one) => ({ address: one, role: AccountRole.WRITABLE })),
  data: Uint8Array.from(data),
});
const another = (programAddress: Address): Instruction => ({ programAddress, accounts: [], data: Uint8Array.of(1) });
const eight = [1, 0, 0, 0, 0, 0, 0, 0];

/** Instructions that no action has beside it. */
async function strangers(account: Address): Promise<Readonly<Record<string, Instruction>>> {
  const own = await findTokenAccountAddress({ owner: account, mint: MINT, tokenProgram: TOKEN_PROGRAM_ID });
  const ref = { ...REF, address: OTHER_PAYMENT };
  return {
    "a transfer of SOL": transfer(account, THIEF, 1n),
    "a transfer of tokens": tokens([3, ...eight], own, THIEF, account),
    "a checked transfer of tokens": tokens([12, ...eight, 6], own, MINT, THIEF, account),
    "an approval": tokens([4, ...eight], own, THIEF, account),
    "another owner": tokens([6, 2, 1], own, account),
    "a closed token account": tokens([9], own, THIEF, account),
    "a burn": tokens([8, ...eight], own, MINT, account),
    "a nonce": system([4, 0, 0, 0], THIEF, account),
    "another owner of the wallet": system([1, 0, 0, 0, ...Array(32).fill(9)], account),
    "a memo": another("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address),
    "an unknown program": another(THIEF),
    "a release of another payment": releaseInstruction({ programId: PROGRAM, payment: ref, total: 0n }),
    "a release of this payment": releaseInstruction({ programId: PROGRAM, payment: REF, total: 0n }),
    "a dispute of another payment": openDisputeInstruction({ programId: PROGRAM, payment: ref }),
    "a payout of another payment": await payOut("recipient", { address: OTHER_PAYMENT }),
    "a ruling": resolveInstruction({ programId: PROGRAM, payment: { ...REF, arbiter: account }, total: 0n }),
    "a new payment": await createPaymentInstruction({
      ...{ ...REF, programId: PROGRAM, sender: account, recipient: THIEF },
      ...{ paymentId: 1n, amount: 1n, period: "oneHour" },
    }),
    "a new arbiter": proposeInstruction({
      ...{ programId: PROGRAM, operator: OPERATOR, authority: account },
      ...{ role: "arbiter", key: THIEF },
    }),
    "a token account for a thief": await createTokenAccountInstruction({
      ...{ payer: account, owner: THIEF, mint: MINT, tokenProgram: TOKEN_PROGRAM_ID },
    }),
    "a harvest": harvestInstruction({ mint: MINT, tokenProgram: TOKEN_2022_PROGRAM_ID, accounts: [own] }),
    "a sync": syncNativeInstruction({ tokenProgram: TOKEN_PROGRAM_ID, account: own }),
  };
}

const withAccount = (instruction: ProgramInstruction, at: number, address: Address): ProgramInstruction => ({
  ...instruction,
  accounts: instruction.accounts.map((meta, index) => (index === at ? { ...meta, address } : meta)),
});

/** The accounts that are compared, by their place. The vault (5) and the destination (4) are the program's to compare. */
const COMPARED: Readonly<Record<number, readonly number[]>> = { 3: [0, 1], 4: [0, 1, 2], 8: [0, 1, 2, 3, 6, 7] };

/** Tampered actions of every kind on every action. */
async function tamper(action: ActionName): Promise<Tampered[]> {
  const own = await ownOf(action);
  const actor = ACTORS[action];
  const one = (kind: string, ...instructions: readonly Instruction[]): Tampered => ({ kind, action, instructions });
  const others = await Promise.all(ALL.map(async (name) => [name, await ownOf(name, { total: TOTAL })] as const));
  const isOther = (instruction: ProgramInstruction) =>
    Buffer.compare(Buffer.from(instruction.data), Buffer.from(own.data)) !== 0;
  const withData = (data: Uint8Array): Instruction => ({ ...own, data });
  const all = [
    one("nothing at all"),
    one("another payment", await ownOf(action, { ref: { address: OTHER_PAYMENT } })),
    one("another operator", await ownOf(action, { ref: { operator: THIEF } })),
    one("another program", await ownOf(action, { programId: THIEF })),
    one("twice", own, own),
    ...others.flatMap(([name, other]) => (isOther(other) ? [one(`${name} in its place`, other)] : [])),
    ...Object.entries(await strangers(actor)).flatMap(([kind, extra]) => [
      one(`${kind} behind it`, own, extra),
      one(`${kind} before it`, extra, own),
    ]),
    ...COMPARED[own.accounts.length]!.map((at) =>
      one(`a thief as account ${at}`, withAccount(own, at, at === 2 && own.accounts.length === 3 ? SPONSOR : THIEF)),
    ),
    one("one account more", { ...own, accounts: [...own.accounts, { address: THIEF, role: AccountRole.WRITABLE }] }),
    one("one account less", { ...own, accounts: own.accounts.slice(0, -1) }),
    one("operator and payment exchanged", withAccount(withAccount(own, 0, PAYMENT), 1, OPERATOR)),
    one("a byte more of data", withData(Uint8Array.of(...own.data, 0))),
    one("a byte less of data", withData(own.data.slice(0, -1) as Uint8Array)),
    { ...one("a fee above the one shown", own), microLamports: 10_001n },
    { ...one("a fee beyond all reason", own), microLamports: 10n ** 11n, page: { networkLamports: 10n ** 12n } },
    { ...one("another who pays the fee", own), feePayer: THIEF },
    { ...one("a sponsor that the page does not name", own), feePayer: SPONSOR, page: { networkLamports: 20_000n } },
    { ...one("the page of another account", own), page: { account: THIEF } },
  ];
  if (hasTotal(action))
    for (const total of [0n, 1n, TOTAL - 1n, TOTAL + 1n, 2n ** 64n - 1n])
      all.push(one(`a total of ${total}`, await ownOf(action, { total })));
  else all.push({ ...one("a total that the page shows", own), page: { total: "1" } });
  return [...all, ...(await tamperPayout(action))];
}

/** Tampered payouts behind or as the action. */
async function tamperPayout(action: ActionName): Promise<Tampered[]> {
  const isRecipient = (PAID.recipient as readonly string[]).includes(action);
  if (action === "dispute" || action === "close") {
    const own = await ownOf(action);
    const [back, on] = await Promise.all((["sender", "recipient"] as const).map((side) => payOut(side)));
    const late = [back!, on!].map((part, at) => ({
      kind: `a payout of side ${at} behind it`,
      action,
      instructions: [own, part],
    }));
    return [...late, { kind: "payouts of both sides", action, instructions: [back!, on!, own] }];
  }
  const [side, other] = isRecipient ? (["recipient", "sender"] as const) : (["sender", "recipient"] as const);
  const before = hasTotal(action) ? [await ownOf(action)] : [];
  const one = (kind: string, ...instructions: readonly Instruction[]): Tampered => ({
    ...{ kind: `a payout with ${kind}`, action },
    instructions: [...before, ...instructions],
  });
  const good = await payOut(side);
  const actor = ACTORS[action];
  const ref = { mint: SOL, tokenProgram: TOKEN_2022_PROGRAM_ID };
  const [create, harvest, part, sync] = await fullPayOut(side, actor, ref);
  const native = (kind: string, ...instructions: readonly Instruction[]) => ({
    ...one(kind, ...instructions),
    page: ref,
  });
  return [
    one("the other side", await payOut(other)),
    one("both sides", good, await payOut(other)),
    one("itself twice", good, good),
    one("its own account as the other side's", withAccount(good, 3, isRecipient ? BUYER : SHOP)),
    ...[0, 1, 2, 3, 6, 7].map((at) => one(`a thief as account ${at}`, withAccount(good, at, THIEF))),
    one("the vault as destination", withAccount(good, 4, good.accounts[5]!.address)),
    one("the payment as vault", withAccount(good, 5, PAYMENT)),
    one("an account for a hook", {
      ...good,
      accounts: [...good.accounts, { address: actor, role: AccountRole.WRITABLE }],
    }),
    one("the other token program", await payOut(side, { tokenProgram: TOKEN_2022_PROGRAM_ID })),
    native("the token account of a thief", withAccount(create!, 2, THIEF), part!),
    native("the other's token account", isRecipient ? create! : withAccount(create!, 2, SHOP), part!),
    native("a token account elsewhere", withAccount(create!, 1, THIEF), part!),
    native("a token account of another token", withAccount(create!, 3, MINT), part!),
    native("a token account that is made twice", create!, create!, part!),
    native("a token account that must be new", { ...create!, data: Uint8Array.of(0) }, part!),
    native("a recovered token account", { ...create!, data: Uint8Array.of(2) }, part!),
    native("a harvest of another account", withAccount(harvest!, 1, THIEF), part!),
    native("a harvest of another token", withAccount(harvest!, 0, MINT), part!),
    native(
      "a harvest of two accounts",
      {
        ...harvest!,
        accounts: [...harvest!.accounts, { address: THIEF, role: AccountRole.WRITABLE }],
      },
      part!,
    ),
    native("a sync of another account", part!, withAccount(sync!, 0, THIEF)),
    one("a sync where nothing is native", good, { ...sync!, programAddress: TOKEN_PROGRAM_ID }),
  ];
}

const TAMPERED_MIN = 150;

test("§12.18 nothing but the action shown is accepted: tampered actions of every kind", async (context) => {
  const all = (await Promise.all(ALL.map(tamper))).flat();
  const different = new Set<string>();
  const reasons = new Map<string, number>();
  for (const one of all) {
    const { kind, action, page } = one;
    const bytes = bytesOf(one);
    different.add(`${Buffer.from(bytes).toString("base64")} ${page && Object.keys(page).join()}`);
    try {
      checkAction(bytes, shownFor(action, page));
      assert.fail(`${action} with ${kind} was accepted`);
    } catch (error) {
      if (!(error instanceof UnexpectedBytesError)) throw error;
      reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1);
    }
  }
  assert.ok(different.size >= TAMPERED_MIN, String(different.size));
  context.diagnostic(`${different.size} different tampered actions, refused for ${reasons.size} reasons`);
});

test("§12.18 every value that the page shows otherwise is refused", async () => {
  for (const action of ALL) {
    const bytes = bytesOf({ action, instructions: [await ownOf(action)] });
    const isPayout = (await ownOf(action)).accounts.length === 8;
    const others: Partial<ShownAction>[] = [
      ...(["account", "programId", "operator", "payment"] as const).map((name) => ({ [name]: THIEF })),
      ...(hasTotal(action) ? [{ total: "12500001" }, { total: null }] : []),
      ...(action === "dispute" || action === "release" ? [{ sender: THIEF }] : []),
      ...(action === "refund" ? [{ recipient: THIEF }] : []),
      ...(isPayout ? [{ mint: THIEF }, { tokenProgram: TOKEN_2022_PROGRAM_ID }, { rentPayer: THIEF }] : []),
      ...(action === "close" ? [{ rentPayer: THIEF }] : []),
      { networkLamports: 5_999n },
    ];
    for (const other of others)
      assert.throws(
        () => checkAction(bytes, shownFor(action, other)),
        UnexpectedBytesError,
        JSON.stringify(Object.keys(other)),
      );
  }
});

test("§12.18 a sponsor pays the fee and nothing else", async () => {
  const page = { sponsors: [SPONSOR], networkLamports: 20_000n };
  const release = await ownOf("release");
  const refused = (reason: RegExp, instructions: readonly Instruction[], given: Partial<ShownAction> = page) =>
    assert.throws(() => checkAction(wire({ feePayer: SPONSOR, instructions }), shownFor("release", given)), reason);
  const ref = { tokenProgram: TOKEN_2022_PROGRAM_ID };
  const [create, , part] = await fullPayOut("sender", SPONSOR, ref);
  const made = wire({ feePayer: SPONSOR, instructions: [withAccount(create!, 0, BUYER), part!] });
  assert.throws(() => checkAction(made, shownFor("pay_out_sender", { ...page, ...ref })), /pays for no token account/);
  refused(/more than to pay the fee/, [release, withAccount(await payOut("recipient"), 4, SPONSOR)]);
  refused(/somebody else signs/, [release], { ...page, sponsors: [THIEF] });
  refused(/the deposit/, [release, await payOut("recipient", { rentPayer: SPONSOR })]);
  refused(/moves|more than this action/, [release, transfer(SPONSOR, BUYER, 1n)]);
});

test("§12.18 no single changed byte of an action's own data is accepted, and no bytes make the check fail in another way", async () => {
  for (const action of ALL) {
    const own = await ownOf(action);
    const good = bytesOf({ action, instructions: [own] });
    const message = Buffer.from(good);
    const at = message.lastIndexOf(Buffer.from([own.data.length, ...own.data])) + 1;
    for (let index = 0; index < own.data.length; index++)
      for (const by of inForm({ short: [1, 0x80, 0xff], long: Array.from({ length: 255 }, (_, bit) => bit + 1) })) {
        const bytes = Uint8Array.from(good);
        bytes[at + index] = bytes[at + index]! ^ by;
        assert.throws(() => checkAction(bytes, shownFor(action)), UnexpectedBytesError, `${action}, byte ${index}`);
      }
    for (let length = 0; length < good.length; length++)
      assert.throws(() => checkAction(good.subarray(0, length), shownFor(action)), UnexpectedBytesError);
    const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(flips, (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [place, by] of changes) bytes[place] = bytes[place]! ^ by;
        try {
          checkAction(bytes, shownFor(action));
        } catch (error) {
          assert.ok(error instanceof UnexpectedBytesError, String(error));
        }
      }),
      { numRuns: inForm({ short: 50, long: 500 }) },
    );
  }
});

test("§12.18 the plain form for wallets of several signers is that of the checked bytes, with no further rights", async () => {
  const instructions = [await ownOf("release"), await payOut("recipient")];
  const bytes = wire({ instructions });
  const isSigner = (role: AccountRole) => role >= AccountRole.READONLY_SIGNER;
  const plain = instructions.map(({ programAddress, accounts, data }) => ({
    programId: programAddress as string,
    accounts: accounts.map(({ address, role }) => ({
      address: address as string,
      signer: isSigner(role),
      writable: role % 2 === 1,
    })),
    data: Buffer.from(data).toString("base64"),
  }));
  checkPlainForm(bytes, plain);
  const [release, part] = plain as [(typeof plain)[0], (typeof plain)[0]];
  const withMeta = (at: number, given: object) => ({
    ...part,
    accounts: part.accounts.map((one, index) => (index === at ? { ...one, ...given } : one)),
  });
  for (const other of [
    [release],
    [part, release],
    [release, part, part],
    [release, part, { programId: COMPUTE_BUDGET, accounts: [], data: "A///////////" }],
    [release, { ...part, programId: THIEF }],
    [release, { ...part, data: "CAE=" }],
    [release, { ...part, accounts: part.accounts.slice(1) }],
    [release, withMeta(4, { address: THIEF })],
    [release, withMeta(3, { signer: true })],
    [release, withMeta(6, { writable: true })],
  ])
    assert.throws(() => checkPlainForm(bytes, other), UnexpectedBytesError);
});
