import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { act, pay } from "../../tests/harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../../tests/harness/merchant.ts";
import { PROJECT_ROOT, type RunningService, sharedService } from "../../tests/harness/service.ts";

// The code of SKILL.md, as it stands there, in front of a real service.
const SECRET = "whsec_of-the-skill";
const code = /^```js\n(\/\/ holdfast\.mjs\n.*?)^```$/ms.exec(readFileSync(join(PROJECT_ROOT, "SKILL.md"), "utf8"))?.[1];

let service: RunningService;
let shop: Merchant;
let folder: string;
let skill: Wire;
before(async () => {
  assert.ok(code !== undefined, "the skill has code");
  service = await sharedService();
  shop = await newMerchant(service);
  folder = mkdtempSync(join(tmpdir(), "holdfast-skill-"));
  writeFileSync(join(folder, "holdfast.mjs"), code);
  // The module reads its settings when it is loaded.
  const { env } = process;
  process.env = {
    ...{ ...env, HOLDFAST_API_URL: service.apiUrl, HOLDFAST_API_KEY: shop.key },
    ...{ HOLDFAST_WEBHOOK_SECRET: SECRET, HOLDFAST_ENVIRONMENT: "test" },
  };
  try {
    skill = await import(pathToFileURL(join(folder, "holdfast.mjs")).href);
  } finally {
    // Other files share the process.
    process.env = env;
  }
});
after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("the skill's code creates one intent for an order, and fulfils it until it is refunded", async () => {
  const terms = { recipient: service.recipient, asset: service.asset, amount: "5000000", protectionPeriod: "oneDay" };
  const [intent, repeated] = await Promise.all([1, 2].map(() => skill.createIntent("order-1", terms)));
  assert.equal(repeated.id, intent.id);
  const ended = await skill.createIntent("order-0", terms);
  await shop.cancel(ended.id);
  assert.notEqual((await skill.createIntent("order-0", terms)).id, ended.id);
  await assert.rejects(skill.createIntent("order-2", { ...terms, amount: "5.0" }), { status: 400, param: "amount" });
  const { payment } = await pay(service, intent);
  for await (const event of skill.follow()) {
    const isPaid = event.type === "payment_intent.paid";
    assert.equal(await skill.mayFulfil(event), isPaid, event.type);
    if (isPaid) {
      await act(service, service.wallets.recipient, "refund", payment);
      for await (const { type } of skill.follow(event.sequence)) if (type === "payment.refunded") break;
      assert.equal(await skill.mayFulfil(event), false, "the event that came again shows it as it was paid");
      break;
    }
  }
});

test("the skill's code takes a delivery only with a signature of the last five minutes over the bytes as they came", () => {
  const signed = (body: string, seconds: number) =>
    `t=${seconds},v1=${createHmac("sha256", SECRET).update(`${seconds}.${body}`).digest("hex")}`;
  const now = Math.floor(Date.now() / 1_000);
  assert.equal(skill.isGenuine(Buffer.from("{}"), signed("{}", now)), true);
  for (const header of [signed("{ }", now), signed("{}", now - 400), `t=${now},v1=`, "", undefined])
    assert.equal(skill.isGenuine(Buffer.from("{}"), header), false, header);
});
