import assert from "node:assert/strict";
import { test } from "node:test";
import type { SponsorLimits } from "../../../chain/sponsor.ts";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { Intent } from "../../intents/intent.ts";
import { openWithIntents } from "../paying/fixtures.ts";
import {
  claimSigned,
  expireOffers,
  findOpenSponsorship,
  type NewSponsorship,
  pruneExpired,
  reserve,
  returnRents,
  saveOutcomes,
  saveSigned,
} from "./queries.ts";

const OUTLAY = { fee: 10n, record: 200n, vault: 300n, tombstone: 40n };
const TOTAL = 510n;
const WIDE: SponsorLimits = { amountsMin: new Map(), hourMax: 10n ** 9n, dayMax: 10n ** 9n, boundMax: 10n ** 9n };
const SIGNED = { transaction: "AQ==", signature: "signature" };

let made = 0;
const aSponsorship = (given: Partial<NewSponsorship> = {}): NewSponsorship => {
  made++;
  return {
    id: `spo_${made}`,
    sponsor: "sponsor",
    sender: `sender-${made}`,
    payment: `payment-${made}`,
    built: "AA==",
    signed: null,
    outlay: OUTLAY,
    ...given,
  };
};

interface Sums {
  readonly hour: string;
  readonly day: string;
  readonly bound: string;
  readonly lost: string;
}
const sumsOf = (database: Database) =>
  database.row<Sums>(sql`
    select hour_lamports as hour, day_lamports as day, bound_lamports as bound, lost_lamports as lost
    from sponsor_budgets where environment = 'test'`);
const open = async () => {
  const opened = await openWithIntents();
  const reserveOf = (intent: Intent, given: Partial<NewSponsorship> = {}, limits: Partial<SponsorLimits> = {}) =>
    reserve(opened.database, intent, aSponsorship(given), { ...WIDE, ...limits });
  return { ...opened, reserveOf };
};
const ends = (intent: Intent, id: string, status: "landed" | "failed" | "expired") => [
  { businessId: intent.businessId, intentId: intent.id, id, status },
];

test("each limit is named when it is reached, and nothing is reserved beyond it", async () => {
  const { opened, database, intent, other, reserveOf } = await open();
  await using _ = opened;
  for (const [limits, reached] of [
    [{ hourMax: TOTAL - 1n }, "hour"],
    [{ dayMax: TOTAL - 1n }, "day"],
    [{ boundMax: TOTAL - 1n }, "bound"],
  ] as const)
    assert.equal(await reserveOf(intent, {}, limits), reached);
  assert.deepEqual(await sumsOf(database), { hour: "0", day: "0", bound: "0", lost: "0" });

  for (let one = 1; one <= 3; one++) assert.equal(await reserveOf(intent), null);
  assert.equal(await reserveOf(intent), "intent");
  assert.equal(await reserveOf(other), null, "another intent has its own");
  const { bound } = (await sumsOf(database))!;
  assert.equal(BigInt(bound), 4n * TOTAL);
});

test("a sender has five in a day, whatever became of them, and no more while their vaults are open", async () => {
  const { opened, database, intent, other, reserveOf } = await open();
  await using _ = opened;
  const signed = { sender: "one", signed: SIGNED };
  for (const where of [intent, intent, intent, other, other]) assert.equal(await reserveOf(where, signed), null);
  assert.equal(await reserveOf(other, signed), "sender");
  assert.equal(await reserveOf(other), null, "another sender has their own");
  await database.rows(sql`update sponsorships set created_at = created_at - interval '25 hours' where sender = 'one'`);
  assert.equal(await reserveOf(other, signed), "intent");
  await database.rows(sql`delete from sponsorships where intent_id = ${other.id} and sender <> 'one'`);
  assert.equal(await reserveOf(other, signed), "sender", "their vaults are open");
  await database.rows(sql`update sponsorships set vault_returned = true where sender = 'one'`);
  assert.equal(await reserveOf(other, signed), null);
});

test("of many that ask at once exactly as many get something as the limits allow", async () => {
  const { opened, database, intent, other, reserveOf } = await open();
  await using _ = opened;
  const asked = Array.from({ length: 12 }, (_, index) =>
    reserveOf(index % 2 === 0 ? intent : other, {}, { boundMax: 5n * TOTAL }),
  );
  const answers = await Promise.all(asked);
  assert.equal(answers.filter((answer) => answer === null).length, 5);
  assert.equal(BigInt((await sumsOf(database))!.bound), 5n * TOTAL);
  const senders = Array.from({ length: 12 }, (_, index) =>
    reserveOf(index % 2 === 0 ? intent : other, { sender: "same", signed: SIGNED }),
  );
  // Three in all of each intent, and five were made before.
  assert.equal((await Promise.all(senders)).filter((answer) => answer === null).length, 1);
});

test("an offer that nobody signed gives way to the next one for the same buyer, and ends after its time", async () => {
  const { opened, database, intent, reserveOf } = await open();
  await using _ = opened;
  for (let one = 1; one <= 6; one++) assert.equal(await reserveOf(intent, { sender: "one" }), null);
  assert.equal(BigInt((await sumsOf(database))!.bound), TOTAL);
  assert.equal(await expireOffers(database, "test", 10), 0);
  await database.rows(sql`update sponsorships set until = now(), due_at = now() where status = 'offered'`);
  assert.equal(await findOpenSponsorship(database, intent.businessId, intent.id, "one"), null);
  assert.equal(await expireOffers(database, "test", 10), 1);
  assert.deepEqual(await sumsOf(database), { hour: "0", day: "0", bound: "0", lost: "0" });
  await database.rows(sql`update sponsorships set ended_at = now() - interval '25 hours' where id <> 'none'`);
  assert.equal(await pruneExpired(database, "test", 10), 6);
});

test("an offer gets one signature, and none after its time", async () => {
  const { opened, database, intent, other, reserveOf } = await open();
  await using _ = opened;
  await reserveOf(intent, { id: "one", sender: "one" });
  const signatures = await Promise.all(
    ["a", "b", "c"].map((signature) =>
      saveSigned(database, intent.businessId, intent.id, "one", { ...SIGNED, signature }),
    ),
  );
  assert.equal(signatures.filter(Boolean).length, 1);
  const found = await findOpenSponsorship(database, intent.businessId, intent.id, "one");
  assert.deepEqual(found, { id: "one", sponsor: "sponsor", built: "AA==", signed: "AQ==", outlayMax: TOTAL });
  assert.equal(await findOpenSponsorship(database, other.businessId, other.id, "one"), null);
  await reserveOf(other, { id: "late", sender: "late" });
  await database.rows(sql`update sponsorships set until = now() where id = 'late'`);
  assert.equal(await saveSigned(database, other.businessId, other.id, "late", SIGNED), false);
});

test("what lands binds its rents and loses fee and tombstone; what fails loses the fee; what expires, nothing", async () => {
  const { opened, database, intent, other, reserveOf } = await open();
  await using _ = opened;
  for (const [where, id] of [
    [intent, "landed"],
    [intent, "failed"],
    [other, "expired"],
  ] as const)
    assert.equal(await reserveOf(where, { id, signed: SIGNED, payment: `payment of ${id}` }), null);
  await database.rows(sql`update sponsorships set due_at = now() where status = 'signed'`);
  const claims = await Promise.all([1, 2].map(() => claimSigned(database, "test", 10)));
  assert.equal(claims.flat().length, 3, "each claim belongs to one worker");
  assert.equal((await claimSigned(database, "live", 10)).length, 0);
  for (let twice = 1; twice <= 2; twice++) {
    await saveOutcomes(database, "test", ends(intent, "landed", "landed"));
    await saveOutcomes(database, "test", ends(intent, "failed", "failed"));
    await saveOutcomes(database, "test", ends(other, "expired", "expired"));
  }
  const bound = OUTLAY.record - OUTLAY.tombstone + OUTLAY.vault;
  const lost = OUTLAY.fee * 2n + OUTLAY.tombstone;
  const sums = (await sumsOf(database))!;
  assert.deepEqual([BigInt(sums.bound), BigInt(sums.lost)], [bound, lost]);
  // Less where an hour or a day ended meanwhile.
  for (const given of [sums.hour, sums.day]) assert.ok(BigInt(given) <= TOTAL + OUTLAY.fee, given);
  // Not in the books as paid yet: looked at, and again later.
  assert.equal(await returnRents(database, "test", 10), 1);
  assert.equal(await returnRents(database, "test", 10), 0);
  assert.equal(BigInt((await sumsOf(database))!.bound), bound);
});
