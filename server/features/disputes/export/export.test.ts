import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SessionLocks } from "../../../store/locks.ts";
import { sql } from "../../../store/sql.ts";
import { commandLine } from "../../testing.ts";
import { erasureVerbs } from "../erasure/admin.ts";
import { openWorld } from "../testing/disputes.ts";
import { aFullDispute, disputeOf, payOutDispute, rule, TEXTS, type World } from "../testing/fullDispute.ts";
import { exportVerbs, type IssueReceipt } from "./admin.ts";

let world: World;
let locks: SessionLocks;
let folder: string;
before(async () => {
  world = await openWorld();
  locks = new SessionLocks(world.database);
  folder = await mkdtemp(join(tmpdir(), "holdfast-export-"));
});
after(async () => {
  await locks?.close();
  await world?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const RECEIPT = { object: "receipt" } as never;
const run = async (payment: string, to: string, issue: IssueReceipt = async () => RECEIPT) =>
  commandLine(exportVerbs(issue), world.database)("dispute", "export", payment, "--to", to);
const sha256 = (...parts: (Buffer | string)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const bytes = (hex: string) => Buffer.from(hex, "hex");

test("§17.7 an exported dispute has all that both sides sent, and every hash of it can be made again from the folder alone", async () => {
  const { one } = await aFullDispute(world, locks);
  const decided = await rule(world, one);
  const to = join(folder, "whole");
  const { failed, text } = await run(one.payment, to);
  assert.equal(failed, false, text);
  const read = async (name: string) => readFile(join(to, name), "utf8");
  const made = JSON.parse(await read("dispute.json"));
  assert.deepEqual(
    made.statements.map((said: { text: string }) => said.text),
    [TEXTS.statement, TEXTS.reply],
  );
  assert.deepEqual([made.offers[0].text, made.questions[0].text], [TEXTS.offer, TEXTS.question]);
  assert.ok(made.payment.sender === one.wallet.address && made.chain.genesisHash === "genesis", "chain facts");
  const record = await read("record.json");
  assert.equal(sha256(record), decided);
  assert.deepEqual([made.ruling.sha256, made.decision.sha256, made.decision.check], [decided, decided, "matches"]);
  const { reasons, statements, files } = JSON.parse(record);
  assert.equal(reasons, TEXTS.reasons);
  assert.deepEqual(
    made.statements.map(({ salt, text: words }: { salt: string; text: string }) => sha256(bytes(salt), words)),
    statements,
  );
  const [file] = made.files;
  const hash = sha256(await readFile(join(to, file.path)));
  assert.deepEqual([hash, sha256(bytes(file.salt), bytes(hash))], [file.sha256, files[0]]);
  for (const part of [...made.statements, ...made.files])
    assert.deepEqual([part.check, part.isNamedByRecord], ["matches", true]);
  assert.deepEqual(JSON.parse(await read("receipt.json")), RECEIPT);
  assert.deepEqual((await readdir(to)).sort(), ["README.txt", "dispute.json", "files", "receipt.json", "record.json"]);
  assert.equal((await stat(join(to, "dispute.json"))).mode & 0o77, 0, "nobody else reads it");
  await assert.rejects(run(one.payment, to), /exists/);
  const audited = await world.database.rows(sql`
    select id from audit_log where action = 'dispute.exported' and target = ${one.disputeId}`);
  assert.equal(audited.length, 1);
});

test("§17.7 an erased dispute is exported with its hashes, and says that salts are erased; a receipt that fails is said", async () => {
  const { one } = await aFullDispute(world, locks);
  await rule(world, one);
  await payOutDispute(world, one);
  const erase = commandLine(erasureVerbs("/api/v1"), world.database);
  await erase("dispute", "erase", one.payment, "--note", "Asked on 3 May.");
  const to = join(folder, "erased");
  const { failed, text } = await run(one.payment, to, async () => {
    throw new Error("No node answers.");
  });
  assert.equal(failed, true);
  assert.match(text, /The receipt could not be made: No node answers\./);
  const made = JSON.parse(await readFile(join(to, "dispute.json"), "utf8"));
  for (const part of [...made.statements, ...made.files])
    assert.deepEqual([part.check, part.salt, part.isNamedByRecord], ["erased", null, true]);
  assert.equal(made.decision.check, "matches", "the record stays");
  assert.deepEqual(await readdir(join(to, "files")), []);
  assert.equal((await disputeOf(world, one)).status, "closed");
});
