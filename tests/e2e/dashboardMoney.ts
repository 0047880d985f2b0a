import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { insertIntent, insertPayment, someSignature } from "../../server/features/staff/testing/objects.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { lookAt, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openBlank, openRenderer, type Render, show } from "./dashboardRender.ts";
import { openSignedIn, openStaff, USDC } from "./dashboardWorld.ts";

/** The pages that show where the money of a payment is, in every state, from rows that are in the database. */
let staff: StaffServer;
let reader: Tab;
let blank: Tab;
let render: Render;
let business: string;
const EMAIL = "reader@money.example";
const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

before(async () => {
  staff = await openStaff();
  business = await staff.addBusiness("money", { [await staff.addUser(EMAIL)]: "read_only" });
  [reader, blank] = [await openSignedIn(EMAIL), await openBlank()];
  render = await openRenderer(await staff.signIn(EMAIL));
});
after(async () => {
  await reader?.context.close();
  await blank?.context.close();
});

const placeOf = (path: string) => `${staff.ctx.dashboardUrl}/${business}/test/${path}`;
/** Shows the page as it is once all is read. */
const showPage = async (path: string) => show(blank.page, (await render(`/${business}/test/${path}`)).read);

/** A paid intent whose payment is as the changes say. */
async function addPaid(changes = sql`status = 'protected'`) {
  const { intent } = await insertIntent(
    staff.database,
    { businessId: business, environment: "test" },
    { amount: "14576000", asset: USDC, protectionPeriod: "threeDays" },
  );
  const payment = await insertPayment(staff.database, intent, someSignature());
  await staff.database.rows(sql`update payments set ${changes} where address = ${payment}`);
  await staff.database.rows(
    sql`update intents set status = 'paid', holds_reference = false, payment_address = ${payment} where id = ${intent.id}`,
  );
  return { intent: intent.id, payment, row: intent };
}

const DISPUTED = sql`status = 'disputed', disputed_at = '2026-11-01T08:30:00Z'`;
/** The changes of a payment; the intent's badge, and its note; the payment's badge, its sentence, and the rows of its table. */
const STATES = [
  [
    sql`status = 'protected'`,
    "Paid",
    /^The buyer can dispute it until .*\. If it is not disputed, 14\.576 USDC then goes to/,
    "Protected",
    /^order-\d+, paid on .*\. 14\.576 USDC is yours in (1 day|23 hours \d+ minutes), if the buyer does not dispute it\.$/,
    ["The buyer|0.00|0.00|0.00", "You|14.576|0.00|14.576"],
  ],
  [
    sql`protection_deadline = now() - interval '1 minute'`,
    "Paid",
    /^The dispute deadline has passed, and 14\.576 USDC is due to the recipient\./,
    "Protected",
    /The dispute deadline has passed\. 14\.576 USDC is yours; the service sends it, and so can anyone else\.$/,
    ["The buyer|0.00|0.00|0.00", "You|14.576|0.00|14.576"],
  ],
  [
    sql`amount_refunded = 576000, refund_total = 576000, refunded_at = now()`,
    "Paid · protected, partly refunded",
    /If it is not disputed, 14\.00 USDC then goes to the recipient/,
    "Protected, partly refunded",
    /\. 14\.00 USDC is yours in /,
    ["The buyer|0.576|0.576|0.00", "You|14.00|0.00|14.00"],
  ],
  [
    DISPUTED,
    "Paid · in dispute",
    /^The buyer disputed it on Nov 1, 2026, 8:30.*The arbiter \w{32,44} has until Jan 30, 2027, 8:30.* to decide who gets 14\.576 USDC\. If nobody decides by then, anyone can send it back/,
    "In dispute",
    /The buyer disputed it on Nov 1, 2026, 8:30.*\. 14\.576 USDC is frozen until the dispute ends\.$/,
    ["The buyer|0.00|0.00|0.00", "You|0.00|0.00|0.00", "Not decided|14.576|0.00|14.576"],
  ],
  [
    sql`status = 'disputed', disputed_at = now() - interval '91 days', refund_total = 576000`,
    "Paid · in dispute",
    /^The buyer disputed it on /,
    "In dispute",
    /The arbiter did not decide in time\. Anyone can now send 14\.576 USDC back to the buyer\.$/,
    ["The buyer|0.576|0.00|0.576", "You|0.00|0.00|0.00", "Not decided|14.00|0.00|14.00"],
  ],
  [
    sql`${DISPUTED}, outcome = 'resolved', refund_total = 4576000`,
    "Paid · decided",
    /^The arbiter decided\. Of 14\.576 USDC, 4\.576 USDC goes to the buyer and 10\.00 USDC to the recipient\./,
    "Decided",
    /The arbiter decided\. The parts that have not left yet are sent by the service/,
    ["The buyer|4.576|0.00|4.576", "You|10.00|0.00|10.00"],
  ],
  [
    sql`status = 'released', outcome = 'settled', settled_at = now(), amount_released = 14576000`,
    "Paid · released",
    /^It was not disputed in time\. 14\.576 USDC went to the recipient on /,
    "Released",
    /It was not disputed in time\. 14\.576 USDC went to you on /,
    ["The buyer|0.00|0.00|0.00", "You|14.576|14.576|0.00"],
  ],
  [
    sql`status = 'released', outcome = 'resolved', settled_at = now(), refunded_at = now(), amount_released = 10000000,
      amount_refunded = 4576000, refund_total = 4576000`,
    "Paid · partly refunded",
    /^The arbiter decided\. 10\.00 USDC went to the recipient on .*, and 4\.576 USDC went back to the buyer\.$/,
    "Partly refunded",
    /The arbiter decided\. 10\.00 USDC went to you on .*, and 4\.576 USDC went back to the buyer\.$/,
    ["The buyer|4.576|4.576|0.00", "You|10.00|10.00|0.00"],
  ],
  [
    sql`status = 'refunded', outcome = 'refunded_by_recipient', refunded_at = now(), amount_refunded = 14576000,
      refund_total = 14576000`,
    "Paid · refunded",
    /^The recipient refunded it\. 14\.576 USDC went back to the buyer/,
    "Refunded",
    /You refunded it\. 14\.576 USDC went back to the buyer, the last part on /,
    ["The buyer|14.576|14.576|0.00", "You|0.00|0.00|0.00"],
  ],
] as const;

test("§13.10.5 a paid intent and its payment say where the money is, what is next, and until when, in every state; the payment's page is open to all", async () => {
  const { page } = blank;
  for (const [changes, paid, note, state, sentence, rows] of STATES) {
    const { intent, payment } = await addPaid(changes);
    await showPage(`intents/${intent}`);
    await page.getByText(paid, { exact: true }).waitFor();
    await page.getByRole("note").getByText(note).waitFor();
    await showPage(`payments/${payment}`);
    await page.getByRole("heading", { name: "14.576 USDC", level: 1 }).waitFor();
    await page.getByText(state, { exact: true }).waitFor();
    await page.locator("main header").getByText(sentence).waitFor();
    const table = page.getByRole("table", { name: "Where the money is" });
    const shown = await Promise.all(
      (await table.getByRole("row").all())
        .slice(1)
        .map(async (row) => (await row.getByRole("cell").allTextContents()).slice(0, 4).join("|")),
    );
    assert.deepEqual(shown, rows);
    await lookAt(page, state);
  }
});

test("§13.10.7 a payment whose money has left names the buyer's address, and says that such a transfer is outside the books", async () => {
  const { page } = blank;
  const { payment } = await addPaid(
    sql`status = 'released', outcome = 'settled', settled_at = now(), amount_released = 14576000`,
  );
  await showPage(`payments/${payment}`);
  const { sender } = (await staff.database.row<{ sender: string }>(
    sql`select sender from payments where address = ${payment}`,
  ))!;
  const card = page.getByRole("region", { name: "Pay the buyer back" });
  await card.getByText(/All of it has left the escrow\. .* such a transfer is outside these books\./).waitFor();
  await card.getByText(sender, { exact: true }).waitFor();
});

test("§13.10.7 a duplicate names the payment that came first; it and a late payment say what to do", async () => {
  const { page, complaints } = reader;
  const { row, payment: first } = await addPaid();
  const second = await insertPayment(staff.database, row, someSignature(), "duplicate");
  await page.goto(placeOf(`payments/${second}`));
  const note = page.getByRole("note");
  await note.getByText("Refund this payment, or accept it as a second order.").waitFor();
  await note.getByRole("link", { name: first }).click();
  await page.waitForURL(`**/payments/${first}`);
  await page.getByText("Protected", { exact: true }).waitFor();
  assert.equal(await page.getByText("Duplicate", { exact: true }).count(), 0);
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
  const { payment: late } = await addPaid(sql`late_reason = 'paid_after_expiry'`);
  await showPage(`payments/${late}`);
  await blank.page.getByText("Late", { exact: true }).waitFor();
  await blank.page
    .getByRole("note")
    .getByText("It was paid after the intent had expired. Refund it, or accept it late.")
    .waitFor();
});

test("§13.10.5 a disputed payment names its arbiter on both pages, and its intent is open to all", async () => {
  const { page } = blank;
  const { intent, payment } = await addPaid(DISPUTED);
  const { arbiter } = (await staff.database.row<{ arbiter: string }>(
    sql`select arbiter from payments where address = ${payment}`,
  ))!;
  for (const path of [`payments/${payment}`, `intents/${intent}`]) {
    await showPage(path);
    await page.getByText("3 days", { exact: true }).waitFor();
    await page.getByRole("note").getByText(arbiter, { exact: true }).waitFor();
  }
  await lookAt(page, "the intent");
});

test("§13.10.6 pages lead to an explorer where the chain is public, and nowhere from another", async () => {
  const { page } = blank;
  const { payment } = await addPaid();
  const link = page.getByRole("link", { name: "View on Solana Explorer" });
  await showPage(`payments/${payment}`);
  await page.getByRole("heading", { name: "Details" }).waitFor();
  assert.equal(await link.count(), 0);
  const setChain = (genesisHash: string) =>
    staff.database.rows(sql`update chains set genesis_hash = ${genesisHash} where environment = 'test'`);
  await setChain(DEVNET);
  await showPage(`payments/${payment}`).finally(() => setChain("test"));
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), `https://explorer.solana.com/address/${payment}?cluster=devnet`);
  assert.match(String(await link.getAttribute("rel")), /noreferrer/);
});
