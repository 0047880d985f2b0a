import assert from "node:assert/strict";
import { test } from "node:test";
import { emailFinders } from "../../../server/app/emails.ts";
import { openLanguages } from "../../../server/app/languages/languages.ts";
import { createNewsStep } from "../../../server/features/disputes/notices/gather.ts";
import { actNow, insertDispute } from "../../../server/features/disputes/testing.ts";
import { createEmailStep } from "../../../server/features/emails/send.ts";
import { testContext } from "../../../server/features/testing.ts";
import { createMailer } from "../../../server/process/mailer.ts";
import { startStaffServer } from "../../../server/process/testing/staffServer.ts";
import { sql } from "../../../server/store/sql.ts";
import { startMailServer } from "../../harness/mailServer.ts";
import { findLostNews, keepQueuedNews, listQueuedNews, listRequiredNews } from "./news.ts";

const OWNER = "owner@shop.example";

test("§4.18.11 all news of disputes comes, few or many in an email; without any of the emails, what it told is lost", async () => {
  await using staff = await startStaffServer();
  await using mail = await startMailServer("127.0.0.1");
  const { database, ctx } = staff;
  const tenant = {
    businessId: await staff.addBusiness("shop", { [await staff.addUser(OWNER)]: "owner" }),
    environment: "test",
  } as const;
  await keepQueuedNews(database);
  const gather = createNewsStep(testContext({ database }));
  const mailer = createMailer({ smtpUrl: mail.url, from: "no-reply@shop.example" })!;
  const send = createEmailStep(ctx, mailer, emailFinders(ctx, openLanguages([])));
  const open = async (count: number) => {
    const opened = [];
    for (let at = 0; at < count; at++) opened.push(await insertDispute(database, tenant));
    return opened;
  };
  const tell = async () => {
    await database.rows(sql`update dispute_emails set next_at = now()`);
    while (await gather());
    while (await send());
  };
  const [first] = await open(3);
  await tell();
  await actNow(database, first!, () => ({
    happening: { kind: "outcome_bound", outcome: "resolved", at: new Date() },
  }));
  await tell();
  await open(25);
  await tell();

  const required = await listRequiredNews(database, tenant.businessId);
  const queued = await listQueuedNews(database, OWNER);
  const lostOf = (emails: readonly string[]) => findLostNews(required, queued, emails);
  assert.equal(required.length, 1 + 2 * (2 + 25));
  assert.deepEqual(lostOf(mail.taken), []);
  const news = mail.taken.map((_, at) => lostOf(mail.taken.toSpliced(at, 1)).length);
  assert.deepEqual(news, [2 * 2, 1, 2 * 25]);
});
