import assert from "node:assert/strict";
import { test } from "node:test";
import { readWireTransaction, WireError, type WireTransaction } from "@holdfast/devnet/ledger/wire.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import fc from "fast-check";
import { memoInstruction } from "./memo.ts";
import { anAddress } from "./testing/chain.ts";
import { readTransaction } from "./wireTransaction.ts";

const wallet = newWallet();
const memo = (bytes: number) => memoInstruction(wallet.address, "a".repeat(bytes));
const sign = (instructions: readonly Instruction[], version: 0 | 1 = 1) =>
  Buffer.from(signTransaction({ instructions, wallets: [wallet], blockhash: anAddress(3), version }).wire);
const naming = (count: number): Instruction => ({
  programAddress: anAddress(1),
  accounts: Array.from({ length: count }, (_, at) => ({
    address: anAddress(at + 2) as Address,
    role: AccountRole.READONLY,
  })),
});

const read = (bytes: Uint8Array) => readTransaction(Buffer.from(bytes).toString("base64"));
const reasonFor = (bytes: Uint8Array): string | null => {
  const answer = read(bytes);
  return answer.kind === "invalid" ? answer.reason : null;
};
const put = (bytes: Uint8Array, at: number, value: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed;
};

test("§4.14.12 a transaction of version 1 is read up to its limits, and says which one it breaks", () => {
  const own = sign([memo(1)]);
  const frame = sign([memo(0)]).length;
  const most = sign([memo(4_096 - frame)]);
  for (const good of [own, most, sign([naming(62)]), sign(Array.from({ length: 64 }, () => memo(1)))])
    assert.equal(reasonFor(good), null);
  const answer = read(own);
  assert.ok(answer.kind === "read" && answer.isWhole);
  assert.deepEqual([answer.version, answer.signers], [1, [wallet.address]]);
  assert.equal(Buffer.from(answer.instructions[0]!.data).toString(), "a");

  const twice = Buffer.from(sign([naming(3)]));
  twice.copyWithin(42 + 32, 42 + 64, 42 + 96);
  for (const [bytes, reason] of [
    [sign([memo(4_097 - frame)]), "it has more than 4096 bytes"],
    [Buffer.concat([sign([memo(1)], 0), Buffer.alloc(1_232)]), "it has more than 1232 bytes"],
    [own.subarray(0, 41), "it is cut off"],
    [own.subarray(0, -1), "it is cut off"],
    [Buffer.concat([own, Buffer.alloc(1)]), "it has bytes that mean nothing"],
    [Buffer.concat([own.subarray(0, -64), Buffer.alloc(1), own.subarray(-64)]), "it has bytes that mean nothing"],
    [put(own, 1, 0), "nobody signs it"],
    [put(own, 1, 13), "it has more than 12 signatures"],
    [put(own, 1, 3), "it has more signatures than accounts"],
    [put(own, 40, 65), "it has more than 64 instructions"],
    [put(own, 41, 65), "it names more than 64 accounts"],
    [put(own, 4, own[4]! | 1), "its priority fee is half there"],
    [put(own, 4, own[4]! | 2), "its priority fee is half there"],
    [put(own, 4, own[4]! | 32), "it asks for something unknown"],
    [put(own, 7, 128), "it asks for something unknown"],
    [twice, "it names an account twice"],
    [put(own, 42 + 2 * 32 + 8, 2), "it names a program that is not there"],
    [put(own, 0, 0x82), "its bytes are no transaction"],
  ] as const)
    assert.equal(reasonFor(bytes), reason);
  for (const text of ["", "?", `${own.toString("base64")}=`])
    assert.deepEqual(readTransaction(text), { kind: "invalid", reason: "it is not base64" });
});

test("what another reader of the format reads, this one reads alike, whatever was changed in it; it never throws", () => {
  const originals = [sign([memo(9), naming(5), memo(0)]), sign([memo(9), naming(5), memo(0)], 0)];
  const change = fc.tuple(fc.nat(2_000), fc.nat(255));
  const spoilt = fc.tuple(
    fc.constantFrom(...originals),
    fc.array(change, { maxLength: 3 }),
    fc.integer({ min: -3, max: 3 }),
  );
  fc.assert(
    fc.property(spoilt, ([bytes, changes, grown]) => {
      const longer = Buffer.concat([bytes, Buffer.alloc(Math.max(grown, 0))]).subarray(0, bytes.length + grown);
      const changed = Buffer.from(longer);
      for (const [at, value] of changes) changed[at % changed.length] = value;
      const other = readByOther(changed);
      const own = read(changed);
      if (other === null) return;
      assert.ok(own.kind === "read", own.kind === "invalid" ? own.reason : "");
      assert.deepEqual([own.version, own.blockhash], [other.version, other.blockhash]);
      const named = other.instructions.map(({ programIdIndex, accounts, data }) => ({
        program: other.staticKeys[programIdIndex],
        accounts: accounts.map((index) => other.staticKeys[index]),
        data: Buffer.from(data),
      }));
      assert.deepEqual(
        own.instructions.map((one) => ({ ...one, data: Buffer.from(one.data) })),
        named,
      );
    }),
    { numRuns: 2_000 },
  );
});

function readByOther(bytes: Uint8Array): WireTransaction | null {
  try {
    return readWireTransaction(bytes);
  } catch (error) {
    assert.ok(error instanceof WireError, String(error));
    return null;
  }
}
