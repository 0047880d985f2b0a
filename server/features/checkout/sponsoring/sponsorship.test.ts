import assert from "node:assert/strict";
import { test } from "node:test";
import { maySponsor } from "./sponsorship.ts";

const terms = { asset: "usdc", amount: "5000000", recipient: "shop" };
const sponsors = {
  addresses: ["sponsor-1", "sponsor-2"],
  limits: { amountsMin: new Map([["usdc", 5_000_000n]]), hourMax: 0n, dayMax: 0n, boundMax: 0n },
};

test("a sponsor pays from the least amount of a named token on, and for no wallet of its own", () => {
  assert.equal(maySponsor(terms, "buyer", sponsors), true);
  assert.equal(maySponsor({ ...terms, amount: "4999999" }, "buyer", sponsors), false);
  assert.equal(maySponsor({ ...terms, asset: "other" }, "buyer", sponsors), false);
  assert.equal(maySponsor({ ...terms, recipient: "sponsor-2" }, "buyer", sponsors), false);
  assert.equal(maySponsor(terms, "sponsor-1", sponsors), false);
});
