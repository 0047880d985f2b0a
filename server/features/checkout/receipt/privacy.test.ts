import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hashTerms, termsText } from "@holdfast/escrow-client";
import { newDisputeId } from "../../../domain/ids.ts";
import { registerBuyerDoor } from "../../../edge/buyer/door.ts";
import { Languages } from "../../../edge/buyer/languages.ts";
import { Idempotency } from "../../../edge/http/idempotency.ts";
import { createServer } from "../../../edge/http/server.ts";
import { SessionLocks } from "../../../store/locks.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { insertion } from "../../../store/table.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../../store/testing.ts";
import { draftDispute } from "../../disputes/advance.ts";
import { DECISIONS, draftDecision, hashOf } from "../../disputes/decision/decision.ts";
import { AGREEMENTS, DISPUTES, OFFERS } from "../../disputes/dispute.ts";
import { draftRuling, RULINGS } from "../../disputes/ruling.ts";
import { testContext } from "../../testing.ts";
import { newKeyRing, sealingOf } from "../../webhooks/sending/secret.ts";
import type { BuyerContext } from "../context.ts";
import { ENGLISH } from "../languages/english.ts";
import { payingRoutes } from "../paying/buyer.ts";
import { ReadLimit } from "../readLimit.ts";
import { registerReceipts } from "./buyer.ts";
import { createFinder, createLookUps } from "./find.ts";
import { findRoutes, registerFindPage } from "./findRoutes.ts";

/** Everything of the order that neither the chain nor a terms text shows, each with a mark of its own. */
const SECRETS = {
  businessId: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
  intentId: "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992",
  reference: "MARKED-REFERENCE-77",
  metadata: "MARKED-METADATA",
  description: "MARKED DESCRIPTION",
  contact: "marked-contact@shop.example",
  returnHost: "marked-return.example",
  name: "Marked Present Name",
  policy: "MARKED REFUND POLICY",
  key: "bWFya2VkLXJlY2VpcHRr",
  tracking: "MARKED-TRACKING-99",
  reasons: "MARKED REASONS OF THE ARBITER",
};
/** Texts that nobody reads on a receipt, whoever asks. */
const NEVER = [SECRETS.businessId, SECRETS.metadata, SECRETS.policy];

const [SENDER, RECIPIENT, MINT, ARBITER, OPERATOR] = [
  "7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj",
  "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "3FQJcFhM3cWFK1gV2bQqTqkAkYhSTJ5vTn3v4bWv8MbR",
  "8CvwxZ9Db6XbLD46NZwwmVDZZRDy7eydFcAGkXKh9axa",
];
const COMMON = {
  paymentId: "7",
  operator: OPERATOR!,
  recipient: RECIPIENT!,
  amount: "24500000",
  asset: MINT!,
  protectionPeriod: "sevenDays",
  expiresAt: "2026-11-28T00:00:00.000Z",
  arbiter: ARBITER!,
  business: { name: "Fernweh Coffee", domain: "fernweh.example" },
  refundPolicyHash: null,
} as const;
const TERMS = [
  { v: 1, intent: SECRETS.intentId, ...COMMON },
  { v: 2, nonce: "AAECAwQFBgcICQoLDA0ODw", ...COMMON },
] as const;

/** The payments of the order: of each kind, and with each form of the terms text. */
const PAYMENTS = {
  primary: "9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y",
  duplicate: "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL",
  ended: "CGB7q4KjYiHb8TcZVJ1wwJbZyQequ95VYBcWRDkPmv2X",
  vanished: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
} as const;

let opened: OpenTestDatabase;
let url: string;
let hashes: string[];
let stop: () => Promise<void>;

before(async () => {
  opened = await openTestDatabase("", { connectionsMax: 4 });
  const { database } = opened;
  hashes = await Promise.all(TERMS.map(hashTerms));
  for (const statement of fixture(hashes[0]!, hashes[1]!)) await database.rows(statement);
  const { app } = createServer([]);
  const finder = createFinder({ database }, createLookUps(), async () => undefined);
  const ctx = testContext<BuyerContext>({
    database,
    sealing: sealingOf(newKeyRing()),
    siteOperator: null,
    limit: new ReadLimit(null),
    languages: new Languages([ENGLISH]),
    chain: { deployment: { arbiter: ARBITER!, checkoutsHeld: null }, builder: { estimateCost: () => null } },
    assets: [{ path: "/pay/assets/checkout.js", integrity: "", text: "" }],
  });
  const live = registerReceipts(app, ctx);
  registerFindPage(app, ctx, finder, null);
  const paying = payingRoutes(ctx);
  const locks = new SessionLocks(database);
  const idempotency = new Idempotency(database, locks);
  const door = { checkoutUrl: "http://localhost", addressHeader: null, idempotency, bodyWaitMs: 5_000 };
  registerBuyerDoor(app, { ...door, routes: [...paying, ...findRoutes(finder)], logError: () => undefined });
  await app.listen({ host: "127.0.0.1", port: 0 });
  url = app.localUrl;
  stop = async () => {
    await live.stop();
    app.server.closeAllConnections();
    await app.close();
    await locks.close();
  };
});
after(async () => {
  await stop?.();
  await opened?.[Symbol.asyncDispose]();
});

function fixture(v1: string, v2: string): Sql[] {
  const { businessId, intentId, reference, description, contact, returnHost, name, policy, key } = SECRETS;
  const payment = (address: string, role: string, terms: string, ended: boolean) => sql`
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
      recipient, amount, asset, protection_period, merchant_reference, signature, created_at, protection_deadline, checked_at,
      observed_slot, finalized, outcome, refund_total, amount_refunded, amount_released, refunded_at, arbiter, terms_hash,
      terms_known, receipt_key)
    values (${businessId}, ${address}, 'test', ${intentId}, 1, (select count(*) + 1 from payments), ${role},
      ${ended ? "refunded" : "protected"}, ${SENDER}, ${RECIPIENT}, 24500000, ${MINT}, 'sevenDays', ${reference}, null,
      now(), now() + interval '7 days', now(), 7, true, ${ended ? "refunded_by_recipient" : null}::text,
      ${ended ? "24500000" : "0"}::numeric, ${ended ? "24500000" : "0"}::numeric, 0,
      case when ${ended}::boolean then now() end, ${ARBITER}, ${terms}, true, ${`${key}${address.slice(0, 2)}`})`;
  const snapshot = JSON.stringify({
    ...{ object: "payment", id: PAYMENTS.vanished, intent: intentId, merchantReference: reference },
    ...{ sender: SENDER, recipient: RECIPIENT, amount: "24500000", asset: MINT, arbiter: ARBITER, termsHash: v1 },
    ...{ protectionPeriod: "sevenDays", createdAt: "2026-11-20T00:00:00.000Z" },
    ...{ protectionDeadline: "2026-11-27T00:00:00.000Z", receiptUrl: `https://pay.example/pay/p/x?key=${key}` },
  });
  return [
    sql`insert into chains (environment, genesis_hash, program_id, operator)
      values ('test', 'genesis', 'CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c', ${OPERATOR})`,
    sql`insert into known_assets (environment, address, is_mint, decimals, token_program, read_at)
      values ('test', ${MINT}, true, 6, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', now())`,
    sql`insert into businesses (id, name, support_contact, return_url, created_at)
      values (${businessId}, ${name}, ${contact}, ${`https://${returnHost}/{merchantReference}`}, now())`,
    sql`insert into refund_policies (business_id, hash, body, created_at)
      values (${businessId}, encode(sha256(convert_to(${policy}, 'UTF8')), 'hex'), ${policy}, now())`,
    sql`update businesses set refund_policy_hash = encode(sha256(convert_to(${policy}, 'UTF8')), 'hex') where id = ${businessId}`,
    sql`insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
        merchant_reference, metadata, description, payment_id, payment_address, created_at, expires_at, last_occurred_at,
        list_position)
      values (${businessId}, ${intentId}, 'test', 'paid', false, ${RECIPIENT}, 24500000, ${MINT}, 'sevenDays', ${reference},
        ${JSON.stringify({ note: SECRETS.metadata })}, ${description}, 7, ${PAYMENTS.primary},
        date_trunc('second', now()), date_trunc('second', now()) + interval '1 day', now(), 1)`,
    sql`insert into fulfillments (business_id, id, intent_id, number, tracking_number, recorded_at, recorded_by)
      values (${businessId}, 'ff_test_5szw01a1fc0b3f5d6aa1dfb6bc9487e1991e', ${intentId}, 1, ${SECRETS.tracking}, now(), 'key_1')`,
    ...TERMS.map(
      (terms, at) => sql`
      insert into checkout_terms (business_id, intent_id, hash, body, created_at)
      values (${businessId}, ${intentId}, ${at === 0 ? v1 : v2}, ${termsText(terms)}, now())`,
    ),
    payment(PAYMENTS.primary, "primary", v1, false),
    payment(PAYMENTS.duplicate, "duplicate", v2, false),
    payment(PAYMENTS.ended, "duplicate", v1, true),
    ...fixtureOfDecision(),
    sql`insert into reverted_payments (business_id, address, generation, intent_id, reverted_at, snapshot)
      values (${businessId}, ${PAYMENTS.vanished}, 1, ${intentId}, now(), ${snapshot})`,
  ];
}

/** The decided case of the payment that has ended. */
function fixtureOfDecision(): Sql[] {
  const { businessId, intentId, reference: merchantReference, reasons } = SECRETS;
  const now = new Date();
  const openedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
  const opened = draftDispute(
    { businessId, environment: "test", payment: PAYMENTS.ended, intentId, merchantReference, amount: "24500000" },
    { id: newDisputeId({ businessId, environment: "test" }, now), openedAt, refundTotal: "0" },
    now,
  );
  const closed = { status: "closed", resumesAs: "talking", turn: "nobody", nextAt: null, closedAt: now } as const;
  const place = { genesisHash: "genesis", operator: OPERATOR!, arbiter: ARBITER!, statements: [], files: [] };
  const total = "12250000";
  const verdict = { total, reasons };
  const decision = draftDecision(opened, place, verdict, { userId: "usr_1", number: 1, now });
  const landed = {
    ...{ payment: PAYMENTS.ended, arbiter: ARBITER!, total: verdict.total },
    memo: { kind: "one", text: hashOf(decision) } as const,
  };
  const ruling = draftRuling(opened, landed, decision, { signature: "ruling-1", slot: 7, ruledAt: now });
  return [
    insertion(DISPUTES)([{ ...opened, ...closed }]),
    insertion(DECISIONS)([decision]),
    insertion(RULINGS)([ruling]),
    insertion(OFFERS)([
      {
        ...{ businessId, disputeId: opened.id, id: "dpo_1", number: 1, side: "merchant", total, refundTotal: "0" },
        ...{ text: null, until: now, status: "accepted", author: "usr_1", authorKind: "user", createdAt: openedAt },
        ...{ signedText: null, signature: null, acceptedAt: now, acceptedBy: SENDER! },
        ...{ acceptedText: "Text", acceptedSignature: "signature-1" },
      },
    ]),
    insertion(AGREEMENTS)([
      {
        ...{ businessId, disputeId: opened.id, offerId: "dpo_1", total, until: now, failedAt: now },
        ...{ buyerSignedAt: openedAt, merchantGivenAt: openedAt, agreedAt: openedAt, executedAt: null },
      },
    ]),
  ];
}

/** Reads an answer, headers and all; of a stream its first event. */
async function read(path: string, init: RequestInit = {}): Promise<string> {
  const aborting = new AbortController();
  const answer = await fetch(`${url}${path}`, { ...init, redirect: "manual", signal: aborting.signal });
  assert.ok(answer.status === 200 || answer.status === 303, `${path}: ${answer.status} ${answer.statusText}`);
  let text = JSON.stringify([...answer.headers]);
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes("data: {")) break;
  }
  aborting.abort();
  return text;
}

const find = (body: object) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
  body: JSON.stringify(body),
});

const BELOW = ["", "/state", "/events", "/dispute"] as const;
const keyOf = (address: string): string => `${SECRETS.key}${address.slice(0, 2)}`;

test("§14.2 who knows the address alone, or a wrong key, reads nothing of the order on any path", async () => {
  const found: string[] = [];
  const walk = async (path: string, init?: RequestInit) => {
    const text = await read(path, init);
    for (const [name, secret] of Object.entries(SECRETS)) if (text.includes(secret)) found.push(`${path}: ${name}`);
  };
  for (const address of Object.values(PAYMENTS))
    for (const below of BELOW)
      for (const key of ["", "?key=", "?key=x", `?key=${keyOf("zz")}`, `?Key=${keyOf(address).toLowerCase()}`])
        await walk(`/pay/p/${address}${below}${key}`);
  for (const hash of hashes) await walk(`/pay/terms/${hash}`);
  for (const query of [SENDER!, ...Object.values(PAYMENTS)]) {
    await walk(`/pay?query=${query}`);
    await walk("/pay/find", find({ query }));
  }
  await walk("/pay/find", find({ account: SENDER }));
  assert.deepEqual(found, []);
});

test("§14.2 the key of one payment opens no other, not even of the same order", async () => {
  const text = await read(`/pay/p/${PAYMENTS.duplicate}?key=${keyOf(PAYMENTS.primary)}`);
  assert.ok(!text.includes(SECRETS.reference));
});

test("§14.2 the key opens the order's reference, description, deliveries, contact, page and way back, and nothing else of the business", async () => {
  const { reference, description, contact, intentId, returnHost, name, tracking } = SECRETS;
  for (const address of [PAYMENTS.primary, PAYMENTS.duplicate, PAYMENTS.ended]) {
    const text = await read(`/pay/p/${address}?key=${keyOf(address)}`);
    for (const secret of [
      reference,
      description,
      contact,
      `/pay/i/${intentId}`,
      `${returnHost}/${reference}`,
      name,
      tracking,
    ])
      assert.ok(text.includes(secret), `${address}: ${secret}`);
    for (const below of BELOW) {
      const all = await read(`/pay/p/${address}${below}?key=${keyOf(address)}`);
      for (const secret of NEVER) assert.ok(!all.includes(secret), `${address}${below}: ${secret}`);
    }
  }
});

test("§17.4 the address alone shows that and how it was decided, and the key why", async () => {
  const [bare, open] = await Promise.all(
    ["", `?key=${keyOf(PAYMENTS.ended)}`].map((query) => read(`/pay/p/${PAYMENTS.ended}${query}`)),
  );
  for (const text of [bare!, open!]) assert.match(text, /12\.25.USDC<\/b> to you/);
  assert.ok(bare!.includes(ENGLISH.receipt.decidedWithReasons) && !open!.includes(ENGLISH.receipt.decidedWithReasons));
  assert.ok(open!.includes(SECRETS.reasons));
  assert.ok(open!.includes(ENGLISH.receipt.agreementFailed) && !bare!.includes(ENGLISH.receipt.agreementFailed));
  const other = await read(`/pay/p/${PAYMENTS.primary}?key=${keyOf(PAYMENTS.primary)}`);
  assert.ok(!other.includes(ENGLISH.receipt.decision.title), "another payment of the order has no decision");
});

test("§14.5 the terms text names the shop without the key, and its page says that the fingerprint matches", async () => {
  for (const address of [PAYMENTS.primary, PAYMENTS.duplicate]) {
    const text = await read(`/pay/p/${address}`);
    assert.match(text, /Fernweh Coffee/);
    assert.match(text, /fernweh\.example<\/b> Verified domain when you paid/);
    assert.match(text, /Their fingerprint on chain matches/);
  }
});

test("§14.3 no receipt says that nobody writes where the order's mailbox is confirmed, nor tells a reader without the key", async () => {
  const { database } = opened;
  const isSaid = async (payment: string, key: string | null) => {
    const answer = await fetch(`${url}/pay/p/${payment}${key === null ? "" : `?key=${key}`}`);
    return (await answer.text()).includes(ENGLISH.receipt.nobodyWrites);
  };
  const key = (payment: string) => `${SECRETS.key}${payment.slice(0, 2)}`;
  const { primary, duplicate } = PAYMENTS;
  assert.deepEqual([await isSaid(primary, key(primary)), await isSaid(primary, null)], [true, false]);
  await database.rows(sql`insert into buyer_mailboxes (hash, confirmed_at) values (${Buffer.alloc(32)}, now())`);
  await database.rows(sql`
    insert into buyer_addresses (business_id, intent_id, environment, mailbox, erase_at)
    values (${SECRETS.businessId}, ${SECRETS.intentId}, 'test', ${Buffer.alloc(32)}, now())`);
  assert.deepEqual([await isSaid(primary, key(primary)), await isSaid(primary, null)], [false, false]);
  assert.equal(await isSaid(duplicate, key(duplicate)), true, "no email tells of the end of a duplicate's time");
});
