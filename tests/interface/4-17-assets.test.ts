import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { control } from "../harness/chain.ts";
import { assertError, type Merchant, newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

test("§4.17 a token is shown as a create judges it, read from the chain at the first question", async () => {
  const answer = await shop.get(`/assets/${WRAPPED_SOL}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, {
    object: "asset",
    mint: WRAPPED_SOL,
    symbol: "SOL",
    name: "Wrapped SOL",
    decimals: 9,
    tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    accepted: true,
    reason: null,
  });
  const known = (await shop.get(`/assets/${service.asset}`)).json;
  assert.deepEqual([known.symbol, known.name, known.decimals, known.accepted], ["USDC", "USD Coin", 6, true]);
  assert.match((await shop.get(`/assets/${PYUSD}`)).json.tokenProgram, /^TokenzQd/);
});

test("§4.17 an address without a mint is 404, and so is a text that is no address", async () => {
  for (const address of [service.recipient, service.programId, "x", `${service.asset}1`, "%20", "a".repeat(300)])
    assertError(await shop.get(`/assets/${address}`), 404, "not_found");
});

test("§4.17 while the chain is away, known tokens are answered, others are 503 with Retry-After", async () => {
  const unknown = service.wallets["buyer-1"].address;
  await control(service, "/faults", { mode: "server_error" });
  try {
    const answer = await shop.get(`/assets/${unknown}`);
    assertError(answer, 503, "unavailable");
    assert.equal(answer.headers["retry-after"], "2");
    assert.equal((await shop.get(`/assets/${service.asset}`)).status, 200);
  } finally {
    await control(service, "/faults", { mode: "none" });
  }
  assertError(await shop.get(`/assets/${unknown}`), 404, "not_found");
});
