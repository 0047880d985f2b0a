import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findOperatorAddress,
  SYSTEM_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { MINT_BYTES_MAX, parseMint, recipientKind } from "./mint.ts";
import { anAddress, programId } from "./testing/chain.ts";

/** The address of RFC 8032's first test key, and one that is no point of the curve. */
const WALLET = "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z";
const OFF_CURVE = await findOperatorAddress({ programId, authority: anAddress(1) });

const account = (data: Uint8Array, owner: string = TOKEN_2022_PROGRAM_ID) => ({
  data,
  space: data.length,
  owner,
  executable: false,
  lamports: 1n,
});

function aMint(size = 82): Uint8Array {
  const data = new Uint8Array(size);
  data[44] = 9;
  data[45] = 1;
  if (size > 165) data[165] = 1;
  return data;
}

function extended(...extensions: readonly (readonly [type: number, value: readonly number[]])[]): Uint8Array {
  const list = extensions.flatMap(([type, value]) => [
    type & 255,
    type >> 8,
    value.length & 255,
    value.length >> 8,
    ...value,
  ]);
  const data = aMint(166 + list.length);
  data.set(list, 166);
  return data;
}

test("a plain mint of either token program is safe", () => {
  for (const owner of [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]) {
    assert.deepEqual(parseMint(account(aMint(), owner)), { decimals: 9, tokenProgram: owner, riskyExtensions: [] });
  }
});

const cases: readonly [string, Uint8Array, readonly string[]][] = [
  ["a transfer fee", extended([1, Array(108).fill(0)]), ["transferFee"]],
  ["a permanent delegate", extended([12, Array(32).fill(1)]), ["permanentDelegate"]],
  ["a transfer hook", extended([14, Array(64).fill(1)]), ["transferHook"]],
  ["somebody who may close it", extended([3, Array(32).fill(1)]), ["closeAuthority"]],
  ["non-transferable", extended([9, []]), ["nonTransferable"]],
  ["frozen by default", extended([6, [2]]), ["defaultFrozen"]],
  ["a default state that is not frozen", extended([6, [1]]), []],
  [
    "what changes nothing for the escrow",
    extended([3, Array(32).fill(0)], [18, Array(64).fill(0)], [26, Array(33).fill(0)]),
    [],
  ],
  [
    "several",
    extended([18, Array(64).fill(0)], [12, Array(32).fill(1)], [1, Array(108).fill(0)]),
    ["permanentDelegate", "transferFee"],
  ],
  ["an extension nobody knows", extended([999, [1]]), ["unknown999"]],
  ["padding after the list", extended([18, []], [0, []], [1, []]), []],
  ["a length beyond the end", extended([18, [0]]).subarray(0, 170), ["unread"]],
];
for (const [name, data, expected] of cases) {
  test(`§4.1.4 a mint with ${name} is ${expected.length === 0 ? "safe" : expected.join(", ")}`, () => {
    assert.deepEqual(parseMint(account(data))?.riskyExtensions, expected);
  });
}

test("a mint longer than what is read is not called safe", () => {
  const whole = extended([19, Array(5_000).fill(0)]);
  assert.deepEqual(parseMint(account(whole.subarray(0, MINT_BYTES_MAX)))?.riskyExtensions, ["unread"]);
});

test("what is no mint is none", () => {
  assert.equal(parseMint(null), null);
  assert.equal(parseMint(account(aMint(), SYSTEM_PROGRAM_ID)), null);
  assert.equal(parseMint(account(new Uint8Array(82), TOKEN_PROGRAM_ID)), null, "not initialized");
  assert.equal(parseMint(account(aMint(165))), null, "a token account");
  assert.equal(parseMint(account(aMint(355))), null, "a multisig");
  assert.equal(parseMint(account(aMint(170), TOKEN_PROGRAM_ID)), null, "SPL Token knows no extensions");
  const tokenAccount = aMint(170);
  tokenAccount[165] = 2;
  assert.equal(parseMint(account(tokenAccount)), null, "a token account with extensions");
});

test("§4.1.3 programs and accounts of the token programs and the escrow are no recipients; vaults and unused addresses are", () => {
  const kindOf = (shown: Parameters<typeof recipientKind>[1], address: string = WALLET) =>
    recipientKind(address, shown, programId);
  assert.equal(kindOf(null), "wallet");
  assert.equal(kindOf(account(new Uint8Array(0), SYSTEM_PROGRAM_ID)), "wallet");
  assert.equal(kindOf(account(new Uint8Array(500), anAddress(50)), OFF_CURVE), "wallet", "of a multisig");
  assert.equal(kindOf(account(new Uint8Array(500), anAddress(50))), "unsignable", "a key whose account a program has");
  for (const owner of [
    ...["Vote111111111111111111111111111111111111111", "Stake11111111111111111111111111111111111111"],
    ...["AddressLookupTab1e1111111111111111111111111", "BPFLoaderUpgradeab1e11111111111111111111111"],
    ...["Sysvar1111111111111111111111111111111111111", "Config1111111111111111111111111111111111111"],
  ])
    for (const one of [WALLET, OFF_CURVE])
      assert.equal(kindOf(account(new Uint8Array(200), owner), one), "unsignable", owner);
  assert.equal(kindOf(account(new Uint8Array(165), TOKEN_PROGRAM_ID)), "token_program_account");
  assert.equal(kindOf(account(aMint())), "token_program_account");
  assert.equal(kindOf({ ...account(new Uint8Array(36), anAddress(51)), executable: true }), "program");
  for (const size of [56, 136, 312]) assert.equal(kindOf(account(new Uint8Array(size), programId)), "escrow_account");
});
