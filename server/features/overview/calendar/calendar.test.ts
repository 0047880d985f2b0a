import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { sendStatement } from "../../disputes/actions.ts";
import { actNow, insertDispute } from "../../disputes/testing.ts";
import { insertMember } from "../../staff/members/queries.ts";
import { insertIntent } from "../../staff/testing/objects.ts";
import { recordPayment } from "../testing.ts";
import { escapeText, foldLine } from "./calendar.ts";
import { deleteAllFeeds } from "./queries.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const EMAIL = "reader@calendar.example";
let staff: StaffServer;
let user: string;
before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser(EMAIL);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(async () => {
  await staff?.[Symbol.asyncDispose]();
});

test("a folded line has at most 75 octets in each part, splits no character, and unfolds to the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const line = text.replaceAll(/[\r\n]/g, "");
      const parts = foldLine(line).split("\r\n");
      for (const part of parts) assert.ok(Buffer.byteLength(part) <= 75, part);
      for (const part of parts.slice(1)) assert.equal(part[0], " ");
      assert.equal(parts.map((part, place) => (place === 0 ? part : part.slice(1))).join(""), line);
    }),
  );
});

test("a text keeps its commas, semicolons, backslashes and lines", () => {
  assert.equal(escapeText("1,300.50; a\\b\nc"), "1\\,300.50\\; a\\\\b\\nc");
});

let names = 0;
async function newFeed() {
  const businessId = await staff.addBusiness(`calendar ${++names}`, { [user]: "read_only" });
  const browser = await staff.signIn(EMAIL);
  const path = `/businesses/${businessId}/test`;
  const make = async () => (await browser.post(`${path}/calendar`, {})).json.url as string;
  // The dashboard's address is never connected to: the same path at the server's own, under that host.
  const read = async (link: string, from = "203.0.113.1") => {
    const answer = await fetch(`${staff.url}${new URL(link).pathname}`, { headers: { "x-forwarded-for": from } });
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };
  return { businessId, browser, path, make, read };
}

test("§13.17.5 a member's link shows days and amounts of releases, and nothing of orders, buyers or the business", async () => {
  const { businessId, browser, path, make, read } = await newFeed();
  assert.equal((await browser.get(`${path}/overview`)).json.calendarAt, null);
  const terms = { asset: USDC, amount: "1300500000", merchantReference: "secret-order" };
  for (let count = 0; count < 2; count++) {
    const { intent } = await insertIntent(
      staff.database,
      { businessId, environment: "test" },
      { ...terms, merchantReference: `secret-order-${count}` },
    );
    await recordPayment(staff.database, intent);
  }
  const { status, type, text } = await read(await make());
  assert.deepEqual([status, type], [200, "text/calendar; charset=utf-8"]);
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  assert.ok(lines.includes(`DTSTART;VALUE=DATE:${day}`), text);
  assert.ok(lines.includes("SUMMARY:2\\,601.00 USDC\\, 2 payments"), text);
  assert.equal(lines.filter((line) => line === "BEGIN:VEVENT").length, 1);
  assert.doesNotMatch(text, new RegExp(`secret-order|${businessId}|calendar ${names}|reader`));
  assert.notEqual((await browser.get(`${path}/overview`)).json.calendarAt, null);
});

test("§13.17.5 a calendar has each dispute that waits for the business, at its time, and names none of them", async () => {
  const { businessId, make, read } = await newFeed();
  const tenant = { businessId, environment: "test" } as const;
  const waiting = await insertDispute(staff.database, tenant);
  const answered = await insertDispute(staff.database, tenant);
  const by = { author: "key_1", authorKind: "key" } as const;
  await actNow(staff.database, answered, sendStatement("merchant", by, "We sent it."));
  const { text } = await read(await make());
  const due = `${waiting.answerBy.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const starts = text.split("\r\n").filter((line) => line.startsWith("DTSTART:"));
  assert.deepEqual(starts, [`DTSTART:${due}`]);
  for (const word of [waiting.id, waiting.payment, waiting.merchantReference, waiting.intentId, businessId])
    assert.ok(!text.replaceAll("\r\n ", "").includes(word), word);
});

test("§13.17.5 a link ends when it is replaced or revoked, and when its member leaves, also if they come back", async () => {
  const { businessId, browser, path, make, read } = await newFeed();
  const first = await make();
  const second = await make();
  assert.deepEqual([(await read(first)).status, (await read(second)).status], [404, 200]);
  await browser.post(`${path}/calendar/revoke`, {});
  assert.equal((await read(second)).status, 404);
  const third = await make();
  await staff.database.rows(sql`delete from members where business_id = ${businessId} and user_id = ${user}`);
  assert.equal((await read(third)).status, 404);
  await insertMember(staff.database, businessId, user, "owner");
  assert.equal((await read(third)).status, 404);
  const entries = (await browser.get(`/businesses/${businessId}/audit?limit=10`)).json.data as {
    action: string;
    target: string;
  }[];
  assert.deepEqual(
    entries.map(({ action, target }) => [action, target]),
    ["made", "revoked", "made", "made"].map((action) => [`calendar.${action}`, user]),
  );
});

test("§13.17.5 all links end after a restore: the copy has some that were revoked since", async () => {
  const { make, read } = await newFeed();
  const link = await make();
  assert.ok((await deleteAllFeeds(staff.database)) > 0);
  assert.equal((await read(link)).status, 404);
});

test("§13.17.5 a link needs a recent proof, and a secret that is none is 404 without a look at the database", async () => {
  const { browser, path, read } = await newFeed();
  await staff.age();
  assert.equal((await browser.post(`${path}/calendar`, {})).json.error.code, "proof_required");
  for (const file of ["x.ics", `${"A".repeat(43)}`, `${"A".repeat(43)}.ics`, "%00.ics"])
    assert.equal((await read(`https://any.example/staff/v1/calendars/${file}`)).status, 404);
});

test("§13.17.5 one network reads calendars 20 times a minute", async () => {
  const { make, read } = await newFeed();
  const link = await make();
  for (let count = 0; count < 20; count++) assert.equal((await read(link, "198.51.100.7")).status, 200);
  assert.equal((await read(link, "198.51.100.7")).status, 429);
  assert.equal((await read(link, "198.51.100.8")).status, 200);
});
