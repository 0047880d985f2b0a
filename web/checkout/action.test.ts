import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ARBITER, BUYER, MINT, OPERATOR, PROGRAM, SHOP, THIEF, transfer, wire } from "@holdfast/decoder/testing.ts";
import {
  openDisputeInstruction,
  payOutInstruction,
  releaseInstruction,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { type ActionEnding, actBy, prepareUnsigned, walletNeededFor } from "./action.ts";
import type { ReceiptData } from "./data.ts";

const PAYMENT = THIEF;
const REF = {
  ...{
    address: PAYMENT,
    operator: OPERATOR,
    sender: BUYER,
    recipient: SHOP,
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM_ID,
  },
  ...{ arbiter: ARBITER, rentPayer: BUYER },
};
const programId = PROGRAM;
const DATA = {
  path: "/pay/p/1",
  cluster: "solana:mainnet",
  sponsors: [],
  payment: { ...REF, programId, amount: "24500000", refundTotal: "0", amountRefunded: "0", amountReleased: "0" },
} as unknown as ReceiptData;
const CHOICE = { data: DATA, action: "release", total: "0" } as const;

const RELEASE = releaseInstruction({ programId, payment: REF, total: 0n });
const PAY_OUT = await payOutInstruction({ programId, payment: REF, side: "recipient" });
const plainOf = (instructions: readonly (typeof RELEASE)[]) =>
  instructions.map(({ programAddress, accounts, data }) => ({
    programId: programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, signer: role > 1, writable: role % 2 === 1 })),
    data: Buffer.from(data).toString("base64"),
  }));
const builtOf = (bytes: Uint8Array, fee: object = {}) => ({
  transaction: Buffer.from(bytes).toString("base64"),
  fee: { networkLamports: "6000", tokenAccountLamports: "0", totalLamports: "6000", ...fee },
  returns: null,
  sponsored: false,
  instructions: plainOf([RELEASE, PAY_OUT]),
});
const BYTES = wire({ instructions: [RELEASE, PAY_OUT] });
const BUILT = builtOf(BYTES);

interface Given {
  readonly sends?: boolean;
  readonly sign?: () => unknown;
  readonly build?: () => unknown;
  readonly submit?: () => unknown;
  readonly accounts?: readonly string[];
}

/** Answers the page's requests as the test says, with a clock that does not wait. */
async function withService<Result>({ build, submit }: Given, run: () => Promise<Result>) {
  const asked: { path: string; body: Readonly<Record<string, unknown>> }[] = [];
  const { setTimeout: real } = globalThis;
  const fetched = mock.method(globalThis, "fetch", async (path: string, { body }: { body: string }) => {
    asked.push({ path, body: JSON.parse(body) });
    const answer = path.endsWith("/build") ? (build ?? (() => BUILT)) : (submit ?? (() => ({ signature: "1" })));
    return { json: async () => answer() };
  });
  const waited = mock.method(globalThis, "setTimeout", (call: () => void) => real(call, 0));
  try {
    return { result: await run(), asked };
  } finally {
    fetched.mock.restore();
    waited.mock.restore();
  }
}

async function actWith(
  given: Given,
): Promise<{ ending: ActionEnding; asked: readonly { path: string; body: object }[] }> {
  const accounts = (given.accounts ?? [BUYER]).map((address) => ({ address, chains: ["solana:mainnet"] }));
  const sign =
    given.sign ?? (() => [given.sends ? { signature: new Uint8Array(64).fill(7) } : { signedTransaction: BYTES }]);
  const features = {
    "standard:connect": { connect: async () => ({ accounts }) },
    ...(given.sends
      ? { "solana:signAndSendTransaction": { signAndSendTransaction: async () => sign() } }
      : { "solana:signTransaction": { signTransaction: async () => sign() } }),
  };
  const wallet = { name: "Wallet", icon: "", chains: ["solana:mainnet"], accounts: [], features } as unknown as Wallet;
  const { result, asked } = await withService(given, () => actBy({ ...CHOICE, wallet, onStep: () => undefined }));
  return { ending: result, asked };
}

const refusal = (code: string) => () => ({ error: { code, message: `It is ${code}.` } });
const lost = () => {
  throw new TypeError("fetch failed");
};
const neverAsked = () => assert.fail("the wallet was asked");

test("§12.18 what a wallet signed is handed in; what it sent is handed in too, with its signature", async () => {
  const signed = await actWith({});
  assert.deepEqual(signed.ending, { kind: "sent", transaction: BUILT.transaction, isCertain: true });
  assert.deepEqual(
    signed.asked.map(({ path }) => path),
    ["/pay/p/1/build", "/pay/p/1/submit"],
  );
  assert.deepEqual(signed.asked[0]!.body, { action: "release", account: BUYER, sponsored: false, total: "0" });
  const sent = await actWith({ sends: true });
  const bytes = Buffer.from((sent.ending as { transaction: string }).transaction, "base64");
  assert.deepEqual(Uint8Array.from(bytes.subarray(1, 65)), new Uint8Array(64).fill(7));
});

test("§12.18 what a wallet sent stays sent, whatever the service says of it", async () => {
  for (const submit of [refusal("invalid_transaction"), refusal("not_possible")])
    assert.deepEqual((await actWith({ sends: true, submit })).ending, {
      kind: "sent",
      transaction: null,
      isCertain: true,
    });
  assert.equal((await actWith({ sends: true, submit: lost })).ending.kind, "sent");
});

test("§12.18 signed bytes that the service refuses were not sent; bytes that it may have are handed in again", async () => {
  assert.deepEqual((await actWith({ submit: refusal("not_possible") })).ending, {
    ...{ kind: "refused", code: "", message: "It is not_possible." },
  });
  const { ending, asked } = await actWith({ submit: lost });
  assert.deepEqual(ending, { kind: "sent", transaction: BUILT.transaction, isCertain: false });
  assert.equal(asked.filter(({ path }) => path.endsWith("submit")).length, 4);
});

test("§12.18 only the wallet that paid is asked: another one is named, and one of several accounts is found", async () => {
  assert.deepEqual((await actWith({ accounts: [SHOP], sign: neverAsked })).ending, {
    kind: "other_wallet",
    given: SHOP,
  });
  assert.equal((await actWith({ accounts: [SHOP, BUYER] })).ending.kind, "sent");
  assert.equal(walletNeededFor("dispute", DATA.payment), BUYER);
  assert.equal(walletNeededFor("refund", DATA.payment), SHOP);
  assert.equal(walletNeededFor("settle", DATA.payment), null);
});

const OTHER = { ...REF, address: SHOP };
for (const [what, built] of [
  ["another action", builtOf(wire({ instructions: [openDisputeInstruction({ programId, payment: REF })] }))],
  ["another total", builtOf(wire({ instructions: [releaseInstruction({ programId, payment: REF, total: 1n })] }))],
  ["another payment", builtOf(wire({ instructions: [releaseInstruction({ programId, payment: OTHER, total: 0n })] }))],
  ["an extra instruction", builtOf(wire({ instructions: [RELEASE, PAY_OUT, transfer(BUYER, SHOP, 1n)] }))],
  ["a fee that is not shown", builtOf(BYTES, { networkLamports: "5999", totalLamports: "5999" })],
  ["a sum that does not add up", builtOf(BYTES, { totalLamports: "1" })],
  ["a deposit for somebody else", { ...BUILT, returns: { lamports: "1", to: SHOP } }],
  ["a cost that it calls free", { ...BUILT, sponsored: true }],
  ["a token account that is not made", builtOf(BYTES, { tokenAccountLamports: "1", totalLamports: "6001" })],
] as const)
  test(`§12.18 an answer with ${what} never reaches the wallet`, async () => {
    const { ending, asked } = await actWith({ build: () => built, sign: neverAsked });
    assert.equal(ending.kind, "unexpected_bytes");
    assert.equal(asked.length, 1);
  });

test("§12.18 the unsigned transaction is checked like any other, and so is its plain form", async () => {
  const prepare = (built: unknown) => withService({ build: () => built }, () => prepareUnsigned(CHOICE, BUYER));
  const { result } = await prepare(BUILT);
  assert.deepEqual(result, { transaction: BUILT.transaction, plain: JSON.stringify(BUILT.instructions, null, 2) });
  const other = plainOf([releaseInstruction({ programId, payment: REF, total: 1n }), PAY_OUT]);
  for (const built of [
    { ...BUILT, instructions: other },
    { ...BUILT, instructions: [] },
    builtOf(wire({ instructions: [RELEASE, PAY_OUT, transfer(BUYER, SHOP, 1n)] })),
  ])
    assert.equal(((await prepare(built)).result as ActionEnding).kind, "unexpected_bytes");
});

test("where the service refuses or does not answer, no wallet is asked", async () => {
  const refused = await actWith({ build: refusal("not_possible"), sign: neverAsked });
  assert.deepEqual(refused.ending, { kind: "refused", code: "not_possible", message: "It is not_possible." });
  assert.deepEqual((await actWith({ build: lost, sign: neverAsked })).ending, { kind: "no_answer" });
});
