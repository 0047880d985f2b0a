import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { ActionSender } from "../../../chain/actionSender.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import type { ChainReader, LandedRuling } from "../../../chain/port.ts";
import { ApiError } from "../../../domain/errors.ts";
import { sql } from "../../../store/sql.ts";
import type { Context } from "../../context.ts";
import { recordRulings } from "../../recording/rulings/record.ts";
import { testContext } from "../../testing.ts";
import { acceptOffer, askArbiter, makeOffer, sendStatement } from "../actions.ts";
import { draftQuestion } from "../desk/actions.ts";
import { findDispute } from "../queries.ts";
import { openWorld, pagePathOf, prove, signText, type TestDispute } from "../testing/disputes.ts";
import { actNow } from "../testing.ts";
import { freezeDecision, requireOpenDecision, type WantedDecision } from "./actions.ts";
import { hashOf } from "./decision.ts";

const TOTAL = "6000000";
const WANTED = { total: TOTAL, reasons: "Each side bears a part." };
const USER = { author: "usr_1", authorKind: "user" } as const;

let world: Awaited<ReturnType<typeof openWorld>>;
let ctx: Context;
before(async () => {
  world = await openWorld();
  const { database, readSigned, landed } = world;
  const builder: Partial<ChainBuilder> = {
    buildAction: async () => ({ kind: "not_found" }),
    fetchLife: async () => null,
    readSigned,
  };
  const reader: Partial<ChainReader> = {
    nodes: 1,
    fetchTransaction: async (signature) => {
      const transaction = landed.get(signature);
      const value =
        transaction === undefined ? ({ kind: "not_found" } as const) : ({ kind: "landed", transaction } as const);
      return { value, slot: 1, node: 0 };
    },
  };
  const actionSender: Partial<ActionSender> = { submit: async () => ({ kind: "invalid", reason: "it is cut off" }) };
  ctx = testContext({ database, chain: { builder, reader, actionSender } });
});
after(() => world?.[Symbol.asyncDispose]());

const tenantOf = ({ businessId }: TestDispute) => ({ businessId, environment: "test" }) as const;
const find = async (one: TestDispute) => (await findDispute(world.database, tenantOf(one), one.disputeId))!;
const freeze = async (one: TestDispute, wanted: WantedDecision, check = async () => undefined, early = false) =>
  (await freezeDecision(ctx, tenantOf(one), one.disputeId, { userId: "usr_9", wanted, early, check })).decision;
const refusalOf = async (frozen: Promise<unknown>): Promise<unknown> => {
  const error = await frozen.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? (error.details.reason ?? error.details.param) : error;
};

async function deciding(): Promise<TestDispute> {
  const one = await world.aDispute();
  const dispute = await find(one);
  for (const side of ["buyer", "merchant"] as const) await actNow(world.database, dispute, askArbiter(side));
  return one;
}

/** A dispute in which the shop accepted the buyer's signed offer. */
async function agreed(): Promise<TestDispute> {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  await prove(browser, one);
  const terms = { total: TOTAL, until: new Date(Date.now() + 86_400_000).toISOString() };
  const asked = await browser.post(`${pagePathOf(one)}/challenge`, { way: "message", act: "offer", ...terms });
  const { nonce, text } = asked.json;
  const signature = signText(one.wallet, text);
  const made = await browser.post(`${pagePathOf(one)}/offers`, { ...terms, nonce, signature });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  const dispute = await find(one);
  await actNow(world.database, dispute, acceptOffer("merchant", dispute.offers[0]!.id, "usr_1"));
  return one;
}

test("§17.1 a record names what both sides sent by its salted hashes, and is never changed", async () => {
  const one = await deciding();
  const dispute = await find(one);
  await actNow(world.database, dispute, sendStatement("merchant", USER, "We sent it on Monday."));
  const decision = await freeze(one, WANTED);
  const [statement] = await world.database.rows<{ hash: string; plain: string }>(sql`
    select encode(sha256, 'hex') as hash, encode(sha256(convert_to(text, 'UTF8')), 'hex') as plain
    from dispute_statements where business_id = ${one.businessId}`);
  assert.deepEqual(JSON.parse(decision.record).statements, [statement!.hash]);
  assert.notEqual(statement!.hash, statement!.plain, "nobody can guess a text by its hash");
  assert.equal(createHash("sha256").update(decision.record).digest("hex"), hashOf(decision));
  assert.notEqual(hashOf(await freeze(one, WANTED)), hashOf(decision), "the same text with another salt");
  await assert.rejects(
    world.database.rows(sql`
      update dispute_decisions set record = replace(record, 'part', 'whole') where business_id = ${one.businessId}`),
    /never changed/,
  );
});

test("§17.1 the state of the dispute decides what is frozen, and the right is checked under its lock", async () => {
  const talking = await world.aDispute();
  assert.equal(await refusalOf(freeze(talking, WANTED)), "talking");
  const one = await deciding();
  assert.equal(await refusalOf(freeze(one, null)), "agreement_failed");
  assert.equal(await refusalOf(freeze(one, { ...WANTED, total: "24500001" })), "total");
  const refused = new Error("another holds it");
  assert.equal(await refusalOf(freeze(one, WANTED, () => Promise.reject(refused))), refused);
  const both = await Promise.all(Array.from({ length: 20 }, () => freeze(one, WANTED)));
  assert.equal(new Set(both.map(({ number }) => number)).size, 20, "two arbiters at once never get one number");
  assert.equal(await refusalOf(freeze(one, WANTED)), "limit_reached");
});

test("§13.22.5 while a side has not answered the arbiter's question, a decision needs the word that it is early", async () => {
  const one = await deciding();
  const before = await freeze(one, WANTED);
  await actNow(world.database, await find(one), draftQuestion("usr_9", "When did it arrive?"));
  assert.equal(await refusalOf(freeze(one, WANTED)), "question_open");
  const open = (id: string) => requireOpenDecision(ctx, tenantOf(one), one.disputeId, { id, userId: "usr_9" });
  assert.equal(await refusalOf(open(before.id)), "question_open", "one that was frozen before the question");
  const early = await freeze(one, WANTED, async () => undefined, true);
  assert.equal((await open(early.id))?.decision.early, true);
  await actNow(world.database, await find(one), sendStatement("merchant", USER, "On Monday."));
  assert.equal(await refusalOf(freeze(one, WANTED)), "question_open", "the buyer has not answered");
  await actNow(
    world.database,
    await find(one),
    sendStatement("buyer", { author: one.wallet.address, authorKind: "wallet" }, "On Friday."),
  );
  await freeze(one, WANTED);
});

test("§17.2 as agreed only while both are bound, by a signature that is checked again", async () => {
  const one = await agreed();
  assert.equal(await refusalOf(freeze(one, WANTED)), "agreed", "no other total while an agreement holds");
  const decision = await freeze(one, null);
  const { reasons, agreement, total } = JSON.parse(decision.record);
  assert.deepEqual([reasons, agreement, total], [null, (await find(one)).agreement!.offerId, TOTAL]);
  const open = () => requireOpenDecision(ctx, tenantOf(one), one.disputeId, decision);
  assert.equal((await open())?.decision.id, decision.id);

  for (const [what, change] of [
    ["another signature", sql`signature = ${signText(newWallet(), "Holdfast")}`],
    ["a text of another total", sql`signed_text = replace(signed_text, ${`Total: ${TOTAL}`}, 'Total: 1')`],
    ["a text of another payment", sql`signed_text = replace(signed_text, ${one.payment}, ${newWallet().address})`],
  ] as const) {
    await world.database
      .transaction(async (db) => {
        const before = await db.row<{ text: string; signature: string }>(
          sql`select signed_text as text, signature from dispute_offers where business_id = ${one.businessId}`,
        );
        await db.rows(sql`update dispute_offers set ${change} where business_id = ${one.businessId}`);
        return before!;
      })
      .then(async ({ text, signature }) => {
        assert.equal(await refusalOf(freeze(one, null)), "agreement_failed", what);
        await world.database.rows(sql`
        update dispute_offers set signed_text = ${text}, signature = ${signature} where business_id = ${one.businessId}`);
      });
  }
  await world.database.rows(sql`
    update dispute_agreements set failed_at = now() where business_id = ${one.businessId}`);
  await world.database.rows(sql`
    update disputes set status = 'deciding', turn = 'arbiter', deciding_at = now(), decide_by = opened_at + interval '5 days'
    where business_id = ${one.businessId}`);
  assert.equal(await refusalOf(open()), "agreement_failed", "an agreement that failed binds nobody any more");
});

test("§17.2 the shop's offer is ruled as agreed by the buyer's signature over this very offer", async () => {
  const [one, browser] = [await world.aDispute(), world.aBrowser()];
  await prove(browser, one);
  const wanted = { total: TOTAL, text: null, until: null };
  const offered = await actNow(world.database, await find(one), makeOffer("merchant", USER, wanted));
  const offer = offered.offers[0]!.id;
  const asked = await browser.post(`${pagePathOf(one)}/challenge`, { way: "message", act: "accept_offer", offer });
  const { nonce, text } = asked.json;
  const signature = signText(one.wallet, text);
  const accepted = await browser.post(`${pagePathOf(one)}/offers/${offer}/accept`, { nonce, signature });
  assert.equal(accepted.json.status, "agreed", JSON.stringify(accepted.json));
  assert.equal(JSON.parse((await freeze(one, null)).record).agreement, offer);
  const other = text.replace(`Offer: ${offer}`, "Offer: of_1");
  await world.database.rows(sql`
    update dispute_offers set accepted_text = ${other}, accepted_signature = ${signText(one.wallet, other)}
    where business_id = ${one.businessId}`);
  assert.equal(await refusalOf(freeze(one, null)), "agreement_failed", "the wallet signed another offer");
});

test("§17.3 the hash of another dispute, total or byte is no record of this one", async () => {
  const [one, other] = [await deciding(), await deciding()];
  const [mine, theirs] = [await freeze(one, WANTED), await freeze(other, WANTED)];
  const { arbiter } = mine;
  let slot = 10;
  const memoOf = async (landed: Partial<LandedRuling>) => {
    const ruling = {
      payment: one.payment,
      arbiter,
      total: TOTAL,
      memo: { kind: "none", text: null } as const,
      ...landed,
    };
    const signature = `ruling-${++slot}`;
    await recordRulings(world.database, "test", [{ signature, slot, blockTime: new Date(), rulings: [ruling] }]);
    const { ruling: kept } = await find(one);
    assert.equal(kept?.signature, signature);
    return kept && [kept.memo, kept.decisionId];
  };
  const text = (written: string) => ({ memo: { kind: "one", text: written } as const });
  assert.deepEqual(await memoOf({}), ["none", null]);
  assert.deepEqual(await memoOf({ memo: { kind: "several", text: null } }), ["several", null]);
  assert.deepEqual(await memoOf({ memo: { kind: "other_signer", text: null } }), ["other_signer", null]);
  assert.deepEqual(await memoOf(text(hashOf(theirs))), ["unknown", null], "another dispute");
  assert.deepEqual(await memoOf({ ...text(hashOf(mine)), total: "1" }), ["unknown", null], "another total");
  const changed = createHash("sha256").update(mine.record.replace("part", "pars")).digest("hex");
  assert.deepEqual(await memoOf(text(changed)), ["unknown", null], "one byte");
  assert.deepEqual(await memoOf(text(hashOf(mine))), ["record", mine.id]);
  assert.equal((await find(one)).status, "deciding", "the payment's account alone ends a dispute");
  const events = await world.database.rows(sql`
    select type from events where business_id = ${one.businessId} and type = 'dispute.decided'`);
  assert.deepEqual(events, [], "nobody is told before the account shows it");
});
