import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { newBuyer, requireMemos } from "../harness/chain.ts";
import { assertError, newMerchant, someTerms } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

/** A shop whose creates may name saved recipients alone: the service's own, and one more. */
async function openShop(email: string) {
  const shop = await newMerchant(service);
  const { link } = await admin(service, "user", "add", email);
  const { origin } = new URL(link);
  const owner = new Browser(`http://localhost:${service.port}`, origin);
  const password = "correct horse battery";
  await owner.post("/password-resets/complete", { link: link.split("#link=")[1], password });
  await admin(service, "member", "add", shop.business, email, "--role", "owner");
  assert.equal((await owner.post("/sign-in", { email, password })).status, 200);
  const tenant = `/businesses/${shop.business}/test`;
  const second: string = service.wallets["buyer-1"].address;
  for (const [address, label] of [
    [service.recipient, "First"],
    [second, "Second"],
  ]) {
    const accepted = ["unused", "off_curve", "owned_by_program", "unread"];
    assert.equal((await owner.post(`${tenant}/recipients`, { address, label, accepted })).status, 201);
  }
  assert.equal((await owner.send("PUT", `${tenant}/saved-recipients-only`, { isOn: true })).status, 200);
  return { shop, owner, tenant, second };
}

test("§4.1.6 a key cannot name another recipient than a saved one, and the refusal says where to save it", async () => {
  const { shop, second } = await openShop("only@saved.example");
  const terms = someTerms(service, { recipient: service.wallets["buyer-2"].address });
  const keyed = { "Idempotency-Key": "thief" };
  const refused = await shop.call("POST", "/payment-intents", terms, Object.entries(keyed));
  assertError(refused, 400, "invalid_request", "recipient");
  assert.match(refused.json.error.message, /saved recipients alone.*dashboard, under Recipients/);
  const again = await shop.call("POST", "/payment-intents", terms, Object.entries(keyed));
  assert.deepEqual([again.status, again.headers["idempotent-replayed"]], [400, "true"]);
  assert.deepEqual((await shop.get("/payment-intents")).json.data, []);
  for (const recipient of [service.recipient, second])
    assert.equal((await shop.create({ recipient })).recipient, recipient);
  const held = someTerms(service);
  assert.equal((await shop.call("POST", "/payment-intents", held)).status, 201);
  assertError(
    await shop.call("POST", "/payment-intents", { ...held, recipient: service.wallets["buyer-2"].address }),
    400,
    "invalid_request",
    "recipient",
  );
});

test("§4.1.6 no create that begins after a recipient's removal was answered names it, however many run meanwhile", async () => {
  const { shop, owner, tenant, second } = await openShop("race@saved.example");
  let isRemoved = false;
  const create = async (recipient: string = service.recipient) =>
    (await shop.call("POST", "/payment-intents", someTerms(service, { recipient }))).status;
  const early = [0, 0];
  const work = async () => {
    for (let late = 0; late < 3; ) {
      const isLate = isRemoved;
      // Others are not touched by it, in the same statements.
      const [status, other] = await Promise.all([create(second), create()]);
      assert.equal(other, 201);
      if (isLate) assert.equal(status, 400, `create ${++late} after the removal`);
      else early[status === 201 ? 0 : 1]!++;
    }
  };
  const workers = Array.from({ length: 6 }, work);
  assert.equal(await create(second), 201);
  assert.equal((await owner.send("DELETE", `${tenant}/recipients/${second}`)).status, 200);
  isRemoved = true;
  await Promise.all(workers);
  assert.ok(early[0]! > 0, "some were made before it");
});

test("§13.11.2 a wallet whose token account asks for memos is saved only once a person has accepted that", async () => {
  const { owner, tenant } = await openShop("memo@saved.example");
  const asset = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
  const wallet = await newBuyer(service, asset);
  const warnings = async () => {
    const { json } = await owner.post(`${tenant}/recipients/check`, { address: wallet.address });
    return json.warnings.map(({ code }: { readonly code: string }) => code);
  };
  assert.ok(!(await warnings()).includes("memo_required"));
  await requireMemos(service, wallet, asset, true);
  await eventually("the chain shows it", async () => (await warnings()).includes("memo_required"));
  const add = (accepted: readonly string[]) =>
    owner.post(`${tenant}/recipients`, { address: wallet.address, label: "Memos", accepted });
  const refused = await add([]);
  assert.deepEqual([refused.status, refused.json.error.reason], [409, "recipient_doubtful"]);
  assert.equal((await add(await warnings())).status, 201);
});
