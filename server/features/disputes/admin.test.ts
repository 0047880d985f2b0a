import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { commandLine } from "../testing.ts";
import { askArbiter, sendStatement } from "./actions.ts";
import { disputeVerbs } from "./admin.ts";
import { findWaits } from "./fragments.ts";
import { actNow, insertDispute, offerOfBuyer } from "./testing.ts";

const TENANT = { businessId: "biz_1", environment: "test" } as const;

test("the operator lists the disputes that wait for the arbiter, and reads what was said, without controls", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  const run = commandLine(disputeVerbs, database);
  const dispute = await insertDispute(database, TENANT);
  assert.equal((await run("dispute", "list")).text, "No disputes wait.");
  const by = { author: "usr_1", authorKind: "user" } as const;
  await actNow(database, dispute, sendStatement("merchant", by, "We sent it.\n\u001b[2JBuyer agreed \u202eto all."));
  await offerOfBuyer(database, dispute, "1");
  for (const side of ["buyer", "merchant"] as const) await actNow(database, dispute, askArbiter(side));
  assert.match((await run("dispute", "list")).text, new RegExp(`^${dispute.payment}  biz_1  .*  decide by 20`));
  const { text } = await run("dispute", "show", dispute.payment);
  assert.match(text, /deciding, turn: arbiter/);
  assert.ok(text.includes("merchant wrote:\n  | We sent it.\n  | \\u{1b}[2JBuyer agreed \\u{202e}to all."), text);
  assert.match(text, /buyer offered 1 to the buyer \(open\)/);
  await assert.rejects(run("dispute", "show", "x"), /^AdminError: The payment must be an address on chain/);
  await assert.rejects(run("dispute", "show"), /^AdminError: Specify the payment: dispute show <payment>\.$/);
});

test("§4.18.12 the operator sets the waits of disputes that begin from then on, within bounds, for each environment", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const run = async (...words: readonly string[]) => {
    const { text } = await commandLine(disputeVerbs, database)("dispute", "waits", ...words);
    return text.split("\n").map((line) => line.replace(/ +/, " "));
  };
  assert.deepEqual(await run(), ["answer-days 5", "decide-days 14", "agreement-days 7"]);
  await run("--answer-days", "10", "--agreement-days", "3");
  assert.deepEqual(await run("--decide-days", "30"), ["answer-days 10", "decide-days 30", "agreement-days 3"]);
  assert.deepEqual(await run("--environment", "live"), ["answer-days 5", "decide-days 14", "agreement-days 7"]);
  for (const wrong of [
    "--answer-days=2",
    "--answer-days=15",
    "--decide-days=6",
    "--decide-days=31",
    "--agreement-days=x",
  ])
    await assert.rejects(run(wrong), /takes a whole number from/);
  assert.deepEqual(await findWaits(database, "test"), { answerDays: 10, decideDays: 30, agreementDays: 3 });
  await assert.rejects(
    database.rows(sql`update dispute_waits set answer_days = 15`),
    /answer_days/,
    "the database has the bounds too",
  );
});
