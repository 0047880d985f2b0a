import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "./database.ts";
import { announcing, prepare, relation, sql } from "./sql.ts";
import { openTestDatabase } from "./testing.ts";

const TYPES = {
  ordinal: "integer",
  words: "text",
  amount: "numeric",
  at: "timestamptz",
  bytes: "bytea",
  big: "bigint",
};
const given = relation("r", TYPES);
const ROWS = [
  {
    ordinal: 0,
    words: `a "quote", a \\ and 'another', {1,2}`,
    amount: "18446744073709551615",
    at: new Date("2026-11-20T10:00:00.123Z"),
    bytes: "\\x00ff",
    big: "9223372036854775807",
  },
  { ordinal: 1, words: null, amount: null, at: null, bytes: null, big: null },
  { ordinal: 2, words: "", amount: "1", at: new Date(0), bytes: "\\x", big: "-1" },
];

test("a relation of one row has the same values as the same row among several", async () => {
  await using opened = await openTestDatabase();
  const read = (rows: typeof ROWS) =>
    opened.database.rows<{ ordinal: number }>(
      sql`select r.*, pg_typeof(r.amount)::text as kind from ${given(rows)} order by r.ordinal`,
    );
  const together = await read(ROWS);
  assert.equal(together.length, ROWS.length);
  assert.deepEqual((await Promise.all(ROWS.map((row) => read([row])))).flat(), together);
  assert.deepEqual(await read([]), []);
});

// The least and the greatest value, or all values, that each domain accepts; and the nearest that it refuses.
const DOMAINS: readonly {
  readonly name: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}[] = [
  { name: "environment", good: ["test", "live"], bad: ["", "prod", "Test"] },
  { name: "intent_status", good: ["requires_payment", "paid", "expired", "canceled"], bad: ["open", ""] },
  {
    name: "protection_period",
    good: ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"],
    bad: ["twoDays", ""],
  },
  { name: "intent_description", good: ["a", "ä".repeat(500)], bad: ["", "a".repeat(501)] },
  {
    name: "intent_return_url",
    good: ["https://a.example/", `http://localhost/${"a".repeat(2_031)}`],
    bad: ["", "ftp://a.example/", `http://localhost/${"a".repeat(2_032)}`],
  },
  { name: "answer_days", good: [3, 14], bad: [2, 15] },
  { name: "decide_days", good: [7, 30], bad: [6, 31] },
  { name: "agreement_days", good: [3, 14], bad: [2, 15] },
  { name: "token_amount", good: ["1", "18446744073709551615"], bad: ["0", "-1", "18446744073709551616"] },
  { name: "part_amount", good: ["0", "18446744073709551615"], bad: ["-1", "18446744073709551616"] },
  {
    name: "payment_outcome",
    good: ["released_by_sender", "settled", "resolved", "refunded_by_recipient", "refunded_unresolved"],
    bad: ["released", ""],
  },
  { name: "payment_id", good: ["1", "9223372036854775807"], bad: ["0", "-1"] },
  { name: "event_key", good: [Buffer.alloc(18)], bad: [Buffer.alloc(17), Buffer.alloc(19)] },
  { name: "generation", good: [1, 2_147_483_647], bad: [0] },
  { name: "mismatch_count", good: [0, 3], bad: [-1, 4] },
  { name: "whole_second", good: ["2026-11-20T10:00:00Z"], bad: ["2026-11-20T10:00:00.001Z"] },
  { name: "idempotency_key", good: ["k", "k".repeat(255)], bad: ["", "k".repeat(256)] },
  { name: "sha256", good: [Buffer.alloc(32)], bad: [Buffer.alloc(31), Buffer.alloc(33)] },
  { name: "stored_status", good: [200, 499], bad: [199, 500] },
  { name: "delivery_kind", good: ["scheduled", "resend", "replay", "test"], bad: ["", "retry"] },
  { name: "delivery_priority", good: ["asked", "new", "later"], bad: ["", "soon"] },
  { name: "attempts_so_far", good: [0, 8], bad: [-1, 9] },
  { name: "attempts_in_all", good: [0, 9], bad: [-1, 10] },
  { name: "attempt_number", good: [1, 9], bad: [0, 10] },
  { name: "delivery_error_class", good: ["timeout", "other"], bad: ["late", ""] },
  { name: "delivery_status", good: ["succeeded", "abandoned"], bad: ["pending", ""] },
  { name: "concurrency_limit", good: [1, 64], bad: [0, 65] },
  { name: "keeper_tries", good: [0, 30], bad: [-1, 31] },
  { name: "keeper_refusal", good: ["x", "x".repeat(300)], bad: ["", "x".repeat(301)] },
  { name: "lamports", good: ["0", "9223372036854775807"], bad: ["-1"] },
  {
    name: "sponsorship_status",
    good: ["offered", "signed", "landed", "failed", "expired", "returned"],
    bad: ["open", ""],
  },
  { name: "link_title", good: ["a", "ä".repeat(100)], bad: ["", "a".repeat(101)] },
  { name: "seats_limit", good: [1, 10_000], bad: [0, 10_001] },
  {
    name: "receipt_key",
    good: ["q83vEjRWeJCrze8SNFZ4kA", "-".repeat(22)],
    bad: ["", "q83vEjRWeJCrze8SNFZ4k", "q83vEjRWeJCrze8SNFZ4kAA", "q83vEjRWeJCrze8SNFZ4k="],
  },
  {
    name: "dispute_status",
    good: ["talking", "deciding", "agreed", "decided", "paused", "closed"],
    bad: ["open", ""],
  },
  {
    name: "dispute_reason",
    good: ["not_received", "not_as_described", "paid_twice", "returned_or_canceled", "other", "not_given"],
    bad: ["fraud", ""],
  },
  { name: "dispute_notice", good: ["opened", "turn", "due_soon", "offer", "closed"], bad: ["", "paused"] },
  { name: "erased_part", good: ["dispute", "statement", "file", "reasons"], bad: ["", "offer"] },
  { name: "erasure_cause", good: ["retention", "request"], bad: ["", "other"] },
  { name: "dispute_side", good: ["buyer", "merchant"], bad: ["arbiter", ""] },
  { name: "dispute_turn", good: ["buyer", "merchant", "arbiter", "nobody"], bad: ["", "both"] },
  {
    name: "offer_status",
    good: ["open", "accepted", "declined", "withdrawn", "replaced", "expired"],
    bad: ["closed", ""],
  },
  {
    name: "statement_text",
    good: ["a", "a".repeat(5_000), "€".repeat(4_000)],
    bad: ["", "a".repeat(5_001), "€".repeat(4_001)],
  },
  { name: "offer_text", good: ["a", "ä".repeat(500)], bad: ["", "a".repeat(501)] },
  { name: "texts_of_side", good: [0, 20], bad: [-1, 21] },
  { name: "files_of_side", good: [0, 10], bad: [-1, 11] },
  {
    name: "file_type",
    good: ["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"],
    bad: ["", "image/svg+xml", "text/html"],
  },
  { name: "file_name", good: ["a", "ä".repeat(100)], bad: ["", "a".repeat(101), "a/b", "a\\b", "a\nb", "a\u007f"] },
  { name: "file_size", good: [1, 5_000_000], bad: [0, 5_000_001] },
  { name: "texts_of_day", good: [0, 5], bad: [-1, 6] },
  { name: "ruling_memo", good: ["record", "unknown", "none", "other_signer", "several"], bad: ["", "found"] },
  { name: "questions_of_dispute", good: [0, 2], bad: [-1, 3] },
  {
    name: "arbiter_warning",
    good: ["due_soon", "overdue", "resolve_30", "resolve_7", "resolve_1"],
    bad: ["none", ""],
  },
];

const take = (database: Database, value: unknown, domain: string) =>
  database.rows({ strings: ["select ", `::${domain}`], values: [value] });

test("every domain takes what is within its rule and refuses what is just beyond, and all are known here", async () => {
  await using opened = await openTestDatabase();
  const names = await opened.database.rows<{ typname: string }>(
    sql`select typname from pg_type where typtype = 'd' and typnamespace = 'public'::regnamespace order by typname`,
  );
  assert.deepEqual(
    names.map(({ typname }) => typname),
    DOMAINS.map(({ name }) => name).toSorted(),
  );
  for (const { name, good, bad } of DOMAINS) {
    for (const value of good) await take(opened.database, value, name);
    for (const value of bad)
      await assert.rejects(take(opened.database, value, name), { code: "23514" }, `${name}: ${value}`);
  }
});

test("the same pieces make the same text again, others another; values and pieces are distinguished", () => {
  const build = (piece: unknown, value: unknown) => sql`select ${piece}, ${value}`;
  const word = sql`now()`;
  assert.equal(build(word, 1).strings, build(word, 2).strings);
  assert.deepEqual(build(word, 1), { strings: ["select now(), ", ""], values: [1] });
  assert.deepEqual(build(1, word), { strings: ["select ", ", now()"], values: [1] });
  assert.deepEqual(build(word, sql`${3} + ${4}`), { strings: ["select now(), ", " + ", ""], values: [3, 4] });
  assert.deepEqual(prepare(build(word, 5)).text, "select now(), $1");
});

test("a statement announces what its pieces do, by its rows; a mark on the whole replaces theirs", () => {
  const one = announcing(sql`select ${1}`, () => ["one"]);
  const each = announcing(sql`select ${2}`, (rows) => rows.map(String));
  const whole = sql`with a as (${one}), b as (${each}) select 3`;
  assert.deepEqual(whole.announces?.([7, 8]), ["one", "7", "8"]);
  assert.deepEqual(announcing(whole, () => []).announces?.([7]), []);
  assert.equal(sql`select ${1}`.announces, undefined);
});
