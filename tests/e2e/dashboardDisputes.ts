import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { askArbiter, sendStatement } from "../../server/features/disputes/actions.ts";
import type { Dispute } from "../../server/features/disputes/dispute.ts";
import { actNow, insertDispute, insertFile, offerOfBuyer } from "../../server/features/disputes/testing.ts";
import { PASSWORD, type StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { findBarriers, lookAt, type Tab, tabOf } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** The list of disputes and the page of one, from disputes that are in the database. One session serves all tests. */
const EMAIL = "clerk@disputes.example";
const BUYER = { author: "wallet-of-buyer", authorKind: "wallet" } as const;
const KEY = { author: "key_1", authorKind: "key" } as const;
const HOUR_MS = 3_600_000;
let staff: StaffServer;
let clerk: Tab;
let user: string;
before(async () => {
  staff = await openStaff();
  user = await staff.addUser(EMAIL);
  clerk = await openSignedIn(EMAIL);
});
after(() => clerk?.context.close());

let shops = 0;
async function newShop(role: "disputes" | "read_only" = "disputes") {
  const businessId = await staff.addBusiness(`${++shops} Fernweh`, { [user]: role });
  return {
    tenant: { businessId, environment: "test" } as const,
    place: (path: string) => `${staff.ctx.dashboardUrl}/${businessId}/test/${path}`,
  };
}

/** A dispute of 5.00 in a token with six decimals. */
async function newDispute(tenant: Parameters<typeof insertDispute>[1], agoMs?: number): Promise<Dispute> {
  const dispute = await insertDispute(staff.database, tenant, agoMs);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    select 'test', asset, true, 6, 'any', '{}', now() from payments where address = ${dispute.payment}`);
  return dispute;
}

const said = (page: Page) => page.getByRole("listitem").filter({ has: page.getByText("You", { exact: true }) });

test("§13.20.4 the list begins with what waits for the business, the one that is due first on top, and counts it", async () => {
  const { tenant, place } = await newShop();
  const made: Dispute[] = [];
  for (const hours of [3, 30, 12]) made.push(await newDispute(tenant, hours * HOUR_MS));
  await actNow(staff.database, made[2]!, sendStatement("merchant", KEY, "Seen."));
  const { page, complaints } = clerk;
  await page.goto(place("disputes"));
  const rows = page.getByRole("row").filter({ has: page.getByRole("link") });
  await rows.nth(1).waitFor();
  const ids = () => page.evaluate("[...document.querySelectorAll('tbody a')].map((one) => one.href.split('/').at(-1))");
  assert.deepEqual(await ids(), [made[1]!.id, made[0]!.id]);
  await page.getByRole("link", { name: /^Disputes ?2 wait for you$/ }).waitFor();
  await lookAt(page, "disputes");
  for (const [name, text, column] of [
    ["Closed", /The newest dispute is on top\.$/, null],
    ["All", /The newest dispute is on top\.$/, "Until, or closed"],
    ["Your turn", /The one that is due first is on top\.$/, "Until"],
  ] as const) {
    await page.getByRole("navigation", { name: "Disputes" }).getByRole("link", { name }).click();
    await page.getByText(text).waitFor();
    if (column !== null) await page.getByRole("columnheader", { name: column, exact: true }).waitFor();
  }

  const tab = page.getByRole("link", { name: "Buyer's turn" });
  await tab.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\?show=buyer$/);
  await page.locator(`tbody a[href$="${made[2]!.id}"]`).waitFor();
  assert.deepEqual(await ids(), [made[2]!.id]);
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});

test("§13.20.4 the page says whose turn it is; an answer is a draft until it is sent, by keyboard, in all tabs", async () => {
  const { tenant, place } = await newShop();
  const dispute = await newDispute(tenant, 20 * HOUR_MS);
  const opening = { kind: "opening", reason: "not_as_described", requestedTotal: "5000000" } as const;
  const write = sendStatement("buyer", BUYER, "One bag arrived torn. See https://evil.example");
  await actNow(staff.database, dispute, (one, now) => ({ ...write(one, now), happening: opening }));
  await actNow(staff.database, dispute, askArbiter("buyer"));
  const { page, context } = clerk;
  await page.goto(place(`disputes/${dispute.id}`));
  await page.getByRole("heading", { name: /^Your turn until/ }).waitFor();
  const turn = page.getByRole("region", { name: "Whose turn it is" });
  await turn.getByText(/^The buyer has asked for the arbiter\. If you ask too, .* until .*\.$/).waitFor();
  // Reason and sum came with the buyer's text: the chain's opening proves neither.
  const itemOf = (text: string) => page.getByRole("listitem").filter({ hasText: text }).last().textContent();
  assert.doesNotMatch((await itemOf("signed on chain"))!, /Not as described|Asked for/);
  assert.match((await itemOf("One bag arrived torn."))!, /wrote on .*Not as described\. Asked for 5/s);
  assert.equal(await page.getByRole("link", { name: /evil/ }).count(), 0, "a link in a statement is none");

  const field = page.getByLabel("Your answer");
  const send = page.getByRole("button", { name: "Send answer" });
  assert.equal(await send.isDisabled(), true);
  await field.focus();
  await page.keyboard.type("We send another bag.");
  await page.reload();
  assert.equal(await field.inputValue(), "We send another bag.", "a draft is kept on the device");
  assert.equal(await said(page).count(), 1, "and nothing was sent");
  const other = await tabOf(context);
  await other.page.goto(place(`disputes/${dispute.id}`));
  const otherField = other.page.getByLabel("Your answer");
  assert.equal(await otherField.inputValue(), "We send another bag.");
  await lookAt(page, "dispute-answer");

  await send.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^The buyer’s turn until/ }).waitFor();
  await page.getByRole("paragraph").filter({ hasText: "We send another bag." }).waitFor();
  // The turn may be read again before the press has ended.
  await eventually("the draft is gone", async () => (await field.inputValue()) === "");
  await other.page.getByRole("heading", { name: /^The buyer’s turn until/ }).waitFor();
  await eventually("the other tab cannot send it again", async () => (await otherField.inputValue()) === "");
  await other.page.close();
});

test("§13.20.4 an offer names both amounts before it is made, is withdrawn, and that of a buyer is accepted", async () => {
  const { tenant, place } = await newShop();
  const dispute = await newDispute(tenant, 20 * HOUR_MS);
  const { page } = clerk;
  await page.goto(place(`disputes/${dispute.id}`));
  await page.getByRole("button", { name: "Make an offer" }).click();
  const dialog = page.getByRole("dialog");
  const total = dialog.getByLabel(/The buyer has in the end/);
  await total.fill("5.01");
  await dialog.getByRole("button", { name: "Make offer" }).click();
  await dialog.getByText(/Enter an amount from 0 /).waitFor();
  await total.fill("2.25");
  await dialog.getByText(/^2.75 .* to you$/).waitFor();
  await dialog.getByLabel(/A sentence/).fill("You keep the goods.");
  assert.deepEqual(await findBarriers(page), []);
  await dialog.getByRole("button", { name: /^Offer 2.25 .*back$/ }).click();
  const offer = page.getByRole("region", { name: "You keep the goods." });
  await offer.getByText("Open", { exact: true }).waitFor();
  await offer.getByRole("button", { name: "Withdraw" }).click();
  await offer.getByText("Withdrawn", { exact: true }).waitFor();

  await offerOfBuyer(staff.database, dispute, "3000000");
  const theirs = page.getByRole("region", { name: "Let us end this." });
  await theirs.getByText("You can accept it").waitFor();
  await lookAt(page, "dispute-offer");
  await theirs.getByRole("button", { name: /^Accept: pay back 3 / }).click();
  await dialog.getByText(/This binds you/).waitFor();
  // What binds the business needs a recent proof of identity.
  await staff.age();
  await dialog.getByRole("button", { name: /^Accept: pay back 3 / }).click();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Both agreed. Your refund is next, until/ }).waitFor();
  const agreed = page.getByRole("list", { name: "What is signed" });
  assert.match((await agreed.textContent())!, /Next.*The refund of 3 .*Then.*The release of 2 /s);
  // The role answers, and does not refund.
  await page.getByText(/An owner or admin opens this page/).waitFor();
  assert.equal(await page.getByRole("button", { name: /Refund/ }).count(), 0);
  await lookAt(page, "dispute-agreed");
  // The agreed amounts are due, and nothing is undecided.
  await page.goto(place(`payments/${dispute.payment}`));
  await page.getByRole("row", { name: /^The buyer 3\D.* By .*, by you and the buyer/ }).waitFor();
  await page.getByRole("row", { name: /^You 2\D.* By .*, by you and the buyer/ }).waitFor();
  assert.equal(await page.getByRole("cell", { name: "Not decided" }).count(), 0);
  await lookAt(page, "payment-agreed");
});

test("§13.20.3 deliveries are recorded on the intent's page and are facts of the dispute; other roles only read", async () => {
  const { tenant, place } = await newShop();
  const dispute = await newDispute(tenant);
  const { page, complaints } = clerk;
  await page.goto(place(`intents/${dispute.intentId}`));
  await page.getByRole("button", { name: "Record a delivery" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Carrier").fill("Postrunner");
  await dialog.getByLabel("Tracking number").fill("00340-7712");
  await dialog.getByLabel("Sent on").fill("2026-01-02T09:00");
  await dialog.getByRole("button", { name: "Record a delivery" }).click();
  await page.getByRole("cell", { name: "00340-7712" }).waitFor();
  await page.goto(place(`disputes/${dispute.id}`));
  await page.getByText("Postrunner 00340-7712").waitFor();

  const reading = await newShop("read_only");
  const theirs = await newDispute(reading.tenant);
  await insertFile(staff.database, theirs);
  await page.goto(reading.place(`disputes/${theirs.id}`));
  await page.getByText(/Your role reads disputes/).waitFor();
  assert.equal(await page.getByLabel("Your answer").count(), 0);
  await page.getByRole("link", { name: "parcel.txt" }).waitFor();
  assert.equal(await page.getByLabel("Files to send").count(), 0);
  await page.goto(reading.place(`intents/${theirs.intentId}`));
  await page.getByRole("heading", { name: "Fulfillments" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Record a delivery" }).count(), 0);
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one) && !/status of 403/.test(one)),
    [],
  );
});
