import assert from "node:assert/strict";
import { test } from "node:test";
import { ARBITER, BUYER, MINT, OPERATOR, PROGRAM, SHOP, THIEF, transfer, wire } from "@holdfast/decoder/testing.ts";
import {
  openDisputeInstruction,
  payOutInstruction,
  releaseInstruction,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { type ActEnding, prepare } from "@holdfast/wallet/act.ts";
import { type Answers, attemptWith, lost, neverAsked, refusal, withService } from "@holdfast/wallet/testing.ts";
import { actionAct, walletNeededFor } from "./action.ts";
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
  readonly answers?: Answers;
  readonly accounts?: readonly string[];
  readonly isEnough?: (states: readonly { readonly at: string }[]) => boolean;
}

const answersOf = (built: unknown): Answers => ({ build: [() => built] });
const SENT = () => [{ signature: new Uint8Array(64).fill(7) }];
const SIGNED = () => [{ signedTransaction: BYTES }];

/** Acts by a wallet. */
const actWith = ({ sends = false, sign = sends ? SENT : SIGNED, answers, accounts = [BUYER], isEnough }: Given) =>
  attemptWith(actionAct(CHOICE), {
    ...{ [sends ? "send" : "sign"]: sign, isEnough },
    answers: { ...answersOf(BUILT), ...answers },
    accounts: accounts.map((address) => ({ address, chains: ["solana:mainnet"] })),
  });

test("§12.18 what a wallet signed is handed in; what it sent is handed in too, with its signature", async () => {
  const signed = await actWith({});
  assert.deepEqual(signed.ending, { kind: "sent" });
  assert.deepEqual(
    signed.asked.map(({ path }) => path),
    ["/pay/p/1/build", "/pay/p/1/submit"],
  );
  assert.deepEqual(signed.asked[0]!.body, { action: "release", account: BUYER, sponsored: false, total: "0" });
  const sent = await actWith({ sends: true });
  const bytes = Buffer.from(sent.asked.at(-1)!.body.transaction as string, "base64");
  assert.deepEqual(Uint8Array.from(bytes.subarray(1, 65)), new Uint8Array(64).fill(7));
});

test("§12.18 what a wallet sent stays sent, whatever the service says of it", async () => {
  for (const submit of [refusal("invalid_transaction"), refusal("not_possible")])
    assert.deepEqual((await actWith({ sends: true, answers: { submit: [submit] } })).ending, { kind: "sent" });
  assert.deepEqual((await actWith({ sends: true, answers: { submit: [lost] } })).ending, { kind: "sent" });
});

test("§12.18 signed bytes that the service refuses were not sent; bytes that it may have are handed in again", async () => {
  assert.deepEqual((await actWith({ answers: { submit: [refusal("not_possible")] } })).ending, {
    ...{ kind: "refused", code: "not_possible", message: "It is not_possible." },
  });
  const { ending, asked } = await actWith({ answers: { submit: [lost] } });
  assert.deepEqual(ending, { kind: "unknown" });
  assert.equal(asked.filter(({ path }) => path.endsWith("submit")).length, 4);
});

test("§12.18 a wallet that says after its time that it sent is believed: the page follows what it sent, and its end", async () => {
  const person = Promise.withResolvers<void>();
  const { states, asked } = await actWith({
    sends: true,
    sign: async () => {
      await person.promise;
      return SENT();
    },
    answers: { life: ["ended", "live", "failed"].map((status) => () => ({ status, msLeft: 1 })) },
    isEnough: (told) => {
      if (told.at(-1)?.at === "ended") person.resolve();
      return told.filter(({ at }) => at === "ended").length === 3;
    },
  });
  assert.deepEqual(
    states.slice(3).map((state) => (state.at === "ended" ? state.ending.kind : state.at)),
    ["too_late", "sending", "sent", "failed"],
  );
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["/pay/p/1/build", "/pay/p/1/submit"],
  );
});

test("§12.18 only the wallet that paid is asked: another one is named, and one of several accounts is found", async () => {
  assert.deepEqual((await actWith({ accounts: [SHOP], sign: neverAsked })).ending, {
    ...{ kind: "other_wallet", given: SHOP, needed: BUYER },
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
    const { ending, asked } = await actWith({ answers: answersOf(built), sign: neverAsked });
    assert.equal(ending.kind, "unexpected_bytes");
    assert.equal(asked.length, 1);
  });

test("§12.18 the unsigned transaction is checked like any other, and so is its plain form", async () => {
  const prepared = async (built: unknown) =>
    (await withService(answersOf(built), () => prepare(actionAct(CHOICE), BUYER))).result;
  assert.deepEqual(await prepared(BUILT), BUILT);
  const other = plainOf([releaseInstruction({ programId, payment: REF, total: 1n }), PAY_OUT]);
  for (const built of [
    { ...BUILT, instructions: other },
    { ...BUILT, instructions: [] },
    builtOf(wire({ instructions: [RELEASE, PAY_OUT, transfer(BUYER, SHOP, 1n)] })),
  ])
    assert.equal(((await prepared(built)) as ActEnding).kind, "unexpected_bytes");
});

test("where the service refuses or does not answer, no wallet is asked", async () => {
  const refused = await actWith({ answers: { build: [refusal("not_possible")] }, sign: neverAsked });
  assert.deepEqual(refused.ending, { kind: "refused", code: "not_possible", message: "It is not_possible." });
  assert.deepEqual((await actWith({ answers: { build: [lost] }, sign: neverAsked })).ending, { kind: "no_answer" });
});
