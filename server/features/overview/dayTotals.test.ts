import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { inForm } from "../../../tests/harness/form.ts";
import type { ChainPayment } from "../../chain/port.ts";
import type { Db } from "../../store/database.ts";
import { piece, sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import type { Intent } from "../intents/intent.ts";
import { findIntentState } from "../recording/decide/queries.ts";
import { recordAccounts } from "../recording/decide/record.ts";
import { draftObserved } from "../recording/decide/state.ts";
import { correctPayment, revertPayment } from "../recording/finality/applyReversal.ts";
import { markSuspected } from "../recording/finality/queries.ts";
import { anObservedPayment, CHECKOUT_URL } from "../recording/fixtures.ts";
import { courses } from "../recording/testing/courses.ts";
import { insertIntent } from "../staff/testing/objects.ts";
import { testContext } from "../testing.ts";
import { rebuildDays } from "./rebuildQueries.ts";
import { FILL_DAYS } from "./testing.ts";

let opened: OpenTestDatabase;
before(async () => {
  opened = await openTestDatabase();
});
after(async () => {
  await opened[Symbol.asyncDispose]();
});

const DAY_MS = 86_400_000;
const ASSETS = ["asset-1", "asset-2"];
const INTENTS = 3;
const LATER_DAYS_MAX = 40;

type Step =
  | { readonly kind: "observe"; readonly at: readonly (readonly [intent: number, payment: number, state: number])[] }
  | {
      readonly kind: "revert" | "correct" | "close";
      readonly intent: number;
      readonly payment: number;
      readonly state: number;
    };

const intent = fc.nat(INTENTS - 1);
const payment = fc.nat(1);
const state = fc.nat(12);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("observe" as const),
      at: fc.array(fc.tuple(intent, payment, state), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("revert", "correct", "close"), intent, payment, state }) },
);

interface Rows {
  readonly days: readonly unknown[];
  readonly escrow: readonly unknown[];
}

/** The rows with a sum, and the part of each token that is still in the escrow, by the books. */
async function readSums(db: Db, businessId: string): Promise<Rows> {
  const days = await db.rows(sql`
    select *, day::text as day from payment_days t
    where business_id = ${businessId} and num_nonnulls(nullif(received, 0), nullif(released, 0), nullif(refunded, 0), nullif(due, 0), nullif(disputed, 0),
      nullif(decided, 0), nullif(received_payments, 0), nullif(released_payments, 0), nullif(refunded_payments, 0),
      nullif(due_payments, 0), nullif(disputed_payments, 0), nullif(decided_payments, 0)) > 0
    order by asset, t.day`);
  const escrow = await db.rows(sql`
    select t.business_id, t.asset, t.received - t.released - t.refunded = p.held as is_all,
      t.due + t.disputed + t.decided + p.returning = p.held as is_split
    from payment_days t join (
      select business_id, asset, sum(amount - amount_released - amount_refunded) as held, sum(refund_total - amount_refunded) as returning
      from payments group by business_id, asset) p on p.business_id = t.business_id and p.asset = t.asset
    where t.business_id = ${businessId} and t.day = 'infinity'`);
  return { days, escrow };
}

/** Sums the days of a business anew over wrong ones. */
async function rebuildWrong(businessId: string): Promise<void> {
  const { database } = opened;
  await database.rows(sql`
    update payment_days set received = received + 5, due_payments = due_payments + 1 where business_id = ${businessId}`);
  await database.transaction((db) => rebuildDays(db, { businessId, environment: "test" }));
}

class UndoneError extends Error {}

/** The sums are those of the payments' rows, and each token's parts make up what is in the escrow. */
async function checkSums(businessId: string): Promise<number> {
  const { database } = opened;
  const kept = await readSums(database, businessId);
  assert.ok(kept.escrow.every((one) => Object.values(one as object).every((value) => value !== false)));
  let made: Rows = { days: [], escrow: [] };
  await database
    .transaction(async (db) => {
      await db.rows(sql`truncate payment_days`);
      await db.rows(piece(FILL_DAYS));
      made = await readSums(db, businessId);
      throw new UndoneError();
    })
    .catch((error: unknown) => {
      if (!(error instanceof UndoneError)) throw error;
    });
  assert.deepEqual(kept.days, made.days);
  return kept.days.length;
}

let businesses = 0;
let slot = 1_000;

async function addIntents(): Promise<Intent[]> {
  const { database } = opened;
  const businessId = `biz_${++businesses}`;
  await database.rows(sql`insert into businesses (id, name, created_at) values (${businessId}, 'Shop', now())`);
  const made: Intent[] = [];
  for (let index = 0; index < INTENTS; index++) {
    const terms = {
      amount: "1000",
      asset: ASSETS[index % 2]!,
      recipient: "recipient",
      protectionPeriod: "sevenDays",
    } as const;
    made.push((await insertIntent(database, { businessId, environment: "test" }, terms)).intent);
  }
  return made;
}

const later = (at: Date | null, days: number): Date | null => at && new Date(at.getTime() + days * DAY_MS);

/** A state of a course as that of one of the intent's payments, each made on a day of its own. */
const chainPayment = (one: Intent, which: number, states: readonly ChainPayment[], at: number): ChainPayment => {
  const found = states[at % states.length]!;
  const days = (which * 17 + Number(BigInt(one.paymentId) % 5n)) % LATER_DAYS_MAX;
  return {
    ...found,
    address: `${one.id}-${which}`,
    sender: `sender-${which}`,
    paymentId: one.paymentId,
    asset: one.asset,
    createdAt: later(found.createdAt, days)!,
    protectionDeadline: later(found.protectionDeadline, days)!,
    disputedAt: later(found.disputedAt, days),
    settledAt: later(found.settledAt, days),
    refundedAt: later(found.refundedAt, days),
  };
};

async function takeStep(intents: readonly Intent[], states: readonly ChainPayment[], one: Step): Promise<void> {
  const ctx = testContext({ database: opened.database, checkoutUrl: CHECKOUT_URL });
  slot += 1;
  if (one.kind === "observe") {
    const observed = one.at.map(([which, other, at]) => chainPayment(intents[which]!, other, states, at));
    await recordAccounts(
      ctx,
      "test",
      observed.map((account) => anObservedPayment(account, { slot, signature: `signature-${account.address}` })),
    );
    return;
  }
  const found = intents[one.intent]!;
  const tenant = { businessId: found.businessId, environment: "test", intentId: found.id } as const;
  const read = async () =>
    (await findIntentState(opened.database, tenant, []))!.state.payments.find(
      ({ id }) => id === `${found.id}-${one.payment}`,
    );
  if ((await read()) === undefined) return;
  if (one.kind === "close") {
    const { address, paymentId, ...last } = chainPayment(found, one.payment, states, states.length - 1);
    if (last.outcome === null || (last.status !== "released" && last.status !== "refunded")) return;
    const { status, outcome, amountReleased, amountRefunded, disputedAt, settledAt, refundedAt } = last;
    const closed = {
      address,
      paymentId,
      status,
      outcome,
      amountReleased,
      amountRefunded,
      disputedAt,
      settledAt,
      refundedAt,
    };
    await recordAccounts(ctx, "test", [
      draftObserved({ ...closed, isClosed: true as const, bump: 255 }, slot, "confirmed"),
    ]);
    return;
  }
  await markSuspected(opened.database, "test", `${found.id}-${one.payment}`, 1);
  const known = (await read())!;
  if (one.kind === "revert") await revertPayment(ctx, "test", known);
  else
    await correctPayment(
      ctx,
      "test",
      known,
      draftObserved(chainPayment(found, one.payment, states, one.state), slot, "finalized"),
    );
}

/** So few lives are always the same, since others might hold too few reversals. */
const LIVES = inForm<fc.Parameters<unknown>>({ short: { numRuns: 6, seed: 20_261_128 }, long: { numRuns: 30 } });
const COMPARED_MIN = inForm({ short: 100, long: 1_000 });
const REVERTED_MIN = inForm({ short: 1, long: 10 });

test("§13.17 the sums of days are those of the payments at every step of random lives", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(courses, fc.array(step, { minLength: 1, maxLength: 10 }), async (states, steps) => {
      const intents = await addIntents();
      // All payments are there from the beginning, in some state.
      const first = intents.flatMap((_, which) => [0, 1].map((other) => [which, other, which + other] as const));
      await takeStep(intents, states, { kind: "observe", at: first });
      for (const one of steps) {
        await takeStep(intents, states, one);
        compared += await checkSums(intents[0]!.businessId);
      }
      const { businessId } = intents[0]!;
      await rebuildWrong(businessId);
      await checkSums(businessId);
    }),
    LIVES,
  );
  const { reverted } = (await opened.database.row<{ reverted: number }>(
    sql`select count(*)::integer as reverted from reverted_payments`,
  ))!;
  assert.ok(
    compared > COMPARED_MIN && reverted > REVERTED_MIN,
    `${compared} rows compared, ${reverted} payments reverted`,
  );
});

test("§13.19.8 payments that are recorded while their days are summed anew are in the sums once", async () => {
  const intents = await addIntents();
  const { businessId } = intents[0]!;
  const states = fc.sample(courses, { seed: 7, numRuns: 1 })[0]!;
  const observe = (at: number) =>
    takeStep(intents, states, { kind: "observe", at: [[at % INTENTS, at % 2, 0] as const] });
  const rebuild = () => opened.database.transaction((db) => rebuildDays(db, { businessId, environment: "test" }));
  for (let at = 0; at < 6; at++) await Promise.all([rebuild(), observe(at)]);
  assert.ok((await checkSums(businessId)) > 0);
});
