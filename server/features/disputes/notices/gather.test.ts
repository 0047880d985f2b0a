import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Role } from "../../../domain/roles.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { testContext } from "../../testing.ts";
import { acceptOffer, askArbiter, endOffer, makeOffer, sendStatement } from "../actions.ts";
import { createBuyerNewsStep } from "../address/gather.ts";
import { createDisputeClock } from "../clock.ts";
import { draftQuestion } from "../desk/actions.ts";
import type { Dispute } from "../dispute.ts";
import { actNow, insertDispute, offerOfBuyer } from "../testing.ts";
import { DAY_MS } from "../waits.ts";
import { createNewsStep } from "./gather.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
beforeEach(async () => {
  await staff.database.rows(sql`with waiting as (delete from emails) delete from dispute_notices`);
  staff.emails.length = 0;
});
after(() => staff?.[Symbol.asyncDispose]());

const BUYER = { author: "wallet", authorKind: "wallet" } as const;
const MEMBER = { author: "usr_1", authorKind: "user" } as const;

let made = 0;
async function aShop(roles: readonly Role[] = ["owner"]) {
  const name = `shop${++made}`;
  const members: Record<string, Role> = {};
  const addresses = roles.map((role) => `${role}@${name}.example`);
  for (const [index, role] of roles.entries()) members[await staff.addUser(addresses[index]!)] = role;
  const businessId = await staff.addBusiness(name, members);
  return { businessId, environment: "test" as const, addresses };
}

const step = () => createNewsStep(testContext({ database: staff.database }))();
/** Sends what is due, as a quarter of an hour later. */
async function send(): Promise<string[]> {
  staff.emails.length = 0;
  await staff.database.rows(sql`update dispute_emails set next_at = now()`);
  while (await step());
  await staff.sendEmails();
  return staff.emails.map(({ to, subject }) => `${to}: ${subject}`);
}
const moveTime = (ms: number) =>
  staff.database.rows(
    sql`update clocks set ahead = ahead + make_interval(secs => ${Math.floor(ms / 1_000)}::integer) where environment = 'test'`,
  );

test("§4.18.11 owners and members who answer disputes are told; others once they choose; nobody against their choice", async () => {
  const { businessId, environment, addresses } = await aShop(["owner", "admin", "disputes", "read_only"]);
  const [owner, admin, disputes, reader] = addresses as [string, string, string, string];
  await insertDispute(staff.database, { businessId, environment });
  const opened = (to: string) => `${to}: [Test] A dispute was opened`;
  assert.deepEqual(await send(), [opened(owner), opened(disputes)]);
  const none = { opened: false, turn: false, due_soon: false, offer: false, closed: false };
  const browsers = await Promise.all(addresses.map((address) => staff.signIn(address)));
  const path = `/businesses/${businessId}/dispute-emails`;
  assert.equal((await browsers[0]!.post(path, none)).status, 200);
  assert.equal((await browsers[3]!.post(path, { ...none, opened: true })).status, 200);
  await insertDispute(staff.database, { businessId, environment });
  assert.deepEqual(await send(), [opened(disputes), opened(reader)]);
  const chosen = (await browsers[3]!.get("/account/dispute-emails")).json.data;
  assert.deepEqual(
    [chosen.length, chosen[0].businessId, chosen[0].kinds, chosen[0].byEmail],
    [1, businessId, ["opened"], true],
  );
  assert.deepEqual((await browsers[1]!.get("/account/dispute-emails")).json.data[0].kinds, [], admin);
  const stranger = await staff.signIn((await aShop()).addresses[0]!);
  assert.equal((await stranger.post(path, none)).status, 404);
  assert.equal((await staff.browser().get("/account/dispute-emails")).status, 401);
  assert.equal((await browsers[0]!.post(path, { opened: true })).status, 400);
});

test("§4.18.11 an email has no text of the dispute, and says until when and where", async () => {
  const shop = await aShop();
  const dispute = await insertDispute(staff.database, shop);
  await actNow(staff.database, dispute, sendStatement("buyer", BUYER, "It is broken: https://evil.example"));
  await actNow(
    staff.database,
    dispute,
    makeOffer("buyer", BUYER, { total: "1", text: "A secret.", until: null }, SIGNED),
  );
  await send();
  const { text } = staff.emails[0]!;
  assert.match(text, /^A dispute was opened\. It is your turn until .+ UTC\. The buyer made an offer\.\nhttps:/);
  assert.ok(text.includes(`/dashboard/${shop.businessId}/test/disputes/${dispute.id}\n`));
  for (const hidden of ["broken", "evil", "secret", dispute.merchantReference, dispute.payment])
    assert.ok(!text.includes(hidden), hidden);
});
const SIGNED = { signedText: "Holdfast", signature: "signed" };

test("§4.18.11 what has passed is not told: a turn that was taken, an offer withdrawn, a paused dispute", async () => {
  const [answered, withdrawn, paused] = [await aShop(), await aShop(), await aShop()];
  const first = await insertDispute(staff.database, answered);
  const second = await insertDispute(staff.database, withdrawn);
  const third = await insertDispute(staff.database, paused);
  await send();
  await actNow(staff.database, first, sendStatement("merchant", MEMBER, "We look."));
  await actNow(staff.database, first, sendStatement("buyer", BUYER, "Well?"));
  assert.deepEqual(await send(), [`${answered.addresses[0]}: [Test] It is your turn in a dispute`]);
  await actNow(staff.database, first, sendStatement("merchant", MEMBER, "We look."));
  await actNow(staff.database, first, sendStatement("buyer", BUYER, "And?"));
  await actNow(staff.database, first, sendStatement("merchant", MEMBER, "Soon."));
  const offer = await offerOfBuyer(staff.database, second, "1");
  await actNow(staff.database, second, endOffer("offer_withdrawn", "buyer", offer));
  await offerOfBuyer(staff.database, third, "1");
  await staff.database.rows(sql`
    update disputes set status = 'paused', resumes_as = 'talking', turn = 'nobody', next_at = null where id = ${third.id}`);
  assert.deepEqual(await send(), []);
  assert.deepEqual(
    await waiting(third),
    ["due_soon"],
    "the paused dispute's news is gone, but for a reminder that is not due",
  );
});
const waiting = async ({ id }: Dispute) =>
  (
    await staff.database.rows<{ kind: string }>(
      sql`select kind from dispute_notices where dispute_id = ${id} and side = 'merchant' order by kind`,
    )
  ).map(({ kind }) => kind);

test("§4.18.11 48 hours before the end of a turn it is told once, by the clock of the environment", async () => {
  const shop = await aShop();
  const dispute = await insertDispute(staff.database, shop);
  await send();
  assert.deepEqual(await send(), []);
  await moveTime(3 * DAY_MS + 60_000);
  assert.deepEqual(await send(), [`${shop.addresses[0]}: [Test] Your turn in a dispute ends soon`]);
  assert.deepEqual(await send(), []);
  const offer = await offerOfBuyer(staff.database, dispute, "1");
  await actNow(staff.database, dispute, acceptOffer("merchant", offer, "usr_1"));
  assert.deepEqual(await send(), [`${shop.addresses[0]}: [Test] It is your turn in a dispute`], "to refund");
  await moveTime(8 * DAY_MS);
  await staff.database.rows(sql`update chains set watermark = now() + interval '12 days'`);
  await createDisputeClock(testContext({ database: staff.database }))();
  assert.deepEqual(await send(), [], "the agreement failed, and it is the arbiter's turn");
  await staff.database.rows(sql`update clocks set ahead = '0' where environment = 'test'`);
});

test("§4.18.11 a flood of disputes is one email in a quarter of an hour, which names twenty", async () => {
  const shop = await aShop();
  await insertDispute(staff.database, shop);
  await send();
  for (let count = 0; count < 23; count++) await insertDispute(staff.database, shop);
  assert.equal(await step(), false, "an email was sent lately");
  assert.deepEqual(await send(), [`${shop.addresses[0]}: [Test] News of 23 disputes`]);
  const { text } = staff.emails[0]!;
  assert.equal(text.split("/disputes/dp_").length - 1, 20);
  assert.match(text, /And 3 more disputes: \S+\/disputes\n/);
  assert.deepEqual(await send(), []);
});

test("§4.18.11 two processes send one email; news of an email that waits is told if it still holds then", async () => {
  const shop = await aShop(["owner", "disputes"]);
  const [owner, other] = shop.addresses;
  const dispute = await insertDispute(staff.database, shop);
  await Promise.all([step(), step(), step()]);
  await actNow(staff.database, dispute, sendStatement("merchant", MEMBER, "We look."));
  await staff.database.rows(sql`delete from members where business_id = ${shop.businessId} and role = 'disputes'`);
  await staff.sendEmails();
  assert.deepEqual(
    staff.emails.map(({ to, text }) => [to, /^A dispute was opened\.\nhttps/.test(text)]),
    [[owner, true]],
    `it is no longer the shop's turn, and ${other} is no member`,
  );
  assert.match(staff.emails[0]!.text, /https:\/\/dash\.shop\.example\/dashboard\/account\?tab=emails\n$/);
  await offerOfBuyer(staff.database, dispute, "1");
  await staff.database.rows(
    sql`update dispute_notices set created_at = now() - interval '4 days' where due_at is null`,
  );
  assert.deepEqual(await send(), [], "no news is kept for ever");
});

test("§4.18.11 each side is told of the arbiter's question and of its last 48 hours, until it answers", async () => {
  const shop = await aShop();
  const dispute = await insertDispute(staff.database, shop);
  const { id: disputeId, businessId } = dispute;
  await staff.database.rows(sql`
    insert into dispute_addresses (business_id, dispute_id, email, link_hash, changed_at, confirmed_at)
    values (${businessId}, ${disputeId}, 'kim@buyer.example', decode(repeat('00', 32), 'hex'), now(), now())`);
  const gatherBoth = async () => {
    await staff.database.rows(sql`update dispute_addresses set next_at = now()`);
    while (await createBuyerNewsStep(testContext({ database: staff.database }))());
    return (await send()).toSorted();
  };
  await actNow(staff.database, dispute, askArbiter("buyer"));
  await actNow(staff.database, dispute, askArbiter("merchant"));
  await gatherBoth();
  const ask = () => actNow(staff.database, dispute, draftQuestion("usr_9", "When did it break?"));
  const toBoth = (news: string) =>
    [`${shop.addresses[0]}: [Test] ${news}`, `kim@buyer.example: [Test] ${news}`].toSorted();
  await ask();
  assert.deepEqual(await gatherBoth(), toBoth("It is your turn in a dispute"));
  await ask();
  assert.deepEqual(await gatherBoth(), toBoth("It is your turn in a dispute"), "a second question");
  await moveTime(DAY_MS + 60_000);
  assert.deepEqual(await gatherBoth(), toBoth("Your turn in a dispute ends soon"));
  await staff.database.rows(sql`update clocks set ahead = '0' where environment = 'test'`);
  await actNow(staff.database, dispute, sendStatement("buyer", BUYER, "In May."));
  assert.deepEqual(await gatherBoth(), []);
});
