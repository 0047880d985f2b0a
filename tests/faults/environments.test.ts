import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { actOnPayment, payIntent } from "@holdfast/devnet/buyer.ts";
import { LOCAL_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { WEBHOOK_KEYS_NAME } from "../../server/features/webhooks/sending/keyRing.ts";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { sql } from "../../server/store/sql.ts";
import { admin } from "../harness/admin.ts";
import { awaitPaid, awaitPayment, listEvents } from "../harness/expectEvents.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { ChainProcess } from "./chainProcess.ts";
import { assertSound } from "./checker.ts";
import { LyingNode } from "./lyingNode.ts";
import { StandaloneService } from "./standaloneService.ts";

// One deployment on two chains that differ in nothing but their genesis: the same program, operator account, tokens and
// wallets. So a payment on one chain has the same address as one with the same id on the other, as it would where an
// operator uses the same keys on devnet and mainnet.
const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const PACE = { slotMs: 40, finalizedSlots: 8 };
const ENVIRONMENTS = ["test", "live"] as const;
type Environment = (typeof ENVIRONMENTS)[number];
const otherOf = { test: "live", live: "test" } as const;

let folder: string;
let mainnet: ChainProcess;
let node: LyingNode;
let service: StandaloneService;
let shops: Readonly<Record<Environment, Merchant>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-mainnet-"));
  node = await LyingNode.start();
  node.lie = async ({ method }, ask) => (method === "getGenesisHash" ? { result: MAINNET } : ask());
  mainnet = await ChainProcess.start(folder, PACE);
  node.target = mainnet.rpcUrl;
  const keys = JSON.stringify(showKeyRing(newKeyRing()));
  const live = {
    ...{ rpcUrls: node.url, wsUrls: mainnet.wsUrl, sweepMs: 60 },
    ...{ programId: mainnet.ready.programId, operator: mainnet.ready.operator },
    keeper: { keyFile: join(mainnet.walletsDir, "keeper.json") },
  };
  service = await StandaloneService.startOn(
    async (dataDir) => {
      const own = join(dataDir, "devnet");
      await cp(mainnet.walletsDir, join(own, "wallets"), { recursive: true });
      return ChainProcess.start(own, PACE);
    },
    // Where a live chain is set, nothing on this machine takes deliveries: they stay queued.
    { env: { LIVE_CHAIN: JSON.stringify(live), HOLD: "webhooks", WEBHOOK_KEYS: keys } },
  );
  // Where the admin command looks for them.
  await writeFile(join(service.dataDir, WEBHOOK_KEYS_NAME), keys);
  const test = await newMerchant(service);
  const { id, secret } = await admin(service, "key", "add", test.business, "--environment", "live");
  shops = { test, live: merchantOf(service, test.business, id, secret) };
});
after(async () => {
  await service?.remove();
  await mainnet?.end("SIGKILL");
  await node?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const marketOf = (environment: Environment) => {
  const { rpcUrl, ready } = environment === "live" ? mainnet : service.chain;
  return { rpcUrl, programId: LOCAL_PROGRAM_ID as Address, operator: ready.operator };
};
const payOn = (environment: Environment, intent: Wire) =>
  payIntent(marketOf(environment), service.wallets["buyer-1"], intent);
const actOn = (
  environment: Environment,
  who: "buyer-1" | "arbiter",
  action: "dispute" | "release" | "resolve_refund",
  payment: string,
) => actOnPayment(marketOf(environment), service.wallets[who], action, payment as Address, { decideOnly: true });

const unmatched = (environment: Environment, address: string) =>
  service.database.row<{ reason: string; status: string }>(
    sql`select reason, status from unmatched_payments where environment = ${environment} and address = ${address}`,
  );

test("the same payments on the other chain bind, dispute and pay out nothing, and each key sees its own environment", async () => {
  assert.equal(mainnet.ready.operator, service.operator);
  const terms = someTerms(service);
  const intents = {} as Record<Environment, Wire>;
  const endpoints = {} as Record<Environment, string>;
  for (const environment of ENVIRONMENTS) {
    const words = ["--url", `https://shop.example.com/${environment}`, "--environment", environment];
    endpoints[environment] = (await admin(service, "webhook", "add", shops.test.business, ...words)).id;
    // The reference and the Idempotency-Key are taken in each environment once.
    const key = [["Idempotency-Key", "order"]] as const;
    const made = await shops[environment].call("POST", "/payment-intents", terms, key);
    assert.equal(made.status, 201, made.text);
    intents[environment] = made.json;
  }

  const paid = {} as Record<Environment, string>;
  for (const environment of ENVIRONMENTS) {
    const [intent, other] = [intents[environment], otherOf[environment]];
    const { payment, signature } = await payOn(other, intent);
    await eventually("the other chain's payment is recorded", () => unmatched(other, payment));
    assert.deepEqual(await unmatched(other, payment), { reason: "unknown_payment_id", status: "protected" });
    assertError(await shops[environment].confirm(intent.id, signature), 409, "signature_unverified");
    assert.equal((await shops[environment].intent(intent.id)).status, "requires_payment");
    const types = (await listEvents(shops[environment], intent.id)).map(({ type }) => type);
    assert.deepEqual(types, ["payment_intent.created"]);
    paid[environment] = payment;
  }

  for (const environment of ENVIRONMENTS) {
    const { payment } = await payOn(environment, intents[environment]);
    assert.equal(payment, paid[environment]);
    assert.equal((await awaitPaid(shops[environment], intents[environment].id)).payment.id, payment);
  }

  // The worthless twin of a live payment is disputed and decided, and its part leaves.
  await actOn("test", "buyer-1", "dispute", paid.live);
  await actOn("test", "arbiter", "resolve_refund", paid.live);
  await eventually(
    "the keeper has refunded it",
    async () => (await unmatched("test", paid.live))?.status === "refunded",
  );
  await actOn("test", "buyer-1", "dispute", paid.test);
  await awaitPayment(shops.test, paid.test, "disputed");
  const { status, disputedAt, amountRefunded } = await shops.live.payment(paid.live);
  assert.deepEqual([status, disputedAt, amountRefunded], ["protected", null, "0"]);
  assert.deepEqual((await shops.live.get("/disputes")).json.data, []);
  await actOn("live", "buyer-1", "release", paid.live);
  await awaitPayment(shops.live, paid.live, "released");
  assert.equal((await unmatched("live", paid.test))?.status, "protected");
  assert.equal((await shops.test.payment(paid.test)).status, "disputed");

  for (const environment of ENVIRONMENTS) {
    const [shop, other] = [shops[environment], otherOf[environment]];
    assertError(await shop.get(`/payment-intents/${intents[other].id}`), 404, "not_found");
    assertError(await shop.get(`/payments/${paid[other]}`), 404, "not_found");
    const events = (await shop.walk("/events", 100)).toReversed();
    assert.deepEqual([...new Set(events.map((one) => one.environment))], [environment]);
    assert.deepEqual(
      events.map(({ sequence }) => Number(sequence)),
      events.map((_, index) => index + 1),
    );
    const { data } = await admin(service, "webhook", "deliveries", endpoints[environment], "--limit", "100");
    const delivered = data.map(({ event }: Wire) => event);
    for (const id of delivered) assert.ok(id.startsWith(`evt_${environment}_`), id);
    for (const { id } of events) assert.ok(delivered.includes(id), id);
  }
  await assertSound(service.database, null);
});

test("while one chain is away, the other's payments are bound", async () => {
  const waiting = await shops.live.create();
  node.target = "http://127.0.0.1:1";
  const { payment } = await payOn("live", waiting);
  const intent = await shops.test.create();
  await payOn("test", intent);
  await awaitPaid(shops.test, intent.id);
  node.target = mainnet.rpcUrl;
  assert.equal((await awaitPaid(shops.live, waiting.id)).payment.id, payment);
  await assertSound(service.database, null);
});
