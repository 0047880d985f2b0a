import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  checkAction,
  checkPlainForm,
  checkTransaction,
  type PlainInstruction,
  type ShownAction,
  type ShownPayment,
  toBase58,
  UnexpectedBytesError,
} from "./index.ts";

interface Case {
  readonly what: string;
  /** True: as the server built it; false: some of it was changed. */
  readonly isExpected: boolean;
  readonly shown: Omit<ShownPayment, "networkLamports"> & { readonly networkLamports: string };
  readonly notAfter: number | null;
  readonly transaction: string;
}

/** Transactions that the server built on the local chain for every kind of token, and the same ones tampered with. */
const CASES = JSON.parse(readFileSync(new URL("built.json", import.meta.url), "utf8")) as Case[];

const check = ({ shown, transaction }: Case) =>
  checkTransaction(new Uint8Array(Buffer.from(transaction, "base64")), {
    ...shown,
    networkLamports: BigInt(shown.networkLamports),
  });

for (const one of CASES)
  if (one.isExpected)
    test(`what the server builds is what the page shows: ${one.what}`, () => {
      const { notAfter, networkLamports } = check(one);
      assert.deepEqual([notAfter, networkLamports.toString()], [one.notAfter, one.shown.networkLamports]);
    });
  else
    test(`a built transaction with ${one.what} is refused`, () => {
      assert.throws(() => check(one), UnexpectedBytesError);
    });

interface BuiltAction {
  readonly what: string;
  readonly shown: Omit<ShownAction, "networkLamports"> & { readonly networkLamports: string };
  readonly makesTokenAccount: boolean;
  readonly transaction: string;
  readonly instructions?: readonly PlainInstruction[];
}

/** Actions that the server built on the local chain, for three kinds of token. */
const ACTIONS = JSON.parse(readFileSync(new URL("builtActions.json", import.meta.url), "utf8")) as BuiltAction[];

const bytesOf = ({ transaction }: Pick<BuiltAction, "transaction">) =>
  new Uint8Array(Buffer.from(transaction, "base64"));
const shownBy = ({ shown }: BuiltAction, given: Partial<ShownAction> = {}): ShownAction => ({
  ...shown,
  networkLamports: BigInt(shown.networkLamports),
  ...given,
});

for (const one of ACTIONS)
  test(`what the server builds is what the page shows: ${one.what}`, () => {
    const { networkLamports, makesTokenAccount } = checkAction(bytesOf(one), shownBy(one));
    assert.equal(networkLamports.toString(), one.shown.networkLamports);
    assert.equal(makesTokenAccount, one.makesTokenAccount);
    checkAction(bytesOf(one), shownBy(one, { tokenProgram: null, rentPayer: null }));
    if (one.instructions !== undefined) checkPlainForm(bytesOf(one), one.instructions);
  });

test("a built action is refused on the page of every other action, payment and total", () => {
  const isSame = (one: BuiltAction, other: BuiltAction) =>
    (["payment", "action", "total"] as const).every((name) => one.shown[name] === other.shown[name]);
  const pairs = ACTIONS.flatMap((one) =>
    ACTIONS.filter((other) => !isSame(one, other)).map((other) => [one, other] as const),
  );
  assert.ok(pairs.length > 1_200);
  for (const [one, other] of pairs) {
    // Wallet, sponsor and fee would do.
    const { account, sponsors = [], networkLamports } = shownBy(one);
    const page = shownBy(other, { account, sponsors, networkLamports });
    assert.throws(
      () => checkAction(bytesOf(one), page),
      UnexpectedBytesError,
      `${one.what} on the page of ${other.what}`,
    );
  }
});

test("a built action with any byte of its accounts changed is refused, save the two that the program compares", () => {
  for (const one of ACTIONS) {
    const { account, programId, operator, payment } = one.shown;
    const bytes = bytesOf(one);
    const at = [account, programId, operator, payment].map((address) => placeOf(bytes, address));
    for (const place of at) {
      const changed = Uint8Array.from(bytes);
      changed[place + 31] = changed[place + 31]! ^ 1;
      assert.throws(() => checkAction(changed, shownBy(one)), UnexpectedBytesError, one.what);
    }
  }
});

/** The place of an address among a message's accounts. */
function placeOf(bytes: Uint8Array, address: string): number {
  const accounts = 1 + 64 * bytes[0]! + 5;
  for (let place = accounts; place + 32 <= bytes.length; place += 32)
    if (toBase58(bytes.subarray(place, place + 32)) === address) return place;
  return assert.fail(`${address} is not there`);
}
