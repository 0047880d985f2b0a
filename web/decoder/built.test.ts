import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkTransaction, type ShownPayment, UnexpectedBytesError } from "./index.ts";

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
