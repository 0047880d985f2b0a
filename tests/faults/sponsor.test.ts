import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { assertRefused } from "../harness/buyer.ts";
import { act, control, rpc } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { request, sign } from "../harness/solanaPay.ts";
import { eventually } from "../harness/wait.ts";
import { type OpenService, startOpenService } from "./serviceDatabase.ts";
import { askSurely, assertBalanced, attackSponsor, SPONSOR_ENV } from "./sponsor.ts";
import { ASSERTIONS, drainByGuard } from "./sponsorAttacks.ts";

let service: OpenService;
let shop: Merchant;
before(async () => {
  service = await startOpenService({ env: SPONSOR_ENV });
  shop = await newMerchant(service);
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
});
after(() => service?.remove());

const AMOUNT = "2500000";

/** A buyer with tokens and no SOL, once nodes show it. */
async function aBuyer(intent: Wire): Promise<LocalWallet> {
  const buyer = newWallet();
  await control(service, "/faucet", { address: buyer.address, asset: service.asset, amount: "1000000000" });
  await eventually("the tokens are confirmed", async () => {
    const answer = await askSurely(service, intent, "build", { account: buyer.address });
    return answer.json.error.code === "insufficient_sol" ? answer : null;
  });
  return buyer;
}
const build = async (intent: Wire, buyer: LocalWallet): Promise<Wire> => {
  const answer = await askSurely(service, intent, "build", { account: buyer.address, sponsored: true });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.sponsored, true);
  return answer.json;
};
const submit = (intent: Wire, transaction: string) => askSurely(service, intent, "submit", { transaction });
const balanceOf = async (address: string): Promise<bigint> =>
  BigInt((await rpc<{ value: number }>(service, "getBalance", address, { commitment: "confirmed" })).value);
const figureOf = async (name: string): Promise<bigint> => {
  const { text } = await exchange("GET", `http://localhost:${service.port}/metrics`);
  const line = text.split("\n").find((one) => one.startsWith(`${name}{environment="test"`));
  return BigInt(line?.split(" ").at(-1) ?? "-1");
};
const sponsorOf = () => service.wallets.sponsor.address;

test("§4.14.9 a buyer without SOL pays from the page: the wallet signs, then the sponsor; the rents come back to it", async () => {
  const intent = await shop.create({ amount: AMOUNT, protectionPeriod: "oneHour" });
  const buyer = await aBuyer(intent);
  const [before, lostBefore] = [await balanceOf(sponsorOf()), await figureOf("holdfast_sponsor_lost_lamports")];
  const built = await build(intent, buyer);
  const signed = signWith(built.transaction, buyer).transaction;
  const answers = await Promise.all([submit(intent, signed), submit(intent, signed)]);
  const taken = answers.filter(({ status }) => status === 202);
  // Both were handed in at once, so the second may find the intent paid already.
  assert.ok(taken.length >= 1, answers.map(({ text }) => text).join());
  assert.equal(new Set(taken.map(({ json }) => json.signature)).size, 1);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([payment.sender, payment.id, payment.termsKnown], [buyer.address, built.payment, true]);
  assert.equal(await balanceOf(buyer.address), 0n);
  const { networkLamports, recordLamports, vaultLamports, tokenAccountLamports, totalLamports } = built.fee;
  assert.equal(tokenAccountLamports, "0");
  assert.equal(before - (await balanceOf(sponsorOf())), BigInt(totalLamports));

  await eventually("the books say what is bound", async () => {
    const lost = (await figureOf("holdfast_sponsor_lost_lamports")) - lostBefore;
    const bound = await figureOf("holdfast_sponsor_bound_lamports");
    return lost > BigInt(networkLamports) && bound === BigInt(totalLamports) - lost;
  });
  await control(service, "/faucet", { address: buyer.address, asset: "SOL", amount: "5000000" });
  await act(service, buyer, "release", payment.id);
  await eventually(
    "the vault's rent is back",
    async () => (await balanceOf(sponsorOf())) === before - BigInt(networkLamports) - BigInt(recordLamports),
  );
  assert.ok(BigInt(vaultLamports) > 0n);
});

test("§4.14.9 a wallet that scans the code gets the sponsor's signature with the transaction", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await aBuyer(intent);
  const requested = await request(`${service.checkoutUrl}/pay/i/${intent.id}/request`, buyer.address);
  assert.ok("transaction" in requested);
  const { transaction, signature } = sign(requested, buyer);
  await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"));
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([payment.sender, payment.signature], [buyer.address, signature]);
});

test("§4.14.9 nobody is sponsored unasked, below the least amount, or into an account that is not there", async () => {
  const cheap = await shop.create({ amount: "999999" });
  const buyer = await aBuyer(cheap);
  const [elsewhere, plain] = [
    await shop.create({ amount: AMOUNT, recipient: newWallet().address }),
    await shop.create({ amount: AMOUNT }),
  ];
  for (const [intent, sponsored] of [
    [cheap, true],
    [elsewhere, true],
    [plain, false],
    [plain, "true"],
  ] as const)
    assertRefused(
      await askSurely(service, intent, "build", { account: buyer.address, sponsored }),
      422,
      "insufficient_sol",
    );
  const own = sponsorOf();
  await control(service, "/faucet", { address: own, asset: service.asset, amount: "10000000" });
  const answer = await eventually("the sponsor's tokens are confirmed", async () => {
    const read = await askSurely(service, plain, "build", { account: own, sponsored: true });
    return read.status === 200 ? read : null;
  });
  assert.equal(answer.json.sponsored, false, "a sponsor pays for itself");
});

test("§4.14.9 who has SOL is never sponsored, and the sponsor signs what was offered for this intent alone, once", async () => {
  const [mine, other] = [await shop.create({ amount: AMOUNT }), await shop.create({ amount: AMOUNT })];
  const buyer = await aBuyer(mine);
  const [built, foreign] = [await build(mine, buyer), await build(other, buyer)];
  const signed = signWith(built.transaction, buyer).transaction;
  for (const [intent, transaction] of [
    [mine, signWith(foreign.transaction, buyer).transaction],
    [other, signed],
  ] as const)
    assertRefused(await submit(intent, transaction), 409, "not_sponsored");
  assertRefused(await submit(mine, built.transaction), 400, "invalid_transaction");
  assertRefused(await submit(mine, signWith(built.transaction, newWallet()).transaction), 400, "invalid_transaction");
  await control(service, "/faucet", { address: buyer.address, asset: "SOL", amount: "50000000" });
  // Use another intent: a new offer would replace the one that is signed here.
  const rich = await eventually("the SOL is confirmed", async () => {
    const answer = await askSurely(service, other, "build", { account: buyer.address, sponsored: true });
    return answer.json.sponsored === false ? answer : null;
  });
  assert.equal(Buffer.from(rich.json.transaction, "base64")[0], 1, "the buyer alone signs");
  const taken = await submit(mine, signed);
  assert.equal(taken.status, 202, taken.text);
  await awaitPaid(shop, mine.id);
});

test("§4.14.9 a guard program gets the sponsor's signature with its account: one that was replaced empties it, so none gets it", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await aBuyer(intent);
  const { transaction: built } = await build(intent, buyer);
  const loot = 1_000_000_000n;
  const sponsor = sponsorOf();
  const drains = ASSERTIONS.map((kind) =>
    withInstructions(built, (all) => [...all.slice(1), drainByGuard(kind, sponsor, buyer.address, loot)]),
  );
  for (const drain of drains)
    assertRefused(await submit(intent, signWith(drain, buyer).transaction), 409, "not_sponsored");

  // The harm is real: with the sponsor's own signature a node would take the same bytes, and the sponsor would lose that
  // amount.
  const before = await balanceOf(sponsor);
  const left = await Promise.all(
    drains.map(async (drain) => {
      const { transaction } = signWith(drain, buyer, service.wallets.sponsor);
      const accounts = { encoding: "base64", addresses: [sponsor] };
      const config = { encoding: "base64", commitment: "confirmed", sigVerify: true, accounts };
      const { value } = await rpc<Wire>(service, "simulateTransaction", transaction, config);
      // Some kinds are no bump of an address for which the stand-in could sign.
      return value.err === null ? BigInt(value.accounts[0].lamports) : before;
    }),
  );
  assert.ok(left.some((lamports) => before - lamports > loot));
});

test("§4.14.9 no attack takes more from the sponsor than fees and tombstones, and all of it is counted", async () => {
  const asked = inForm({ short: 10, long: 25 });
  const { attempts } = await attackSponsor(service, { seed: 1, attempts: asked, loops: 1 });
  assert.ok(Number(attempts) > asked);
  await assertBalanced(service);
});
