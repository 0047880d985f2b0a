import assert from "node:assert/strict";
import { test } from "node:test";
import { hashTerms, termsText } from "@holdfast/escrow-client";
import inject from "light-my-request";
import { type BuyerDoorDeps, registerBuyerDoor } from "../../../edge/buyer/door.ts";
import { createServer } from "../../../edge/http/server.ts";
import { testContext } from "../../testing.ts";
import type { BuyerContext } from "../context.ts";
import { payingRoutes } from "./buyer.ts";
import { openWithIntents } from "./fixtures.ts";
import { saveBuilt } from "./queries.ts";

test("§4.13.3 a text of version 1 is shown without its intent, and says that its hash is of the whole text", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const { id, paymentId, recipient, amount, asset, protectionPeriod } = intent;
  const common = {
    ...{ paymentId, operator: null, recipient, amount, asset, protectionPeriod },
    ...{ expiresAt: intent.expiresAt.toISOString(), arbiter: null, business: { name: "Shop", domain: null } },
    refundPolicyHash: null,
  };
  const show = async (terms: Parameters<typeof hashTerms>[0]) => {
    const hash = await hashTerms(terms);
    const kept = { account: "a", until: now, terms: { text: termsText(terms), hash } };
    await saveBuilt(database, intent, kept, now);
    const routes = payingRoutes(testContext<BuyerContext>({ database }));
    const { app } = createServer([]);
    registerBuyerDoor(app, {
      routes,
      checkoutUrl: "http://localhost",
      addressHeader: null,
    } as unknown as BuyerDoorDeps);
    return (await inject(app.dispatch, `/pay/terms/${hash}`)).body;
  };
  const before = await show({ v: 1, intent: id, ...common });
  assert.ok(!before.includes(id), before);
  const { note, ...fields } = JSON.parse(before);
  assert.match(note, /hash is that of the whole text/);
  assert.deepEqual(fields, { v: 1, ...common });
  const after = { v: 2, nonce: "AAECAwQFBgcICQoLDA0ODw", ...common } as const;
  assert.equal(await show(after), termsText(after));
});
