import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransactionLife } from "../../../chain/lifetime.ts";
import type { SignatureStatus } from "../../../chain/port.ts";
import { testContext } from "../../testing.ts";
import { endOf } from "./follow.ts";

const one = { businessId: "biz", intentId: "pi", id: "1", signed: "AQ==", signature: "signature" };

const endWith = async (status: SignatureStatus, life: TransactionLife | null) => {
  const builder = { fetchAgreedLife: async () => life };
  return (
    (await endOf(testContext({ chain: { builder } }), one as never, status, new AbortController().signal))?.status ??
    null
  );
};
const final = (failed: boolean) => ({ commitment: "finalized", failed }) as SignatureStatus;

test("§4.14.9 a budget is freed only by an end in which the nodes agree", async () => {
  const ended = { kind: "ended", slot: 10 } as const;
  assert.equal(await endWith(null, ended), "expired");
  assert.equal(await endWith(null, { kind: "live", msLeft: 0 }), null);
  assert.equal(await endWith(null, null), null);
  assert.equal(await endWith(final(true), { kind: "failed" }), "failed");
  assert.equal(await endWith(final(true), null), null);
  assert.equal(await endWith(final(true), ended), null);
  assert.equal(await endWith(final(false), null), "landed");
});
