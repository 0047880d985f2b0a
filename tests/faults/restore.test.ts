import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { restoreVerbs } from "../../server/app/restore/admin.ts";
import { recordRestore } from "../../server/app/restore/restore.ts";
import { listEvents } from "../../server/features/events/queries.ts";
import { listUnmatched } from "../../server/features/recording/queries.ts";
import { commandLine } from "../../server/features/testing.ts";
import { addEndpoint } from "../../server/features/webhooks/endpoints/actions.ts";
import { newKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { openTestDatabase } from "../../server/store/testing.ts";
import { copyBooks } from "./booksCopy.ts";
import { SteppedService } from "./steppedService.ts";

const NO_FILTER = { type: [], intent: null, payment: null, occurredAfter: null, occurredBefore: null };

interface Followed {
  readonly id: string;
  readonly type: string;
  readonly sequence: string;
  readonly restored?: true;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

/** The events that a follower gets, in order, after it has handled everything up to `after`. */
async function follow(stepped: SteppedService, after: string): Promise<Followed[]> {
  const tenant = { businessId: stepped.business, environment: "test" } as const;
  const range = { above: after, below: null, upward: true, limit: 1_000 };
  const found = await listEvents(stepped.database, tenant, NO_FILTER, range);
  return found.toReversed().map(({ body }) => JSON.parse(body));
}

/** The receiver follows the advice (§6.5.7): fulfil once per intent, on `.paid`. */
const fulfilled = (events: readonly Followed[]): string[] => [
  ...new Set(events.filter(({ type }) => type === "payment_intent.paid").map(({ data }) => data.object.id as string)),
];

test("§6.6.6, §6.6.7 after a restore no number is used twice, the gap is announced first, and what is found again says so", async () => {
  await using stepped = await SteppedService.open();
  const { database, business } = stepped;
  const tenant = { businessId: business, environment: "test" } as const;
  const chosen = { url: "https://shop.com/", eventTypes: ["payment_intent.paid"] } as const;
  const { id: endpoint } = (await addEndpoint(database, { kind: "service" }, newKeyRing(), tenant, chosen)).endpoint;
  const [before, paidLater, canceledLater] = [await stepped.create(), await stepped.create(), await stepped.create()];
  await stepped.pay(before);
  await stepped.settle();
  const restoreBooks = await copyBooks(database);
  const followed = await follow(stepped, "0");

  // The copy lacks these changes.
  await stepped.pay(paidLater);
  await stepped.settle();
  await stepped.cancel(canceledLater);
  const lacking = await stepped.create();
  const lost = await stepped.pay(lacking);
  await stepped.settle();
  const followedLater = await follow(stepped, followed.at(-1)!.sequence);
  assert.equal(followedLater.length, 6);

  await restoreBooks();
  const restored = commandLine(
    restoreVerbs(async () => []),
    database,
  );
  const session = await database.connect();
  await assert.rejects(restored("restored"), /Stop every process first/);
  await session.end();
  const [gap] = await recordRestore(database, 1_000);
  await stepped.catchUp();
  await stepped.settle();
  const fresh = await stepped.create();
  await stepped.pay(fresh);
  await stepped.settle();

  // The gap comes first, whatever sequence a follower starts from.
  const followedAgain = await follow(stepped, followed.at(-1)!.sequence);
  assert.deepEqual(await follow(stepped, followedLater.at(-1)!.sequence), followedAgain);
  const [first, ...others] = followedAgain;
  const { after, before: above } = gap!;
  assert.deepEqual(first!.data.object, { object: "sequence_gap", after, before: above });
  assert.deepEqual([first!.type, first!.sequence, after], ["events.restored", above, followed.at(-1)!.sequence]);
  const sequences = [...followed, ...followedLater, ...followedAgain].map(({ sequence }) => sequence);
  assert.equal(new Set(sequences).size, sequences.length, "no number twice");

  assert.deepEqual(
    others.map(({ type, restored }) => [type, restored]),
    [
      ["payment.protected", true],
      ["payment_intent.paid", true],
      ["payment_intent.created", undefined],
      ["payment.protected", undefined],
      ["payment_intent.paid", undefined],
    ],
  );
  // `lacking` was fulfilled before its intent was lost; nothing is fulfilled twice.
  assert.deepEqual(fulfilled([...followed, ...followedLater]), [before.id, paidLater.id, lacking.id]);
  assert.deepEqual(fulfilled([...followed, ...followedLater, ...followedAgain]), [
    before.id,
    paidLater.id,
    lacking.id,
    fresh.id,
  ]);
  assert.equal((await stepped.intent(canceledLater)).status, "requires_payment");

  const filter = { reason: "unknown_payment_id", since: null, before: null, limit: 10 } as const;
  const unmatched = await listUnmatched(database, "test", filter);
  assert.deepEqual(
    unmatched!.map(({ id, paymentId }) => [id, paymentId]),
    [[lost.payment, lacking.paymentId]],
  );
  // An endpoint that has chosen other types gets the event of the gap too.
  const queued = await database.rows<{ event_id: string }>(
    sql`select event_id from webhook_queue where endpoint_id = ${endpoint} and event_type = 'events.restored'`,
  );
  assert.deepEqual(queued, [{ event_id: first!.id }]);
  await stepped.assertSound();
});

test("§6.6.6 several businesses share a statement after a restore, and those without an event have a gap too", async () => {
  await using stepped = await SteppedService.open();
  const { database } = stepped;
  await database.rows(sql`
    with added as (insert into businesses (id, name, created_at) select 'biz_' || n, 'Shop', now() from generate_series(1, 450) n returning id)
    insert into event_counters (business_id, environment, last_sequence) select id, 'test', 7 from added`);
  const gaps = await recordRestore(database, 10);
  assert.equal(gaps.length, 451);
  assert.ok(
    gaps.every(({ environment }) => environment === "test"),
    "live never had a chain",
  );
  const counters = await database.rows<{ last_sequence: string; events: string }>(sql`
    select c.last_sequence, count(*) as events from event_counters c
    join events e on e.business_id = c.business_id and e.environment = c.environment and e.sequence = c.last_sequence
    group by 1 order by 1`);
  assert.deepEqual(counters, [
    { last_sequence: "11", events: "1" },
    { last_sequence: "18", events: "450" },
  ]);
  assert.equal((await recordRestore(database, 10)).length, 451, "again does no harm");
});

test("§6.6.6 a copy of an older version is brought up to date by the command, and then continues", async () => {
  await using older = await openTestDatabase();
  const { database } = older;
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  const client = new pg.Client(older.url);
  try {
    await cp(new URL("../../server/store/migrations/", import.meta.url), folder, { recursive: true });
    await writeFile(join(folder, "9999_later.sql"), "alter table businesses add column later text");
    await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
    await database.rows(sql`
      insert into event_counters (business_id, environment, last_sequence) values ('biz_1', 'test', 7), ('biz_1', 'live', 0)`);
    await database.rows(sql`
      insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`);
    const migrateLater = async () => {
      await client.connect();
      return migrate(client, pathToFileURL(`${folder}/`));
    };
    const { result, text } = await commandLine(restoreVerbs(migrateLater), database)("restored");
    assert.match(text, /^Migrated the schema \(9999_later\.sql\)/);
    assert.deepEqual((result as { gaps: unknown }).gaps, [
      { object: "sequence_gap", business: "biz_1", environment: "test", after: "7", before: "1000008" },
    ]);
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
});
