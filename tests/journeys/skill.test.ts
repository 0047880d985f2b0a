import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Merchant, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { PROJECT_ROOT, type RunningService, sharedService } from "../harness/service.ts";

const skill = readFileSync(join(PROJECT_ROOT, "SKILL.md"), "utf8");
const code = /^```js\n(\/\/ holdfast\.mjs\n.*?)^```$/ms.exec(skill)?.[1];

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

/** Makes the intent of an order by the code of SKILL.md, as it stands there. */
async function createIntent(orderId: string): Promise<Wire> {
  const { recipient, asset, amount, protectionPeriod } = someTerms(service);
  const given = JSON.stringify({ recipient, asset, amount, protectionPeriod });
  const last = `console.log(JSON.stringify(await createIntent(${JSON.stringify(orderId)}, ${given})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", `${code}\n${last}`], {
    env: { ...process.env, HOLDFAST_API_URL: service.apiUrl, HOLDFAST_API_KEY: shop.key },
  });
  return JSON.parse(stdout);
}

test("the code of SKILL.md gives an order one intent, and another one once that was canceled", async () => {
  const first = await createIntent("order-1");
  assert.equal((await createIntent("order-1")).id, first.id);
  const intents = [first];
  for (let canceled = 0; canceled < 2; canceled++) {
    const { status } = await shop.call("POST", `/payment-intents/${intents.at(-1)!.id}/cancel`);
    assert.equal(status, 200);
    const next = await createIntent("order-1");
    assert.equal((await createIntent("order-1")).id, next.id);
    intents.push(next);
  }
  assert.equal(new Set(intents.map(({ id }) => id)).size, 3);
});
