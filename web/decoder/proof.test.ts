import assert from "node:assert/strict";
import { test } from "node:test";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { UnexpectedBytesError } from "./message.ts";
import { checkMemo, checkProof, type ShownProof, writeProof } from "./proof.ts";
import { ARBITER, BUYER, OPERATOR, SHOP, THIEF, transfer, wire } from "./testing.ts";

const PAYMENT = ARBITER;
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
  const memo = (memoText = text, signer: Address = BUYER): Instruction => ({
    programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
    accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }],
    data: Buffer.from(memoText),
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
