import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { queryParser } from "../../edge/http/parameters.ts";
import type { Database } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { recordAccounts } from "../recording/decide/record.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { testContext } from "../testing.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { findListPosition, listIntents } from "./queries.ts";
import { createIntentRetention } from "./retention.ts";
import { LIST_INTENTS } from "./schema.ts";

const DAY_MS = 86_400_000;
const DAYS = 60;
/** The clock of `live` has passed as much time, but its chain is read only to this many days ago. */
const BEHIND_DAYS = 90;
const BUSINESSES = ["biz_1", "biz_2", "biz_3"];
const SETTINGS = { checkoutUrl: "https://pay.example.com", lifetimeMs: DAY_MS };

/** The reasons to keep an intent, each with the rows or values that make it so; `id`: a query of the ids of these intents. */
const KEEPERS: Readonly<Record<string, (id: Sql) => Sql>> = {
  open: (id) => sql`update intents set status = 'requires_payment', canceled_at = null where id in (${id})`,
  taken_back: (id) => sql`update intents set generation = 2 where id in (${id})`,
  mismatch: (id) => sql`update intents set mismatch_count = 1 where id in (${id})`,
  paid: (id) => sql`
    with paid as (update intents set status = 'paid', payment_address = 'P' || id where id in (${id}) returning *)
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender, recipient,
      amount, asset, protection_period, merchant_reference, created_at, protection_deadline, settled_at, checked_at, observed_slot,
      finalized, refund_total, amount_refunded, amount_released, outcome, arbiter, record_closed)
    select business_id, payment_address, environment, id, 1, list_position, 'primary', 'released', 'sender', recipient, amount, asset,
      protection_period, merchant_reference, created_at, created_at, created_at, created_at, 1, true, 0, 0, amount, 'settled',
      'arbiter', true
    from paid`,
  unmatched: (id) => sql`
    insert into unmatched_payments (environment, address, reason, payment_id, status, amount, checked_at, observed_slot, outcome,
      refund_total, amount_refunded, amount_released)
    select environment, 'U' || id, 'closed', payment_id, 'released', amount, now(), 1, 'settled', 0, 0, amount
    from intents where id in (${id})`,
  event: (id) => sql`
    insert into events (business_id, environment, id, sequence, type, intent_id, occurred_at, created_at, recorded_at, body)
    select business_id, environment, 'evt_' || id, list_position, 'payment_intent.expired', id, now(), now(), now(), '{}'
    from intents where id in (${id})`,
  sponsorship: (id) => sql`
    insert into sponsorships (business_id, intent_id, id, environment, status, sponsor, sender, payment, built, fee_lamports,
      record_lamports, vault_lamports, tombstone_lamports, created_at, until, ended_at)
    select business_id, id, 'spo', environment, 'expired', 's', 's', 'p', '', 1, 1, 1, 1, now(), now(), now()
    from intents where id in (${id})`,
  fulfillment: (id) => sql`
    insert into fulfillments (business_id, intent_id, id, number, tracking_number, recorded_at, recorded_by)
    select business_id, id, 'ff', 1, '1', now(), 'usr' from intents where id in (${id})`,
  buyer_address: (id) => sql`
    insert into buyer_addresses (business_id, intent_id, environment, erase_at)
    select business_id, id, environment, now() from intents where id in (${id})`,
  buyer_notice: (id) => sql`
    insert into buyer_notices (business_id, environment, intent_id, kind, kept_until)
    select business_id, environment, id, 'sent', now() from intents where id in (${id})`,
  test_payment: (id) => sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at, test_intent)
    select business_id, environment, 'address-' || id, 'Till', row_number() over (partition by business_id, environment), now(), id
    from intents where id in (${id})`,
};
const NAMES = Object.keys(KEEPERS);

/** A number from 0 up to `below`, the same for the same texts in every run. */
const drawn = (below: number, ...of: readonly (string | number)[]): number =>
  createHash("sha256").update(of.join(" ")).digest().readUInt32BE() % below;

interface History {
  readonly id: string;
  readonly environment: "test" | "live";
  /** Days since it expired. */
  readonly age: number;
  readonly keepers: readonly string[];
}

async function openWithChains() {
  const opened = await openTestDatabase("", { connectionsMax: 4 });
  const { database } = opened;
  for (const id of BUSINESSES)
    await database.rows(sql`insert into businesses (id, name, created_at) values (${id}, 'Shop', now())`);
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator, watermark)
    values ('test', 'genesis', 'program', 'operator', now()),
      ('live', 'genesis', 'program', 'operator', now() - make_interval(days => ${BEHIND_DAYS}::integer))`);
  return opened;
}

/** Makes intents that expired so many days ago, oldest first, with all that they leave behind but events. */
async function makeEnded(
  database: Database,
  ended: readonly (Pick<History, "environment" | "age"> & { business: string })[],
) {
  const now = Date.now();
  const drafts = ended.map(({ business, environment, age }, number) =>
    draftCreation(
      SETTINGS,
      { businessId: business, environment },
      aNewIntent({ merchantReference: `order-${number}` }),
      new Date(now - (age + 1) * DAY_MS),
      null,
    ),
  );
  await insertIntents(database, drafts);
  await database.rows(sql`
    update intents set holds_reference = false,
      status = case when list_position % 3 = 0 then 'canceled' else 'expired' end,
      canceled_at = case when list_position % 3 = 0 then expires_at end`);
  await database.rows(sql`truncate events`);
  await database.rows(sql`
    insert into checkout_terms (business_id, intent_id, hash, body, created_at)
    select business_id, id, encode(sha256(convert_to(id, 'UTF8')), 'hex'), id, now() from intents`);
  return drafts;
}

const passThrough = async (database: Database, environment: "test" | "live" = "test") => {
  const step = createIntentRetention(testContext({ database, chain: { environment } }), DAYS);
  let steps = 1;
  while (await step()) steps++;
  return steps;
};

const listIds = async (database: Database): Promise<string[]> =>
  (await database.rows<{ id: string }>(sql`select id from intents order by id`)).map(({ id }) => id);

/** Rows that belong to no intent. */
const listOrphans = (database: Database) =>
  database.rows(sql`select intent_id from checkout_terms where intent_id not in (select id from intents)`);

test("§10.17 of random histories exactly the intents go that the rule allows, with all that is theirs, and payments stay as they are", async () => {
  await using opened = await openWithChains();
  const { database } = opened;
  const planned = Array.from({ length: 400 }, (_, n) => ({
    business: BUSINESSES[drawn(3, n, "business")]!,
    environment: drawn(3, n, "environment") === 0 ? ("live" as const) : ("test" as const),
    age: [1, 29, 31, 59, 61, 119, 121, 400][drawn(8, n, "age")]!,
    keepers: drawn(2, n, "free") === 0 ? [] : NAMES.filter((name) => drawn(6, n, name) === 0),
  })).toSorted((one, other) => other.age - one.age);
  const drafts = await makeEnded(database, planned);
  const histories: History[] = planned.map((one, index) => ({ ...one, id: drafts[index]!.intent.id }));
  for (const [name, keep] of Object.entries(KEEPERS)) {
    const ids = histories.filter(({ keepers }) => keepers.includes(name)).map(({ id }) => id);
    assert.ok(ids.length > 5, name);
    // A paid intent is in no other status.
    const wanted =
      name === "open" ? ids.filter((id) => !histories.find((one) => one.id === id)!.keepers.includes("paid")) : ids;
    await database.rows(keep(sql`select unnest(${wanted}::text[])`));
  }
  const payments = sql`select p::text as row from payments p order by address`;
  const before = await database.rows(payments);
  const isOver = ({ environment, age, keepers }: History) =>
    keepers.length === 0 && age > 30 && (environment === "test" || age > 30 + BEHIND_DAYS);

  for (const environment of ["test", "live"] as const) await passThrough(database, environment);

  const kept = histories.filter((one) => !isOver(one) || one.age <= DAYS);
  assert.ok(kept.length < histories.length - 40, "many go");
  assert.deepEqual(await listIds(database), kept.map(({ id }) => id).toSorted());
  assert.deepEqual(await listOrphans(database), []);
  assert.deepEqual(await database.rows(payments), before);
  for (const one of kept) {
    const deletion = database.rows(sql`delete from intents where id = ${one.id}`);
    if (isOver(one)) await deletion;
    else await assert.rejects(deletion, /is kept: it was paid/, JSON.stringify(one));
  }
  assert.deepEqual(await listOrphans(database), []);
});

test("a worker that is killed in the middle leaves all there, and the next one goes on", async () => {
  await using opened = await openWithChains();
  const { database } = opened;
  const ended = Array.from({ length: 700 }, () => ({ business: "biz_2", environment: "test" as const, age: 90 }));
  await makeEnded(database, ended);
  const ids = await listIds(database);
  await database.rows(sql`
    create function die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return old; end $$`);
  await database.rows(sql`
    create trigger killed before delete on intents for each row when (old.status = 'expired' and old.merchant_reference like 'order-3%') execute function die()`);
  await assert.rejects(passThrough(database));
  assert.deepEqual(await listIds(database), ids);
  assert.deepEqual(await listOrphans(database), []);
  await database.rows(sql`drop trigger killed on intents`);
  await Promise.all([passThrough(database), passThrough(database)]);
  assert.deepEqual(await listIds(database), []);
  assert.deepEqual(await listOrphans(database), []);
});

test("a pass looks at each intent once, at a batch in a step, and goes past a business that fails", async () => {
  await using opened = await openWithChains();
  const { database } = opened;
  const ended = (business: string, count: number) =>
    Array.from({ length: count }, () => ({ business, environment: "test" as const, age: 90 }));
  await makeEnded(database, [...ended("biz_1", 700), ...ended("biz_2", 4), ...ended("biz_3", 5)]);
  await database.rows(sql`update intents set status = 'expired', canceled_at = null where business_id = 'biz_1'`);
  await database.rows(sql`create sequence looks`);
  await database.rows(sql`
    create or replace function intent_is_over(i intents) returns boolean language plpgsql as $$
    begin
      perform nextval('looks');
      if i.business_id = 'biz_2' then raise exception 'refused'; end if;
      return i.business_id = 'biz_3';
    end $$`);
  const countLooks = async () =>
    (await database.row<{ looks: number }>(sql`
      select case when is_called then last_value else 0 end::integer as looks from looks`))!.looks;
  const step = createIntentRetention(testContext({ database, chain: { environment: "test" } }), DAYS);
  let refused = 0;
  const seen = [0];
  const proceed = async () => {
    const more = await step().catch((error: Error) => {
      assert.match(error.message, /refused/);
      refused++;
      return true;
    });
    seen.push(await countLooks());
    return more;
  };
  while (seen.length < 20 && (await proceed()));
  assert.equal(refused, 2, "once in each status");
  assert.deepEqual(await database.rows(sql`select distinct business_id from intents order by 1`), [
    { business_id: "biz_1" },
    { business_id: "biz_2" },
  ]);
  const looks = seen.map((count, index) => count - (seen[index - 1] ?? 0));
  assert.ok(Math.max(...looks) <= 500, `${looks}`);
  // The trigger of a deletion looks again; a refusal ends a batch at its first.
  assert.equal(seen.at(-1), 700 + 2 + 5 * 2);
});

test("a payment of a deleted intent is bound to none, however often it is seen; after a restore it is bound once", async () => {
  await using opened = await openWithChains();
  const { database } = opened;
  const [draft] = await makeEnded(database, [{ business: "biz_1", environment: "test", age: 90 }]);
  const { intent } = draft!;
  await database.rows(sql`create table backup as select * from intents`);
  await passThrough(database);
  assert.deepEqual(await listIds(database), []);
  const { paymentId, recipient, amount, asset, protectionPeriod } = intent;
  const seen = [anObservedPayment({ paymentId, recipient, amount, asset, protectionPeriod })];
  const record = () => recordAccounts(testContext({ database }), "test", seen);
  const read = () =>
    database.row(sql`
      select (select array_agg(reason) from unmatched_payments) as unmatched, (select count(*)::integer from payments) as payments,
        (select array_agg(type order by sequence) from events) as events`);
  await Promise.all([record(), record()]);
  await record();
  assert.deepEqual(await read(), { unmatched: ["unknown_payment_id"], payments: 0, events: null });

  await database.rows(sql`insert into intents select * from backup`);
  await Promise.all([record(), record()]);
  await record();
  const events = ["payment.protected", "payment_intent.paid_late"];
  assert.deepEqual(await read(), { unmatched: null, payments: 1, events });
  await database.rows(sql`truncate events`);
  await passThrough(database);
  assert.deepEqual(await listIds(database), [intent.id], "it was paid");
});

test("§4.9.3 a reader whose cursor was deleted goes on in both directions and misses nothing", async () => {
  await using opened = await openWithChains();
  const { database } = opened;
  const ended = Array.from({ length: 12 }, (_, n) => ({
    business: "biz_1",
    environment: "test" as const,
    age: 90 - n / 8,
  }));
  const ids = (await makeEnded(database, ended)).map(({ intent }) => intent.id);
  const kept = ids.filter((_, n) => n % 4 === 1);
  await database.rows(KEEPERS.event!(sql`select unnest(${kept}::text[])`));
  await passThrough(database);
  const tenant = { businessId: "biz_1", environment: "test" } as const;
  const query = { ...queryParser(LIST_INTENTS.query)(new URLSearchParams()), limit: 100 };
  const ctx = testContext({ database, intentRetentionDays: DAYS });
  const list = async (id: string, direction: "older" | "newer") => {
    const position = await findListPosition(ctx, tenant, id, direction);
    const cursor = direction === "older" ? { startingAfter: id } : { endingBefore: id };
    const found = await listIntents(database, tenant, { ...query, ...cursor }, position, new Date());
    return found.map(({ intent }) => intent.id).toSorted();
  };
  for (const id of ids) {
    assert.deepEqual(
      await list(id, "older"),
      kept.filter((one) => one < id),
    );
    assert.deepEqual(
      await list(id, "newer"),
      kept.filter((one) => one > id),
    );
  }
  const never = `${ids[0]!.slice(0, 12)}${Date.now().toString(16).padStart(12, "0")}${ids[0]!.slice(24)}`;
  assert.equal(await findListPosition(ctx, tenant, never, "older"), null);
  const off = testContext({ database });
  assert.deepEqual(
    await Promise.all(
      [ids[0]!, kept[0]!].map(async (id) => (await findListPosition(off, tenant, id, "older")) !== null),
    ),
    [false, true],
    "without the setting nothing was deleted",
  );
  assert.equal(await findListPosition(ctx, { ...tenant, businessId: "biz_99999" }, ids[0]!, "older"), null);
});
