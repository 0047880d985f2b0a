import assert from "node:assert/strict";
import { test } from "node:test";
import { testContext } from "../features/testing.ts";
import { openTestDatabase } from "../store/testing.ts";
import { x402Intents } from "./x402Intents.ts";

test("§4.23 an offer that ends while its payment is tried is expired", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { makeIntent } = x402Intents(testContext({ database: opened.database, checkTerms: async () => undefined }));
  const address = "9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y";
  const offer = {
    ...{ recipient: address, asset: address, operator: address, arbiter: address, amount: "5", paymentId: "7" },
    protectionPeriod: "sevenDays",
    expiresAt: new Date(Date.now() - 1_000),
    terms: { text: "{}", hash: "" },
  } as const;
  const ended = makeIntent({ businessId: "biz_1", environment: "test" }, offer);
  await assert.rejects(ended, { code: "expired", status: 409 });
});
