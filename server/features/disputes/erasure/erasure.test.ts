import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { fingerprintOf, Idempotency } from "../../../edge/http/idempotency.ts";
import { created } from "../../../edge/http/route.ts";
import { SessionLocks } from "../../../store/locks.ts";
import { piece, sql } from "../../../store/sql.ts";
import { recordRulings } from "../../recording/rulings/record.ts";
import { actIn, askArbiter, makeOffer, readWithTexts, sendStatement } from "../actions.ts";
import { type DecisionDeps, freezeDecision } from "../decision/actions.ts";
import { hashOf } from "../decision/decision.ts";
import { findDispute } from "../queries.ts";
import { type Case, caseOf, openCases, prove } from "../testing/cases.ts";
import { actNow, insertFile } from "../testing.ts";
import { attachFile } from "../uploads/attachment.ts";
import { erasureVerbs } from "./admin.ts";
import { createRetentionStep } from "./retention.ts";

const TOTAL = "6000000";
/** Each of these words stands in one place alone. */
const WORDS = {
  statement: "Zaunkoenig said that the lid was cracked.",
  reply: "Buchfink of the shop packed it well.",
  offer: "Half for the cracked lid, says Rotkehlchen.",
  question: "Did Dompfaff keep the lid?",
  reasons: "Gimpel showed a picture of the lid.",
  file: "Stieglitz wrote these bytes.",
} as const;
const FILE_NAME = "parcel";
const EMAIL = "kernbeisser@example.com";

let world: Awaited<ReturnType<typeof openCases>>;
let locks: SessionLocks;
before(async () => {
  world = await openCases();
  locks = new SessionLocks(world.database);
});
after(async () => {
  await locks?.close();
  await world?.[Symbol.asyncDispose]();
});

const tenantOf = ({ businessId }: Case) => ({ businessId, environment: "test" }) as const;
const find = async (one: Case) => (await findDispute(world.database, tenantOf(one), one.disputeId))!;
const deps: Omit<DecisionDeps, "database"> = {
  builderOf: () => assert.fail("no agreement"),
  readerOf: () => assert.fail("no agreement"),
  actionSenderOf: () => assert.fail("nothing is sent"),
};
const freeze = async (one: Case, reasons: string) =>
  (
    await freezeDecision({ ...deps, database: world.database }, tenantOf(one), one.disputeId, {
      ...{ userId: "usr_9", wanted: { total: TOTAL, reasons } },
      check: async () => undefined,
    })
  ).decision;
const shown = async (one: Case) => {
  const dispute = await find(one);
  return JSON.parse(await readWithTexts(world.database, dispute, dispute, new Date(), "/api/v1"));
};

/** A case with every kind of words, and the shop's statement sent under an Idempotency-Key. */
async function aFullCase(): Promise<{ one: Case; key: () => Promise<string> }> {
  const one = await world.aCase();
  const { database } = world;
  const tenant = tenantOf(one);
  const browser = world.aBrowser();
  await prove(browser, one);
  await browser.post(`${caseOf(one)}/opening`, {
    ...{ reason: "not_as_described", requestedTotal: "24500000", text: WORDS.statement },
  });
  await browser.post(`${caseOf(one)}/address`, { email: EMAIL });
  const dispute = await find(one);
  await insertFile(database, dispute, Buffer.from(WORDS.file));
  const by = { author: "usr_1", authorKind: "user" } as const;
  await actNow(database, dispute, makeOffer("merchant", by, { total: TOTAL, text: WORDS.offer, until: null }));
  const request = { tenant, key: "reply-1", fingerprint: fingerprintOf("POST", "/statements", "", WORDS.reply) };
  const send = sendStatement("merchant", { author: "key_1", authorKind: "key" }, WORDS.reply);
  await new Idempotency(database, locks).run(request, (write) =>
    write.commit({
      transaction: async (db) => {
        const acted = await actIn(db, tenant, one.disputeId, send);
        return created(await readWithTexts(db, tenant, acted!.dispute, acted!.now, "/api/v1"));
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
    happening: { kind: "question" },
    adds: ({ businessId, id: disputeId, questions: number, questionUntil }) => ({
      question: {
        ...{ businessId, disputeId, number, askedBy: "usr_9", text: WORDS.question },
        ...{ askedAt: now, until: questionUntil!, erasedAt: null },
      },
    }),
  }));
  return { one, key: replay };
}

/** Ends a case by a ruling with reasons, one of two frozen records. */
async function rule(one: Case): Promise<string> {
  const decision = await freeze(one, WORDS.reasons);
  await freeze(one, `${WORDS.reasons} This draft is not signed.`);
  const { database } = world;
  const { arbiter, total } = decision;
  const memo = { kind: "one", text: hashOf(decision) } as const;
  const rulings = [{ payment: one.payment, arbiter, total, memo }];
  await recordRulings(database, "test", [
    { signature: `ruling-${one.payment}`, slot: 9, blockTime: new Date(), rulings },
  ]);
  const dispute = await find(one);
  await actNow(database, dispute, (_, at) => ({ happening: { kind: "outcome_bound", outcome: "resolved", at } }));
  return hashOf(decision);
}

const payOut = async (one: Case) =>
  actNow(world.database, await find(one), (_, at) => ({ happening: { kind: "paid_out", at } }));

/** All rows of the database as a dump has them: by pg_dump where it belongs to the server, else table by table. */
async function dump(): Promise<string> {
  const { PG_BIN } = process.env;
  if (PG_BIN) return execFileSync(`${PG_BIN}/pg_dump`, [world.databaseUrl], { encoding: "utf8", maxBuffer: 1e9 });
  const tables = await world.database.rows<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      world.database.row<{ all: string | null }>(sql`select string_agg(t::text, e'\n') as all from ${piece(name)} t`),
    ),
  );
  return rows.map((row) => row!.all).join("\n");
}

/** The words that a dump holds, as text or as bytes. */
const heldIn = (text: string, words: readonly string[]) =>
  words.filter((one) => text.includes(one) || text.includes(Buffer.from(one).toString("hex")));

const run = async (words: string, positionals: readonly string[], options: Record<string, string | boolean> = {}) => {
  const verb = erasureVerbs("/api/v1").find(({ usage }) => usage.startsWith(words))!;
  return verb.run({ database: world.database, positionals, options, actor: { kind: "cli", name: "root" } });
};

test("§17.6 after an erasure on request, no dump has a word, a byte or a name of the case; hashes and amounts stay", async () => {
  const { one, key } = await aFullCase();
  const before = await shown(one);
  await assert.rejects(run("dispute erase", [one.payment], { note: "Asked on 3 May." }), /has not ended/);
  const sha256 = await rule(one);
  await payOut(one);
  const all = [...Object.values(WORDS), FILE_NAME, EMAIL];
  assert.deepEqual(heldIn(await dump(), all), all, "the dump would show them");
  const hashes = await world.database.rows(sql`
    select encode(sha256, 'hex') as hash from dispute_statements where dispute_id = ${one.disputeId} order by number`);

  await run("dispute erase", [one.payment], { note: "Asked on 3 May." });
  assert.deepEqual(heldIn(await dump(), all), [WORDS.reasons], "the decision stays with its reasons");
  const after = await shown(one);
  assert.ok(after.erasedAt !== null && after.statements.length === before.statements.length);
  for (const part of [...after.statements, ...after.files, ...after.questions])
    assert.ok(part.erasedAt !== null && !part.text && !part.name && !part.sha256, JSON.stringify(part));
  assert.deepEqual([after.offers[0].total, after.offers[0].text], [TOTAL, null]);
  assert.deepEqual([after.decision.sha256, after.decision.reasons], [sha256, WORDS.reasons]);
  assert.deepEqual(
    JSON.parse(after.decision.record).statements,
    hashes.map((row) => (row as { hash: string }).hash),
  );
  assert.equal(await attachFile(world.database, tenantOf(one), one.disputeId, after.files[0].id), null);

  assert.equal(JSON.parse(await key()).erasedAt, after.erasedAt, "a repeated request shows the case as it is");
  await run("dispute erase", [one.payment], { note: "Asked on 4 May.", reasons: true });
  assert.deepEqual(heldIn(await dump(), all), []);
  const { decision } = await shown(one);
  assert.deepEqual([decision.sha256, decision.reasons, decision.record], [sha256, null, null]);
  assert.ok(decision.erasedAt !== null);
  await assert.rejects(run("dispute erase", [one.payment], { note: "Again." }), /erased already/);

  const { text } = await run("dispute erasures list", []);
  assert.match(text, new RegExp(`${one.payment}  all words and files  request by root: Asked on 3 May\\.`));
  const audited = await world.database.rows<{ details: string }>(sql`
    select details from audit_log where action = 'dispute.erased' and target = ${one.disputeId} order by id`);
  assert.deepEqual(
    audited.map(({ details }) => JSON.parse(details).part),
    ["case", "reasons"],
  );
});

test("§17.6 one statement or file of an open case is erased alone, and nothing else of a kept row can change", async () => {
  const { one, key } = await aFullCase();
  const [file] = (await shown(one)).files;
  await run("dispute erase", [one.payment], { note: "A third person's letter.", file: file.id });
  await run("dispute erase", [one.payment], { note: "A third person's name.", statement: "1" });
  const { statements, files, erasedAt } = await shown(one);
  assert.deepEqual(
    [statements.map(({ text }: { text: string }) => text), files[0].name, erasedAt],
    [["", WORDS.reply], "", null],
  );
  assert.deepEqual(JSON.parse(await key()).statements, statements);
  assert.deepEqual(heldIn(await dump(), [WORDS.statement, WORDS.file, FILE_NAME]), []);
  const page = await world.aBrowser().get(`${caseOf(one)}/files/${file.id}`);
  assert.ok(page.status >= 400);
  await assert.rejects(run("dispute erase", [one.payment], { note: "Again.", statement: "1" }), /erased already/);
  await assert.rejects(
    run("dispute erase", [one.payment], { note: "Both.", statement: "1", file: "df_1" }),
    /Name one/,
  );
  for (const change of [sql`text = 'Other.'`, sql`erased_at = now(), text = null, salt = null, author = 'usr_2'`])
    await assert.rejects(
      world.database.rows(sql`
        update dispute_statements set ${change} where dispute_id = ${one.disputeId} and number = 2`),
      /never changed/,
    );
});

test("§17.6 words and files of an ended case are erased at the end of their time, those of others stay", async () => {
  const { database } = world;
  const [ended, decided, open] = [(await aFullCase()).one, (await aFullCase()).one, (await aFullCase()).one];
  for (const one of [ended, decided]) await rule(one);
  await payOut(ended);
  const failures: string[] = [];
  const log = (message: string) => void failures.push(message);
  const step = (retentionDays: number) => createRetentionStep({ database, retentionDays, log })();
  const erasedOf = async (one: Case) => (await find(one)).erasedAt !== null;
  const states = () => Promise.all([ended, decided, open].map(erasedOf));
  assert.equal(await step(365), false);
  assert.deepEqual(await states(), [false, false, false]);
  await database.rows(sql`update clocks set ahead = ahead + interval '364 days' where environment = 'test'`);
  await step(365);
  assert.deepEqual(await states(), [false, false, false], "a day before");
  await database.rows(sql`update clocks set ahead = ahead + interval '1 day 1 second' where environment = 'test'`);
  await step(365);
  assert.deepEqual(await states(), [true, true, false]);
  assert.deepEqual((await shown(decided)).decision.reasons, WORDS.reasons);
  assert.deepEqual(failures, []);
  const { text } = await run("dispute erasures list", []);
  assert.equal(text.match(/retention by service/g)?.length, 2);
  // The money left after the erasure; a fork then gives the case back.
  await payOut(decided);
  assert.ok(await erasedOf(decided));
  await actNow(database, await find(decided), () => ({ happening: { kind: "outcome_reverted", isRuled: false } }));
  assert.equal((await find(decided)).erasedAt, null, "new words of it are erased in their time");
});
