import assert from "node:assert/strict";
import { test } from "node:test";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Instruction } from "@solana/kit";
import { memoInstruction } from "./memo.ts";
import { nameOf } from "./signedTransaction.ts";
import { anAddress } from "./testing/chain.ts";

const wallet = newWallet();
const [built, changed] = [anAddress(3), anAddress(4)];
const advanceNonce = (...rest: number[]): Instruction => ({
  programAddress: SYSTEM_PROGRAM_ID,
  data: Uint8Array.of(4, 0, 0, 0, ...rest),
});
const sign = (instructions: readonly Instruction[], blockhash: string, version: 0 | 1) => {
  const { wire, signature } = signTransaction({ instructions, wallets: [wallet], blockhash, version });
  return { text: Buffer.from(wire).toString("base64"), bytes: Buffer.from(wire), signature };
};

test("§4.14.11 a life goes by the blockhash that was signed, else by the signature alone; a nonce has no end", async () => {
  const memo = memoInstruction(wallet.address, "paid");
  for (const version of [0, 1] as const) {
    const [mine, other] = [sign([memo], built, version), sign([memo], changed, version)];
    assert.deepEqual(await nameOf(mine.text), { name: built, signature: mine.signature });
    // The wallet changed the blockhash and sent: these are the built bytes with the signature of what was sent.
    const at = version === 0 ? 1 : mine.bytes.length - 64;
    const mixed = Buffer.from(mine.bytes);
    other.bytes.copy(mixed, at, at, at + 64);
    assert.deepEqual(await nameOf(mixed.toString("base64")), { name: other.signature, signature: other.signature });
    const unsigned = Buffer.from(mine.bytes).fill(0, at, at + 64);
    assert.equal((await nameOf(unsigned.toString("base64")))?.name, built);
    for (const nonce of [advanceNonce(), advanceNonce(1)])
      assert.equal((await nameOf(sign([nonce, memo], built, version).text))?.name, null);
  }
  assert.equal(await nameOf("bm90aGluZw=="), null);
});
