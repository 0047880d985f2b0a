import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { PASSWORD, type StaffServer, startStaffServer } from "../../server/features/staff/testing/staffServer.ts";
import type { Worker } from "../../server/features/webhooks/sending/worker.ts";
import { HOST, startTestWorker, testAuthority } from "../../server/features/webhooks/testing/worker.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { DESKTOP, findBarriers, PHONE, type Tab, TestBrowser } from "./browser.ts";
import { isExpected, signIn } from "./dashboardPages.ts";

/** The pages of webhooks on the real staff API, a real worker and a merchant's server, without a chain. */
let staff: StaffServer;
let browser: TestBrowser;
let receiver: Receiver;
let worker: Worker;
let owner: Tab;
let place: string;
/** What the merchant's server answers. */
let status = 200;

before(async () => {
  [staff, browser, receiver] = await Promise.all([
    startStaffServer({ pages: true }),
    TestBrowser.launch(),
    startReceiver(testAuthority().issue([HOST]), (_request, response) => void response.writeHead(status).end()),
  ]);
  const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
  worker = startTestWorker(staff, staff.deps.ring!, hosts);
  const email = "dev@shop.example";
  const business = await staff.addBusiness("shop", { [await staff.addUser(email)]: "developer" });
  place = `${staff.deps.dashboardUrl}/${business}/test`;
  owner = await browser.open();
  await signIn(owner.page, staff.deps.dashboardUrl, { email, password: PASSWORD });
});
after(async () => {
  await browser?.close();
  await worker?.stop();
  await receiver?.[Symbol.asyncDispose]();
  await staff?.[Symbol.asyncDispose]();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const choose = async (page: Page, item: string) => {
  await button(page, `Change https://${HOST}/hooks`).click();
  await button(page, item).click();
};

/** Nothing is in the way of anyone, on a screen or on a phone. */
async function assertOpenToAll(page: Page, what: string): Promise<void> {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    assert.deepEqual(await findBarriers(page), [], what);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, what);
  }
}

test("§13.8 an endpoint is judged while it is typed, added, tested, rolled, disabled and enabled; its secret is seen once", async () => {
  const { page } = owner;
  await page.goto(`${place}/webhooks`);
  await page.getByText("No endpoint yet").waitFor();
  await button(page, "Add an endpoint").click();
  await page.getByLabel("URL").fill("http://127.0.0.1/hooks");
  await page.locator("input[name=url][aria-invalid=true]").waitFor();
  await page.getByLabel("URL").fill(`https://${HOST}/hooks`);
  await page.getByText("Events can be sent there.").waitFor();
  await page.getByLabel("Events").selectOption("some");
  await page.getByLabel("payment.protected").check();
  await page.getByLabel("payment_intent.created").check();
  await assertOpenToAll(page, "the dialog that adds");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  assert.match(secret, /^whsec_/);
  await button(page, "I have kept it").click();
  await page.getByText("payment_intent.created, payment.protected").waitFor();
  assert.equal((await page.content()).includes(secret), false);

  await button(page, "Send a test").click();
  await button(page, "Send").click();
  await page.getByText("Received: your server answered 200").waitFor();
  status = 500;
  await button(page, "Send again").click();
  await page.getByText("Failed after").waitFor();
  status = 200;
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();

  await choose(page, "Roll the secret");
  await button(page, "Roll").click();
  assert.notEqual(await page.locator("[data-secret]").textContent(), secret);
  await button(page, "I have kept it").click();
  await page.getByText("The old secret is valid until").waitFor();
  await choose(page, "Disable");
  await page.getByText("Disabled by").waitFor();
  await assertOpenToAll(page, "the endpoints");
  await button(page, "Enable").click();
  await button(page, "Enable").waitFor({ state: "detached" });
});

test("§13.8 an endpoint is deleted after a question", async () => {
  const { page, complaints } = owner;
  await page.goto(`${place}/webhooks`);
  await choose(page, "Delete");
  await page.getByRole("dialog", { name: "Delete the endpoint?" }).waitFor();
  await button(page, "Delete").last().click();
  await page.getByText("No endpoint yet").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});
