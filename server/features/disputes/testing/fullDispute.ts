import assert from "node:assert/strict";
import { fingerprintOf, Idempotency } from "../../../edge/http/idempotency.ts";
import { created } from "../../../edge/http/route.ts";
import type { SessionLocks } from "../../../store/locks.ts";
import { recordRulings } from "../../recording/rulings/record.ts";
import { testContext } from "../../testing.ts";
import { actIn, askArbiter, makeOffer, readWithTexts, sendStatement } from "../actions.ts";
import { freezeDecision } from "../decision/actions.ts";
import { hashOf } from "../decision/decision.ts";
import { findDispute } from "../queries.ts";
import { actNow, insertFile } from "../testing.ts";
import { type openWorld, pagePathOf, prove, type TestDispute } from "./disputes.ts";

export type World = Awaited<ReturnType<typeof openWorld>>;

export const TOTAL = "6000000";
/** Each of these texts stands in one place alone. */
export const TEXTS = {
  statement: "Zaunkoenig said that the lid was cracked.",
  reply: "Buchfink of the shop packed it well.",
  offer: "Half for the cracked lid, says Rotkehlchen.",
  question: "Did Dompfaff keep the lid?",
  reasons: "Gimpel showed a picture of the lid.",
  file: "Stieglitz wrote these bytes.",
} as const;
export const FILE_NAME = "parcel";

export const tenantOf = ({ businessId }: TestDispute) => ({ businessId, environment: "test" }) as const;
export const disputeOf = async ({ database }: World, one: TestDispute) =>
  (await findDispute(database, tenantOf(one), one.disputeId))!;

const freeze = async ({ database }: World, one: TestDispute, reasons: string) =>
  (
    await freezeDecision(testContext({ database }), tenantOf(one), one.disputeId, {
      ...{ userId: "usr_9", wanted: { total: TOTAL, reasons } },
      early: true,
      check: async () => undefined,
    })
  ).decision;
/** A dispute with every kind of text, and the shop's statement sent under an Idempotency-Key. */
export async function aFullDispute(
  world: World,
  locks: SessionLocks,
): Promise<{ one: TestDispute; key: () => Promise<string> }> {
  const one = await world.aDispute();
  const { database } = world;
  const tenant = tenantOf(one);
  const browser = world.aBrowser();
  await prove(browser, one);
  await browser.post(`${pagePathOf(one)}/opening`, {
    ...{ reason: "not_as_described", requestedTotal: "24500000", text: TEXTS.statement },
  });
  await browser.post(`${pagePathOf(one)}/address`, { email: "kernbeisser@example.com" });
  const dispute = await disputeOf(world, one);
  await insertFile(database, dispute, Buffer.from(TEXTS.file));
  const by = { author: "usr_1", authorKind: "user" } as const;
  await actNow(database, dispute, makeOffer("merchant", by, { total: TOTAL, text: TEXTS.offer, until: null }));
  const request = { tenant, key: "reply-1", fingerprint: fingerprintOf("POST", "/statements", "", TEXTS.reply) };
  const send = sendStatement("merchant", { author: "key_1", authorKind: "key" }, TEXTS.reply);
  await new Idempotency(database, locks).run(request, (write) =>
    write.commit({
      transaction: async (db) => {
        const acted = await actIn(db, tenant, one.disputeId, send);
        return created(await readWithTexts(db, acted!.dispute, acted!.now, "/api/v1"));
      },
    }),
  );
  const replay = async () =>
    (
      await new Idempotency(database, locks).run(request, (write) =>
        write.commit({ transaction: async () => assert.fail("carried out twice") }),
      )
    ).body;
  for (const side of ["buyer", "merchant"] as const) await actNow(database, dispute, askArbiter(side));
  await actNow(database, dispute, (_, now) => ({
    happening: { kind: "question", side: null },
    adds: ({ businessId, id: disputeId, questions: number, questionUntil }) => ({
      question: {
        ...{ businessId, disputeId, number, askedBy: "usr_9", askedSide: null, text: TEXTS.question },
        ...{ askedAt: now, until: questionUntil!, erasedAt: null },
      },
    }),
  }));
  return { one, key: replay };
}

/** Ends a dispute by a ruling with reasons, one of two frozen records. */
export async function rule(world: World, one: TestDispute): Promise<string> {
  const decision = await freeze(world, one, TEXTS.reasons);
  await freeze(world, one, `${TEXTS.reasons} This draft is not signed.`);
  const { database } = world;
  const { arbiter, total } = decision;
  const memo = { kind: "one", text: hashOf(decision) } as const;
  const rulings = [{ payment: one.payment, arbiter, total, memo }];
  await recordRulings(database, "test", [
    { signature: `ruling-${one.payment}`, slot: 9, blockTime: new Date(), rulings },
  ]);
  const dispute = await disputeOf(world, one);
  await actNow(database, dispute, (_, at) => ({ happening: { kind: "outcome_bound", outcome: "resolved", at } }));
  return hashOf(decision);
}

export const payOutDispute = async (world: World, one: TestDispute) =>
  actNow(world.database, await disputeOf(world, one), (_, at) => ({ happening: { kind: "paid_out", at } }));
