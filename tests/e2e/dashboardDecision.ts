import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { acceptOffer } from "../../server/features/disputes/actions.ts";
import { actNow, insertDispute, offerOfBuyer, ruleNow } from "../../server/features/disputes/testing.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { lookAt, type Tab } from "./browser.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** The decision on the merchant's page of a dispute, from disputes that are in the database. */
const EMAIL = "clerk@decisions.example";
let staff: StaffServer;
let clerk: Tab;
let tenant: { readonly businessId: string; readonly environment: "test" };
before(async () => {
  staff = await openStaff();
  const user = await staff.addUser(EMAIL);
  tenant = { businessId: await staff.addBusiness("decided", { [user]: "disputes" }), environment: "test" };
  clerk = await openSignedIn(EMAIL);
});
after(() => clerk?.context.close());

/** A dispute about 5.00 of a token with six decimals. */
async function newDispute() {
  const dispute = await insertDispute(staff.database, tenant);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    select 'test', asset, true, 6, 'any', '{}', now() from payments where address = ${dispute.payment}`);
  return dispute;
}

/** Opens the page of a dispute, and returns the text of its decision. */
async function readDecision(id: string): Promise<string> {
  const { page } = clerk;
  await page.goto(`${staff.ctx.dashboardUrl}/${tenant.businessId}/test/disputes/${id}`);
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "The decision" }) });
  await section.waitFor();
  return (await section.textContent())!;
}

const REASONS = "Each side bears a part.\n<b>See https://evil.example</b>";

test("§17.4 the merchant reads both amounts, the reasons as they were written, arbiter, time, transaction and hash", async () => {
  const dispute = await newDispute();
  const { page } = clerk;
  await page.goto(`${staff.ctx.dashboardUrl}/${tenant.businessId}/test/disputes/${dispute.id}`);
  await page.getByRole("heading", { name: /^Your turn until/ }).waitFor();
  assert.equal(await page.getByRole("heading", { name: "The decision" }).count(), 0);

  const ruling = await ruleNow(staff.database, dispute, { total: "2000000", memo: "record", reasons: REASONS });
  const text = await readDecision(dispute.id);
  for (const part of [REASONS, ruling.arbiter, ruling.signature, ruling.sha256!])
    assert.ok(text.includes(part), `${part}: ${text}`);
  assert.match(text, /2 .* to the buyer.*3 .* to you/);
  assert.equal(await page.getByRole("link", { name: /evil/ }).count(), 0, "a link in the reasons is none");
  await lookAt(page, "decision");

  await staff.database.rows(sql`update payments set refund_total = amount where address = ${dispute.payment}`);
  assert.match(await readDecision(dispute.id), /More went back by your own refunds: the buyer has 5 /);
});

test("§17.3 a ruling as agreed and each ruling without a record are shown for what they are", async () => {
  const dispute = await newDispute();
  const offer = await offerOfBuyer(staff.database, dispute, "2000000");
  const agreed = await actNow(staff.database, dispute, acceptOffer("merchant", offer, "usr_1"));
  await ruleNow(staff.database, agreed, { total: "2000000", memo: "record", reasons: null });
  assert.match(await readDecision(dispute.id), /Ruled as both sides agreed\./);

  for (const [memo, why] of [
    ["unknown", "The arbiter’s memo names no record of this service."],
    ["none", "The ruling has no memo."],
    ["other_signer", "The ruling has a memo that the arbiter did not sign."],
    ["several", "The arbiter signed more than one memo, so none of them counts."],
  ] as const) {
    const elsewhere = await newDispute();
    await ruleNow(staff.database, elsewhere, { total: "0", memo, reasons: REASONS });
    const text = await readDecision(elsewhere.id);
    assert.ok(text.includes(`Decided outside this service, without reasons. ${why}`), text);
    assert.ok(!text.includes("Each side"), "a record that did not land is shown to nobody");
  }
});
