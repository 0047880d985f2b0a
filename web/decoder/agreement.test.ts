import assert from "node:assert/strict";
import { test } from "node:test";
import { payOutInstruction, refundInstruction, releaseInstruction } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { checkAgreement, type ShownAgreement } from "./agreement.ts";
import { UnexpectedBytesError } from "./message.ts";
import { checkMemo, checkProof, checkSignIn, type ShownProof, writeProof } from "./proof.ts";
import { ARBITER, BUYER, MINT, OPERATOR, PROGRAM, SHOP, THIEF, transfer, wire } from "./testing.ts";

const TOKEN = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const PAYMENT = ARBITER;
const ref = {
  ...{ address: PAYMENT, operator: OPERATOR, sender: BUYER, recipient: SHOP, mint: MINT, tokenProgram: TOKEN },
  ...{ arbiter: ARBITER, rentPayer: BUYER },
};
const SHOWN: ShownAgreement = {
  ...{ account: BUYER, programId: PROGRAM, operator: OPERATOR, payment: PAYMENT, sender: BUYER, recipient: SHOP },
  ...{ mint: MINT, tokenProgram: TOKEN, rentPayer: BUYER, amount: "24500000", total: "18500000", refundTotal: "0" },
};
const input = (total = 18_500_000n, payment = ref) => ({ programId: PROGRAM, payment, total });
const payout = (side: "sender" | "recipient", payment = ref) =>
  payOutInstruction({ programId: PROGRAM, payment, side });
const agreed = async (): Promise<Instruction[]> => [
  refundInstruction(input()),
  releaseInstruction(input()),
  await payout("sender"),
  await payout("recipient"),
];
const guard = (kind: number): Instruction => ({
  programAddress: address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"),
  accounts: [{ address: SHOP, role: AccountRole.READONLY }],
  data: Uint8Array.of(kind),
});
const check = (instructions: readonly Instruction[], shown: Partial<ShownAgreement> = {}, feePayer: Address = BUYER) =>
  checkAgreement(wire({ instructions, feePayer }), { ...SHOWN, ...shown });
const refuses = (instructions: readonly Instruction[], why: string, shown: Partial<ShownAgreement> = {}) =>
  assert.throws(() => check(instructions, shown), UnexpectedBytesError, why);

test("§16.5 an agreement has the refund, the release and their payouts, whichever side pays the fee", async () => {
  const all = await agreed();
  assert.equal(check(all).feePayer, BUYER);
  assert.equal(check(all, { account: SHOP }, SHOP).feePayer, SHOP);
  assert.equal(check([guard(2), ...all, guard(15)]).feePayer, BUYER, "with guards of the other side's wallet");
  check(all.slice(0, 2));
});

test("§16.5 bytes that agree on anything else, or do more, are refused", async () => {
  const all = await agreed();
  const other = { ...ref, address: THIEF };
  for (const [why, instructions, shown] of [
    ["another total", all, { total: "18499999" }],
    ["another total of one decision", [refundInstruction(input()), releaseInstruction(input(18_400_000n))], {}],
    ["another site", all, { operator: THIEF }],
    ["another payment", all, { payment: THIEF }],
    ["a payout of another payment", [...all.slice(0, 3), await payout("recipient", other)], {}],
    ["another token", all, { mint: THIEF }],
    ["another rent payer", all, { rentPayer: THIEF }],
    ["a transfer", [...all, transfer(BUYER, THIEF, 1n)], {}],
    ["no release", all.filter((_, at) => at !== 1), {}],
    ["no refund", all.slice(1), {}],
    ["decisions in another order", [all[1]!, all[0]!, ...all.slice(2)], {}],
    ["a payout twice", [...all, all[2]!], {}],
    ["a release alone", [releaseInstruction(input()), await payout("sender")], { refundTotal: "18500000" }],
    ["a guard that makes an account", [...all, guard(0)], {}],
    ["a guard that calls programs", [...all, guard(16)], {}],
    ["a wallet of neither side", all, { account: THIEF }],
    ["another recipient", all, { recipient: THIEF }],
  ] as const)
    refuses(instructions, why, shown);
  assert.throws(() => check(all, {}, THIEF), UnexpectedBytesError, "a third signer");
});

const SESSION_TEXT = [
  "Holdfast",
  "Host: pay.example",
  "Genesis: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  `Operator: ${OPERATOR}`,
  `Payment: ${PAYMENT}`,
  "Act: Write in the dispute about this payment from this browser. This moves no money.",
  "Nonce: 0123456789abcdef0123456789abcdef",
  "Sign before: 2026-11-23T09:10:00Z",
].join("\n");
const SHOWN_PROOF: ShownProof = {
  ...{
    host: "pay.example",
    genesis: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
    operator: OPERATOR,
    payment: PAYMENT,
  },
  ...{ nonce: "0123456789abcdef0123456789abcdef", expiresAt: "2026-11-23T09:10:00.250Z", agreement: null },
};
const OFFERED = {
  ...{
    act: "accept_offer" as const,
    offer: "of_1",
    amount: "24500000",
    decimals: 6,
    total: "18500000",
    refundTotal: "0",
  },
  until: "2026-11-29T09:12:00.900Z",
};

test("§16.3 the page writes a text by itself, and refuses any other", () => {
  checkProof(SESSION_TEXT, SHOWN_PROOF);
  const [act, nonce] = SESSION_TEXT.split("\n").slice(5, 7) as [string, string];
  const accept = SESSION_TEXT.replace(
    act,
    "Act: Accept the shop's offer, and end the dispute with these amounts.",
  ).replace(
    nonce,
    `${nonce}\nOffer: of_1\nYou have in the end: 18.5\nThe shop has in the end: 6\nTotal: 18500000\nRefund total now: 0\nUntil: 2026-11-29T09:12:00Z`,
  );
  checkProof(accept, { ...SHOWN_PROOF, agreement: OFFERED });
  const offer = accept
    .replace(
      "Accept the shop's offer, and end the dispute with these amounts.",
      "Offer to end the dispute with these amounts. The shop can accept.",
    )
    .replace("Offer: of_1\n", "");
  checkProof(offer, { ...SHOWN_PROOF, agreement: { ...OFFERED, act: "offer", offer: null } });
  const ofShop = { ...SHOWN_PROOF, agreement: { ...OFFERED, act: "merchant_accept" } } as const;
  checkProof(
    accept
      .replace("Accept the shop's offer", "Accept the buyer's offer")
      .replace("You have", "The buyer has")
      .replace("The shop has", "You have"),
    ofShop,
  );
  assert.throws(() => checkProof(accept, ofShop), UnexpectedBytesError);
  for (const forged of [
    `${accept}\n`,
    accept.replace("pay.example", "evil.example"),
    accept.replace("Total: ", "Total: 1"),
    SESSION_TEXT,
    offer,
  ])
    assert.throws(() => checkProof(forged, { ...SHOWN_PROOF, agreement: OFFERED }), UnexpectedBytesError);
  for (const [amounts, you] of [
    [{ amount: "7", decimals: 0, total: "0" }, "0"],
    [{ amount: "5", decimals: 9, total: "5" }, "0.000000005"],
    [{ amount: "120", decimals: 2, total: "100" }, "1"],
  ] as const)
    assert.match(
      writeProof({ ...SHOWN_PROOF, agreement: { ...OFFERED, ...amounts } }),
      new RegExp(`\\nYou have in the end: ${you}\\n`),
    );
});

test("§16.2 a transaction of a proof is one memo of the wallet, and nothing else", () => {
  const text = SESSION_TEXT;
  const memo = (words = text, signer: Address = BUYER): Instruction => ({
    programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
    accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }],
    data: Buffer.from(words),
  });
  const shown = { account: BUYER, text };
  checkMemo(wire({ instructions: [memo()] }), shown);
  for (const instructions of [
    [memo(`${text} `)],
    [memo(), memo()],
    [memo(), transfer(BUYER, THIEF, 1n)],
    [memo(text, SHOP)],
    [],
  ])
    assert.throws(() => checkMemo(wire({ instructions }), shown), UnexpectedBytesError);
});

test("§16.3 every field of a sign-in is the page's own, and there is no other", () => {
  const { agreement: _, ...place } = SHOWN_PROOF;
  const uri = "https://pay.example/pay/p/1/case";
  const shown = { ...place, uri, chainId: "solana:mainnet", account: BUYER };
  const asked = {
    ...{ domain: place.host, address: BUYER, version: "1", uri, chainId: "solana:mainnet", nonce: place.nonce },
    statement: "Write in the dispute about this payment from this browser. This moves no money.",
    ...{ issuedAt: "2026-11-23T09:00:00.250Z", expirationTime: place.expiresAt, requestId: PAYMENT },
    resources: [
      `urn:holdfast:genesis:${place.genesis}`,
      `urn:holdfast:operator:${OPERATOR}`,
      `urn:holdfast:payment:${PAYMENT}`,
      "urn:holdfast:act:open_session",
    ],
  };
  checkSignIn(asked, shown);
  for (const forged of [
    { statement: "Accept the shop's offer, and end the dispute with these amounts." },
    { resources: [...asked.resources, "urn:holdfast:act:accept_offer"] },
    { domain: "evil.example" },
    { nonce: "1".repeat(32) },
    { expirationTime: "2027-11-23T09:10:00.250Z" },
    { issuedAt: "now\nResources:" },
    { notBefore: "2026-11-23T09:00:00.250Z" },
  ])
    assert.throws(() => checkSignIn({ ...asked, ...forged }, shown), UnexpectedBytesError, JSON.stringify(forged));
});
