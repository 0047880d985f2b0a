import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import type { NewEmail } from "../emails/email.ts";
import { queueEmails } from "../emails/fragments.ts";
import { draftCreation, insertIntents } from "../intents/createIntent.ts";
import { insertMember } from "../staff/members/queries.ts";
import { someAddress } from "../staff/testing/objects.ts";
import { newWalletAddress } from "../staff/testing/walletAddress.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

interface Shop {
  readonly business: string;
  readonly recipients: string;
  readonly rule: string;
  readonly owner: Browser;
  readonly admin: Browser;
}

async function open(name: string): Promise<Shop> {
  const [owner, second, admin] = [
    await staff.addUser(`owner@${name}.example`),
    await staff.addUser(`second@${name}.example`),
    await staff.addUser(`admin@${name}.example`),
  ];
  const business = await staff.addBusiness(name, { [owner]: "owner", [second]: "owner", [admin]: "admin" });
  await staff.database.rows(sql`
    insert into event_counters (business_id, environment) values (${business}, 'test'), (${business}, 'live')`);
  return {
    business,
    recipients: `/businesses/${business}/test/recipients`,
    rule: `/businesses/${business}/test/saved-recipients-only`,
    owner: await staff.signIn(`owner@${name}.example`),
    admin: await staff.signIn(`admin@${name}.example`),
  };
}

const add = (browser: Browser, { recipients }: Shop, address: string) =>
  browser.post(recipients, { address, label: "Wallet", accepted: ["unread"] });

let orders = 0;
const draft = ({ business }: Shop, recipient: string, environment: "test" | "live" = "test") =>
  draftCreation(
    { checkoutUrl: "https://pay.shop.example", lifetimeMs: 3_600_000 },
    { businessId: business, environment },
    {
      recipient,
      amount: "1",
      asset: someAddress(),
      protectionPeriod: "oneHour",
      merchantReference: `order-${++orders}`,
      metadata: "{}",
      description: null,
      returnUrl: null,
      locale: null,
      price: null,
      quote: null,
      sealedEmail: null,
    },
    new Date(),
    null,
  );

async function mayName(shop: Shop, recipient: string, environment: "test" | "live" = "test"): Promise<boolean> {
  const [outcome] = await insertIntents(staff.database, [draft(shop, recipient, environment)]);
  assert.equal(outcome!.made, outcome!.isRecipientAllowed);
  return outcome!.made;
}

/** Moves the times of rule and recipients into the past. */
const age = ({ business }: Shop, hours: number) =>
  staff.database.rows(sql`
    with moved as (
      update saved_recipients set added_at = added_at - make_interval(hours => ${hours}::integer) where business_id = ${business})
    update saved_recipients_only set since = since - make_interval(hours => ${hours}::integer),
      ends_at = ends_at - make_interval(hours => ${hours}::integer) where business_id = ${business}`);

test("§13.11.5 the rule holds at once where an owner turns it on, in its environment alone, and in one statement for each row by itself", async () => {
  const [shop, other] = [await open("on"), await open("off")];
  const [saved, stranger] = [newWalletAddress(), newWalletAddress()];
  assert.equal((await add(shop.admin, shop, saved)).status, 201);
  assert.equal(await mayName(shop, stranger), true);
  assert.deepEqual((await shop.admin.get(shop.rule)).json, {
    object: "saved_only_rule",
    isOn: false,
    since: null,
    endsAt: null,
  });
  const on = await shop.owner.send("PUT", shop.rule, { isOn: true });
  assert.deepEqual([on.status, on.json.isOn, on.json.endsAt], [200, true, null]);
  assert.equal(await mayName(shop, stranger, "live"), true);
  const outcomes = await insertIntents(staff.database, [
    draft(shop, stranger),
    draft(shop, saved),
    draft(other, stranger),
    draft(shop, other.business),
  ]);
  assert.deepEqual(
    outcomes.map(({ made, isRecipientAllowed }) => [made, isRecipientAllowed]),
    [
      [false, false],
      [true, true],
      [true, true],
      [false, false],
    ],
  );
  assert.equal((await shop.admin.send("DELETE", `${shop.recipients}/${saved}`)).json.error.code, "forbidden");
  assert.equal(await mayName(shop, saved), true);
  assert.equal((await shop.owner.send("DELETE", `${shop.recipients}/${saved}`)).status, 200);
  assert.equal(await mayName(shop, saved), false, "what was removed is refused");
});

test("§13.11.5 only an owner changes the rule, with a recent proof", async () => {
  const shop = await open("roles");
  for (const isOn of [true, false])
    assert.equal((await shop.admin.send("PUT", shop.rule, { isOn })).json.error.code, "forbidden");
  assert.equal((await shop.owner.send("PUT", shop.rule, { isOn: "yes" })).json.error.param, "isOn");
  await staff.age();
  for (const isOn of [true, false])
    assert.equal((await shop.owner.send("PUT", shop.rule, { isOn })).json.error.code, "proof_required");
  assert.equal((await shop.owner.get(shop.rule)).json.isOn, false);
});

test("§13.11.6 turning the rule off holds a day later, all owners get an email, and it can be called off until then", async () => {
  const shop = await open("end");
  const stranger = newWalletAddress();
  const put = async (isOn: boolean) => (await shop.owner.send("PUT", shop.rule, { isOn })).json;
  await put(true);
  staff.emails.length = 0;
  const ending = await put(false);
  const waitMs = Date.parse(ending.endsAt) - Date.now();
  assert.ok(waitMs > 86_300_000 && waitMs <= 86_400_000, String(waitMs));
  assert.deepEqual(await put(false), ending, "asking again moves nothing");
  await staff.sendEmails();
  assert.deepEqual(staff.emails.map(({ to }) => to).sort(), ["owner@end.example", "second@end.example"]);
  assert.match(staff.emails[0]!.text, /owner@end\.example requested .* any recipient/s);
  assert.ok(staff.emails[0]!.text.includes(`${staff.ctx.dashboardUrl}/${shop.business}/test/recipients`));
  await age(shop, 23);
  assert.equal(await mayName(shop, stranger), false);
  assert.deepEqual((await put(true)).endsAt, null);
  await age(shop, 2);
  assert.equal(await mayName(shop, stranger), false, "the end was called off");
  await put(false);
  await age(shop, 25);
  assert.equal(await mayName(shop, stranger), true);
  assert.equal((await shop.owner.get(shop.rule)).json.isOn, false);
  await put(true);
  const { data } = (await shop.owner.get(`/businesses/${shop.business}/audit`)).json;
  assert.deepEqual(
    data.map(({ action, environment }: Record<string, unknown>) => [action, environment]),
    ["begun", "end_asked", "end_called_off", "end_asked", "begun"].map((what) => [`saved_only.${what}`, "test"]),
  );
  assert.equal(data[3].details.endsAt, ending.endsAt);
});

test("§13.11.6 an owner who was removed just before gets the email, too", async () => {
  const shop = await open("ousted");
  await shop.owner.send("PUT", shop.rule, { isOn: true });
  const members = (await shop.owner.get(`/businesses/${shop.business}/members`)).json.data;
  const second = members.find(({ email }: { email: string }) => email === "second@ousted.example").userId;
  assert.equal((await shop.owner.send("DELETE", `/businesses/${shop.business}/members/${second}`)).status, 200);
  await staff.sendEmails();
  staff.emails.length = 0;
  await shop.owner.send("PUT", shop.rule, { isOn: false });
  await staff.sendEmails();
  assert.deepEqual(staff.emails.map(({ to }) => to).sort(), ["owner@ousted.example", "second@ousted.example"]);
});

test("§13.11.6 neither owners that a thief adds nor a flood of other emails keep one from an owner", async () => {
  const shop = await open("zoe");
  await shop.owner.send("PUT", shop.rule, { isOn: true });
  for (let count = 0; count < 60; count++) {
    const id = await staff.addUser(`a${count}@thief.example`);
    await insertMember(staff.database, shop.business, id, "owner");
  }
  await staff.sendEmails();
  staff.emails.length = 0;
  const flood = {
    kind: "password_link",
    recipient: "flood@shop.example",
    source: shop.business,
    facts: { network: "" },
  };
  for (let count = 0; count < 120; count++) await queueEmails(staff.database, [flood as NewEmail]);
  await shop.owner.send("PUT", shop.rule, { isOn: false });
  await staff.sendEmails();
  const readers = staff.emails.map(({ to }) => to);
  assert.deepEqual([readers.length, readers.filter((to) => to.endsWith("@zoe.example")).length], [50, 2]);
});

test("§13.11.7 while the rule holds only owners add recipients, they hear of it, and none is paid for a day, by no test payment either", async () => {
  const shop = await open("new");
  const [old, fresh] = [newWalletAddress(), newWalletAddress()];
  await add(shop.admin, shop, old);
  await shop.owner.send("PUT", shop.rule, { isOn: true });
  assert.equal(await mayName(shop, old), true, "what was there before is paid at once");
  assert.equal((await add(shop.admin, shop, fresh)).json.error.code, "forbidden");
  staff.emails.length = 0;
  const added = await add(shop.owner, shop, fresh);
  assert.equal(added.status, 201);
  assert.equal(Date.parse(added.json.heldUntil), Date.parse(added.json.addedAt) + 86_400_000);
  await staff.sendEmails();
  assert.deepEqual(staff.emails.map(({ to }) => to).sort(), ["owner@new.example", "second@new.example"]);
  assert.ok(staff.emails[0]!.text.includes(fresh));
  assert.ok(!staff.emails[0]!.text.includes("Wallet"), "no words that somebody chose");
  assert.equal(await mayName(shop, fresh), false);
  const tried = await shop.owner.post(`${shop.recipients}/${fresh}/test`, { asset: someAddress(), amount: "1" });
  assert.deepEqual([tried.status, tried.json.error.reason], [409, "recipient_held"]);
  await age(shop, 25);
  assert.equal(await mayName(shop, fresh), true);
  assert.equal((await shop.owner.get(shop.recipients)).json.data[0].heldUntil, null);
  const mistake = newWalletAddress();
  await add(shop.owner, shop, mistake);
  assert.equal((await shop.admin.send("DELETE", `${shop.recipients}/${mistake}`)).status, 200, "one that is new");
  await shop.owner.send("DELETE", `${shop.recipients}/${old}`);
  await add(shop.owner, shop, old);
  assert.equal(await mayName(shop, old), false, "one that was removed is new again");
});
