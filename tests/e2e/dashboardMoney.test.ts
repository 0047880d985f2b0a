import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { insertIntent, insertPayment, someSignature } from "../../server/features/staff/testing/objects.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { DESKTOP, findBarriers, PHONE, type Tab, TestBrowser } from "./browser.ts";
import { isExpected, signIn } from "./dashboardPages.ts";

/** The pages that show where the money of a payment is, in every state, from rows that are in the database. */
let staff: StaffServer;
let browser: TestBrowser;
let reader: Tab;
let business: string;
const EMAIL = "reader@money.example";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

before(async () => {
  [staff, browser] = await Promise.all([startStaffServer({ pages: true }), TestBrowser.launch()]);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
  business = await staff.addBusiness("money", { [await staff.addUser(EMAIL)]: "read_only" });
  reader = await browser.open();
  await signIn(reader.page, staff.deps.dashboardUrl, { email: EMAIL, password: PASSWORD });
});
after(async () => {
  await browser?.close();
  await staff?.[Symbol.asyncDispose]();
});

const placeOf = (path: string) => `${staff.deps.dashboardUrl}/${business}/test/${path}`;

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
  return { intent: intent.id, payment };
}

const DISPUTED = sql`status = 'disputed', disputed_at = '2026-11-01T08:30:00Z'`;
const STATES = [
  [
    sql`status = 'protected'`,
    "Paid",
    "Protected",
    /^The buyer can dispute it until .*\. If it is not disputed, 14\.576 USDC then goes to/,
  ],
  [
    sql`protection_deadline = now() - interval '1 minute'`,
    "Paid",
    "Protected",
    /^The dispute deadline has passed, and 14\.576 USDC is due to the recipient\./,
  ],
  [
    sql`amount_refunded = 576000, refund_total = 576000, refunded_at = now()`,
    "Paid · protected, partly refunded",
    "Protected, partly refunded",
    /If it is not disputed, 14\.00 USDC then goes to the recipient/,
  ],
  [
    DISPUTED,
    "Paid · in dispute",
    "In dispute",
    /^The buyer disputed it on Nov 1, 2026, 8:30.*The arbiter \w{32,44} has until Jan 30, 2027, 8:30.* to decide who gets 14\.576 USDC\. After that, anyone can send it back/,
  ],
  [
    sql`${DISPUTED}, outcome = 'resolved', refund_total = 4576000`,
    "Paid · decided",
    "Decided",
    /^The arbiter decided\. Of 14\.576 USDC, 4\.576 USDC goes to the buyer and 10\.00 USDC to the recipient\./,
  ],
  [
    sql`status = 'released', outcome = 'settled', settled_at = now(), amount_released = 14576000`,
    "Paid · released",
    "Released",
    /^It was not disputed in time\. 14\.576 USDC went to the recipient on /,
  ],
  [
    sql`status = 'released', outcome = 'resolved', settled_at = now(), refunded_at = now(), amount_released = 10000000,
      amount_refunded = 4576000, refund_total = 4576000`,
    "Paid · partly refunded",
    "Partly refunded",
    /^The arbiter decided\. 10\.00 USDC went to the recipient on .*, and 4\.576 USDC went back to the buyer\.$/,
  ],
  [
    sql`status = 'refunded', outcome = 'refunded_by_recipient', refunded_at = now(), amount_refunded = 14576000,
      refund_total = 14576000`,
    "Paid · refunded",
    "Refunded",
    /^The recipient refunded it\. 14\.576 USDC went back to the buyer/,
  ],
] as const;

test("§13.10.5 a paid intent and its payment say where the money is, what is next, and until when, in every state", async () => {
  const { page, complaints } = reader;
  for (const [changes, paid, state, next] of STATES) {
    const { intent, payment } = await addPaid(changes);
    for (const [path, word] of [
      [`intents/${intent}`, paid],
      [`payments/${payment}`, state],
    ] as const) {
      await page.goto(placeOf(path));
      await page.getByText(word, { exact: true }).waitFor();
      await page.getByRole("note").getByText(next).waitFor();
    }
  }
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});

test("§13.10.5 a disputed payment names its arbiter and the time to decide, and is open to all on a phone, light and dark", async () => {
  const { page } = reader;
  const { intent, payment } = await addPaid(DISPUTED);
  const { arbiter } = (await staff.database.row<{ arbiter: string }>(
    sql`select arbiter from payments where address = ${payment}`,
  ))!;
  for (const path of [`intents/${intent}`, `payments/${payment}`]) {
    await page.goto(placeOf(path));
    await page.getByText("3 days", { exact: true }).waitFor();
    await page.getByRole("note").getByText(arbiter, { exact: true }).waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const viewport of [DESKTOP, PHONE]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        assert.deepEqual(await findBarriers(page), [], `${path} ${colorScheme}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, path);
      }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(DESKTOP);
});

test("§13.10.6 pages lead to an explorer where the chain is public, and nowhere from another", async () => {
  const { page } = reader;
  const { payment } = await addPaid();
  const link = page.getByRole("link", { name: "View on Solana Explorer" });
  await page.goto(placeOf(`payments/${payment}`));
  await page.getByRole("note").waitFor();
  assert.equal(await link.count(), 0);
  await staff.database.rows(sql`update chains set genesis_hash = ${DEVNET} where environment = 'test'`);
  await page.reload();
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), `https://explorer.solana.com/address/${payment}?cluster=devnet`);
  assert.match(String(await link.getAttribute("rel")), /noreferrer/);
});
