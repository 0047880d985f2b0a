import assert from "node:assert/strict";
import test from "node:test";
import { getBase58Decoder } from "@solana/kit";
import * as fc from "fast-check";
import { addressBytes, fromBase58, toBase58 } from "../ledger/base58.ts";
import { Ledger } from "../ledger/ledger.ts";
import { tokenAmount } from "../ledger/tokens.ts";
import { readWireMessage, readWireTransaction, WireError } from "../ledger/wire.ts";
import { aChain, aFolder, aTransfer } from "../testing/harness.ts";

test("base58 is kit's, both ways, for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const text = toBase58(bytes);
      assert.equal(text, getBase58Decoder().decode(bytes));
      assert.deepEqual(fromBase58(text), bytes);
    }),
  );
  for (const text of ["0", "O", "I", "l", "é", " "]) assert.equal(fromBase58(text), null);
  assert.equal(addressBytes("1".repeat(33)), null);
});

test("no bytes break the reader of transactions: they are read or refused", async (t) => {
  const net = await aChain(t);
  const { ledger } = net.chain;
  const check = (bytes: Uint8Array) => {
    try {
      readWireMessage(bytes);
    } catch (error) {
      assert.ok(error instanceof WireError, String(error));
    }
    try {
      const read = readWireTransaction(bytes);
      // The machine ends the process for bytes that it cannot read.
      const keys = ledger.resolve(read);
      if (!("failure" in keys)) ledger.simulate(read, false, keys.all);
    } catch (error) {
      assert.ok(error instanceof WireError, String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check));
  for (const { wire } of [aTransfer(net), aTransfer(net, { version: 1 })]) {
    check(wire);
    for (let at = 0; at < wire.length; at++)
      for (const value of [0, 1, 2, 32, 65, 128, 255]) check(Uint8Array.from(wire).fill(value, at, at + 1));
    const spoilt = fc.array(fc.tuple(fc.nat(wire.length - 1), fc.nat(255)), { maxLength: 3 });
    fc.assert(
      fc.property(spoilt, (changes) => {
        const changed = Uint8Array.from(wire);
        for (const [at, value] of changes) changed[at] = value;
        check(changed);
      }),
    );
    for (let length = 0; length < wire.length; length++)
      assert.throws(() => readWireTransaction(wire.subarray(0, length)), WireError);
  }
});

test("amounts are written in decimals without losing a unit", () => {
  assert.equal(tokenAmount(0n, 6).uiAmountString, "0");
  assert.equal(tokenAmount(1n, 6).uiAmountString, "0.000001");
  assert.equal(tokenAmount(2n ** 64n - 1n, 9).uiAmountString, "18446744073.709551615");
  assert.equal(tokenAmount(1_500_000n, 6).uiAmountString, "1.5");
  assert.equal(tokenAmount(7n, 0).uiAmountString, "7");
});

test("a chain that is cut off after any number of idle slots comes back at no older slot, at any commitment", (t) => {
  const dir = aFolder(t);
  const genesis = () => ({ hash: "7".repeat(43), accounts: [] });
  const open = () =>
    new Ledger({
      dir,
      confirmedAfter: 2,
      finalizedAfter: 4,
      blockTimeAfter: 1,
      skipEvery: null,
      programs: [],
      genesis,
      now: Date.now,
    });
  let ledger = open();
  for (let idle = 0; idle < 60; idle += 7) {
    for (let i = 0; i < idle; i++) ledger.tick();
    const seen = (["processed", "confirmed", "finalized"] as const).map((level) => ledger.slots.at(level));
    // The ledger is not closed: a killed process leaves only what it had synced.
    ledger = open();
    const now = (["processed", "confirmed", "finalized"] as const).map((level) => ledger.slots.at(level));
    assert.ok(
      now.every((slot, at) => slot >= seen[at]!),
      `${seen} then ${now}`,
    );
  }
});
