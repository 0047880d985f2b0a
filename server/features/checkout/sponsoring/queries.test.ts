import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
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
  type SponsoredIntent,
  saveOffer,
  saveOutcomes,
  saveSigned,
} from "./queries.ts";
import { totalOf } from "./sponsorship.ts";

const OUTLAY = { fee: 10n, record: 200n, vault: 300n, tombstone: 40n };
const TOTAL = 510n;
const HOUR_MS = 3_600_000;
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
    action: null,
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
  await eventually("an hour that does not end meanwhile", () => Date.now() % HOUR_MS < HOUR_MS - 10_000);
  const opened = await openWithIntents();
  const offerOf = (intent: Intent, given: Partial<NewSponsorship> = {}, limits: Partial<SponsorLimits> = {}) =>
    saveOffer(opened.database, intent, aSponsorship(given), { ...WIDE, ...limits });
  /** An offer that its buyer signs. */
  const signOf = async (
    intent: SponsoredIntent,
    given: Partial<NewSponsorship> = {},
    limits: Partial<SponsorLimits> = {},
  ) => {
    const { id, sender, ...wanted } = aSponsorship(given);
    const offered = await saveOffer(opened.database, intent, { id, sender, ...wanted }, { ...WIDE, ...limits });
    if (offered !== null) return offered;
    const payment = { id, sender, lamports: totalOf(wanted.outlay) };
    return saveSigned(opened.database, intent, payment, SIGNED, { ...WIDE, ...limits });
  };
  /** A payment that the sponsor signs before its buyer. */
  const presignOf = (intent: Intent, given: Partial<NewSponsorship> = {}, limits: Partial<SponsorLimits> = {}) =>
    reserve(opened.database, intent, aSponsorship({ signed: SIGNED, ...given }), { ...WIDE, ...limits });
  return { ...opened, offerOf, signOf, presignOf };
};
const ends = (intent: Intent, id: string, status: "landed" | "failed" | "expired") => [
  { businessId: intent.businessId, intentId: intent.id, id, status },
];

test("each limit is named when it is reached, and nothing is reserved beyond it", async () => {
  const { opened, database, intent, other, offerOf, signOf } = await open();
  await using _ = opened;
  for (const [limits, reached] of [
    [{ hourMax: TOTAL - 1n }, "hour"],
    [{ dayMax: TOTAL - 1n }, "day"],
    [{ boundMax: TOTAL - 1n }, "bound"],
    [{ hourMax: 2n * TOTAL - 1n }, "business"],
    [{ dayMax: 2n * TOTAL - 1n }, "business"],
    [{ boundMax: 2n * TOTAL - 1n }, "business"],
  ] as const) {
    assert.equal(await offerOf(intent, {}, limits), reached, "said before the buyer signs");
    await offerOf(intent, { id: reached, sender: "one" });
    const payment = { id: reached, sender: "one", lamports: TOTAL };
    assert.equal(await saveSigned(database, intent, payment, SIGNED, { ...WIDE, ...limits }), reached);
    await database.rows(sql`delete from sponsorships where id = ${reached}`);
  }
  assert.deepEqual(await sumsOf(database), { hour: "0", day: "0", bound: "0", lost: "0" });

  for (let one = 1; one <= 3; one++) assert.equal(await signOf(intent), null);
  assert.equal(await signOf(intent), "intent");
  assert.equal(await signOf(other), null, "another intent has its own");
  const { bound } = (await sumsOf(database))!;
  assert.equal(BigInt(bound), 4n * TOTAL);
});

test("§4.14.9 what no buyer has signed takes nothing from the limits, and what waits for buyers a tenth of an hour's", async () => {
  const { opened, database, intent, other, offerOf, signOf, presignOf } = await open();
  await using _ = opened;
  const limits = { hourMax: 30n * TOTAL };
  for (let stranger = 1; stranger <= 20; stranger++)
    assert.equal(await offerOf(intent, { sender: "one" }, limits), null);
  assert.deepEqual(await sumsOf(database), { hour: "0", day: "0", bound: "0", lost: "0" });
  const presigned = [];
  for (let stranger = 1; stranger <= 6; stranger++) presigned.push(await presignOf(intent, { sender: "one" }, limits));
  assert.deepEqual(presigned, [null, null, null, "unsigned", "unsigned", "unsigned"]);
  // The buyer in whose name all these were requested, and for whose intent.
  for (let own = 1; own <= 3; own++) assert.equal(await signOf(intent, { sender: "one" }, limits), null);
  assert.equal(await presignOf(other, {}, limits), "unsigned");
  await saveOutcomes(database, "test", [
    ...ends(
      intent,
      (await database.row<{ id: string }>(sql`select id from sponsorships where presigned limit 1`))!.id,
      "expired",
    ),
  ]);
  assert.equal(await presignOf(other, {}, limits), null);
  await database.rows(sql`delete from sponsorships where presigned`);
  assert.equal(await presignOf(other, {}, { hourMax: 9n * TOTAL }), null, "one in any case");
  assert.equal(await presignOf(other, {}, { hourMax: 9n * TOTAL }), "unsigned");
});

test("§4.14.9 at the default limits, strangers who ask in others' names for an hour keep no page from its sponsor", async () => {
  const { opened, database, intent, other, offerOf, signOf, presignOf } = await open();
  await using _ = opened;
  const outlay = { fee: 10_677n, record: 3_062_400n, vault: 2_039_280n, tombstone: 1_280_640n };
  const limits = { hourMax: 200_000_000n, dayMax: 1_000_000_000n, boundMax: 10_000_000_000n };
  const counts = { presigned: 0, offered: 0 };
  for (let request = 1; request <= 60; request++) {
    const where = request % 2 === 0 ? intent : other;
    if ((await presignOf(where, { outlay }, limits)) === null) counts.presigned++;
    if ((await offerOf(where, { outlay }, limits)) === null) counts.offered++;
  }
  assert.deepEqual(counts, { presigned: 3, offered: 60 });
  const { hour } = (await sumsOf(database))!;
  assert.equal(BigInt(hour), 3n * 5_112_357n);
  for (let buyer = 1; buyer <= 3; buyer++) assert.equal(await signOf(intent, { outlay }, limits), null);
});

test("§4.15.7 rents that are out, and a business that has used up its share, keep no buyer from acting", async () => {
  const { opened, intent, signOf } = await open();
  await using _ = opened;
  const acted = { ...intent, actedOn: "payment" };
  const dispute = {
    payment: "payment",
    action: "dispute",
    outlay: { fee: 10n, record: 0n, vault: 0n, tombstone: 0n },
  } as const;
  assert.equal(await signOf(intent), null);
  assert.equal(await signOf(acted, dispute, { boundMax: TOTAL }), null);
  assert.equal(await signOf(acted, dispute, { hourMax: TOTAL + 20n }), null, "more than half of it");
  assert.equal(await signOf(acted, dispute, { hourMax: TOTAL + 20n }), "hour", "the whole limits hold");
});

test("§4.14.9 a business has its share of the limits, by how many there are, and leaves others theirs", async () => {
  const { opened, database, intent, other, signOf } = await open();
  await using _ = opened;
  const limits = { hourMax: 5n * TOTAL };
  assert.deepEqual([await signOf(intent, {}, limits), await signOf(intent, {}, limits)], [null, null]);
  assert.equal(await signOf(intent, {}, limits), "business");
  assert.equal(await signOf(other, {}, limits), null);
  for (const id of ["biz_3", "biz_4", "biz_5"])
    await database.rows(sql`insert into businesses (id, name, created_at) values (${id}, 'Shop', now())`);
  assert.equal(await signOf(other, {}, limits), "business");
  assert.equal(await signOf(other, {}, { hourMax: 8n * TOTAL }), null, "a quarter, however many there are");
});

test("§4.14.9 a business that is alone has all of the limits", async () => {
  const { opened, database, intent, signOf } = await open();
  await using _ = opened;
  await database.rows(sql`alter table intents disable trigger intents_deleted`);
  await database.rows(sql`delete from intents where business_id = 'biz_2'`);
  await database.rows(sql`delete from businesses where id = 'biz_2'`);
  const limits = { hourMax: 3n * TOTAL };
  for (let one = 1; one <= 3; one++) assert.equal(await signOf(intent, {}, limits), null);
});

test("a sender has five in a day, whatever became of them, and no more while their vaults are open", async () => {
  const { opened, database, intent, other, signOf } = await open();
  await using _ = opened;
  const one = { sender: "one" };
  for (const where of [intent, intent, intent, other, other]) assert.equal(await signOf(where, one), null);
  assert.equal(await signOf(other, one), "sender");
  assert.equal(await signOf(other), null, "another sender has their own");
  await database.rows(sql`update sponsorships set created_at = created_at - interval '25 hours' where sender = 'one'`);
  assert.equal(await signOf(other, one), "intent");
  await database.rows(sql`delete from sponsorships where intent_id = ${other.id} and sender <> 'one'`);
  assert.equal(await signOf(other, one), "sender", "their vaults are open");
  await database.rows(sql`update sponsorships set vault_returned = true where sender = 'one'`);
  assert.equal(await signOf(other, one), null);
});

test("of many that ask at once exactly as many get something as the limits allow", async () => {
  const { opened, database, intent, other, signOf } = await open();
  await using _ = opened;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => signOf(index % 2 === 0 ? intent : other, {}, { boundMax: 5n * TOTAL })),
  );
  assert.equal(answers.filter((answer) => answer === null).length, 4, "two of each business");
  assert.equal(BigInt((await sumsOf(database))!.bound), 4n * TOTAL);
  const senders = Array.from({ length: 12 }, (_, index) =>
    signOf(index % 2 === 0 ? intent : other, { sender: "same" }),
  );
  // At most three per intent and two per sender had been made before.
  assert.equal((await Promise.all(senders)).filter((answer) => answer === null).length, 2);
});

test("an offer that nobody signed is forgotten after its time; one that an older process counted is taken out of the sums", async () => {
  const { opened, database, intent, offerOf } = await open();
  await using _ = opened;
  for (let one = 1; one <= 6; one++) assert.equal(await offerOf(intent, { sender: "one" }), null);
  assert.equal(await expireOffers(database, "test", 10), 0);
  await database.rows(sql`update sponsorships set counted = true where id = (select min(id) from sponsorships)`);
  await database.rows(sql`update sponsor_budgets set bound_lamports = ${TOTAL}::bigint where environment = 'test'`);
  await database.rows(sql`update sponsorships set until = now(), due_at = now()`);
  assert.equal(await findOpenSponsorship(database, intent, "one", "AA=="), null);
  assert.equal(await expireOffers(database, "test", 10), 5);
  assert.deepEqual(await sumsOf(database), { hour: "0", day: "0", bound: "0", lost: "0" });
  await database.rows(sql`update sponsorships set ended_at = now() - interval '25 hours'`);
  assert.equal(await pruneExpired(database, "test", 10), 1);
});

test("an offer gets one signature, and none after its time", async () => {
  const { opened, database, intent, other, offerOf } = await open();
  await using _ = opened;
  await offerOf(intent, { id: "one", sender: "one" });
  const save = (where: Intent, id: string, signature: string) =>
    saveSigned(database, where, { id, sender: id, lamports: TOTAL }, { ...SIGNED, signature }, WIDE);
  const signatures = await Promise.all(["a", "b", "c"].map((signature) => save(intent, "one", signature)));
  assert.equal(signatures.filter((reached) => reached === null).length, 1);
  assert.equal(BigInt((await sumsOf(database))!.bound), TOTAL);
  const found = await findOpenSponsorship(database, intent, "one", "AA==");
  assert.deepEqual(found, { id: "one", sponsor: "sponsor", built: "AA==", signed: "AQ==", outlayMax: TOTAL });
  assert.equal(await findOpenSponsorship(database, other, "one", "AA=="), null);
  await offerOf(other, { id: "late", sender: "late" });
  await database.rows(sql`update sponsorships set until = now() where id = 'late'`);
  assert.equal(await save(other, "late", "d"), "over");
});

test("what the buyer signed is what counts, not what strangers had offered in their name since", async () => {
  const { opened, database, intent, offerOf } = await open();
  await using _ = opened;
  const bytes = (end: string) => `${"A".repeat(172)}${end}`;
  for (const end of ["own", "other", "last"]) await offerOf(intent, { sender: "one", built: bytes(end) });
  const builtOf = async (signed: string) => (await findOpenSponsorship(database, intent, "one", signed))?.built;
  assert.equal(await builtOf(`${"B".repeat(172)}own`), bytes("own"));
  assert.equal(await builtOf(bytes("changed by a wallet")), bytes("last"));
});

test("what lands binds its rents and loses fee and tombstone; what fails loses the fee; what expires, nothing", async () => {
  const { opened, database, intent, other, signOf } = await open();
  await using _ = opened;
  for (const [where, id] of [
    [intent, "landed"],
    [intent, "failed"],
    [other, "expired"],
  ] as const)
    assert.equal(await signOf(where, { id, payment: `payment of ${id}` }), null);
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
  // Less if an hour or a day ended meanwhile.
  for (const given of [sums.hour, sums.day]) assert.ok(BigInt(given) <= TOTAL + OUTLAY.fee, given);
  // Checked again later, since it is not in the books as paid yet.
  assert.equal(await returnRents(database, "test", 10), 1);
  assert.equal(await returnRents(database, "test", 10), 0);
  assert.equal(BigInt((await sumsOf(database))!.bound), bound);
});

test("§3.2.13 the rent of a record that the keeper gave up stays bound, that of a closed one comes back", async () => {
  const { opened, database, intent, signOf } = await open();
  await using _ = opened;
  for (const id of ["closed", "given-up"]) {
    assert.equal(await signOf(intent, { id, payment: id }), null);
    await saveOutcomes(database, "test", ends(intent, id, "landed"));
    await database.rows(sql`
      insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender, recipient,
        amount, asset, protection_period, merchant_reference, created_at, protection_deadline, settled_at, checked_at, observed_slot,
        finalized, settleable_event_sent, outcome, refund_total, amount_refunded, amount_released, arbiter, rent_payer,
        keeper_done, keeper_refusal)
      values ('biz_1', ${id}, 'test', ${intent.id}, 1, ${id.length}::bigint, ${id === "closed" ? "primary" : "duplicate"}, 'released', 'one', 'two',
        5, 'asset', 'oneDay', 'order-1', now(), now() + interval '1 day', now(), now(), 1,
        true, true, 'settled', 0, 0, 5, 'arbiter', 'sponsor', true, ${id === "closed" ? null : "destination_missing"}::text)`);
  }
  assert.equal(await returnRents(database, "test", 10), 2);
  assert.equal(BigInt((await sumsOf(database))!.bound), OUTLAY.record - OUTLAY.tombstone);
});

test("§4.15.7 an action counts for its payment alone; its fee is lost when it lands, and nothing of it stays bound", async () => {
  const { opened, database, intent, signOf } = await open();
  await using _ = opened;
  for (let paid = 1; paid <= 3; paid++) assert.equal(await signOf(intent, { sender: "one" }), null);
  const { bound } = (await sumsOf(database))!;
  const acted = { ...intent, actedOn: "payment-of-one" };
  const action = {
    sender: "one",
    payment: acted.actedOn,
    action: "dispute",
    outlay: { fee: 10n, record: 0n, vault: 0n, tombstone: 0n },
  } as const;
  for (const id of ["landed", "failed", "expired"]) assert.equal(await signOf(acted, { id, ...action }), null);
  assert.equal(await signOf(acted, action), "intent", "three for a payment");
  assert.equal(await signOf(intent), "intent", "those of the payments themselves are as many as before");
  const other = { ...intent, actedOn: "another" };
  for (let more = 4; more <= 5; more++) assert.equal(await signOf(other, { ...action, payment: "another" }), null);
  assert.equal(await signOf({ ...intent, actedOn: "third" }, { ...action, payment: "third" }), "sender");
  // An offer to act is not one to pay, and not one to act on another payment.
  assert.equal((await findOpenSponsorship(database, acted, "one", "AA=="))?.outlayMax, 10n);
  assert.equal(await findOpenSponsorship(database, { ...intent, actedOn: "third" }, "one", "AA=="), null);
  assert.equal((await findOpenSponsorship(database, intent, "one", "AA=="))?.outlayMax, TOTAL);

  for (const id of ["landed", "failed", "expired"] as const) await saveOutcomes(database, "test", ends(intent, id, id));
  assert.equal(await returnRents(database, "test", 10), 1, "it is over at once");
  assert.equal(await returnRents(database, "test", 10), 0);
  const sums = (await sumsOf(database))!;
  assert.deepEqual([BigInt(sums.bound), BigInt(sums.lost)], [BigInt(bound) + 20n, 20n]);
  const row = await database.row<{ status: string }>(sql`select status from sponsorships where id = 'landed'`);
  assert.equal(row?.status, "returned");
  await assert.rejects(
    signOf({ ...intent, actedOn: "x" }, { ...action, outlay: OUTLAY }),
    /sponsorships_action_has_no_rents/,
  );
});
