import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { act, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import type { Merchant, Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { DESKTOP, type Tab, type TabOptions, type TestBrowser } from "./browser.ts";
import { AMOUNT, heading } from "./buyer.ts";
import { fundAccount, TestWallet } from "./wallet.ts";

/** Parts that tests of a dispute share: a buyer who opened one, and what the buyer does on its page. */
export interface DisputedBuyer extends Tab {
  readonly intent: Wire;
  readonly payment: string;
  readonly wallet: TestWallet;
  /** The dispute's id. */
  readonly dispute: string;
}

interface World {
  readonly service: RunningService;
  readonly shop: Merchant;
  readonly browser: TestBrowser;
}

/** A buyer who has paid an order and opened a dispute, in front of the receipt. */
export async function openDispute(
  { service, shop, browser }: World,
  { viewport = DESKTOP }: Pick<TabOptions, "viewport"> = {},
  terms: Readonly<Record<string, unknown>> = {},
): Promise<DisputedBuyer> {
  const intent = await shop.create({ amount: AMOUNT, description: "Two bags of coffee", ...terms });
  const tab = await browser.open({ viewport });
  const wallet = await TestWallet.attach(tab.context, service);
  await fundAccount(service, wallet.key.address, intent.asset, intent.amount);
  const { payment } = await pay(service, intent, { buyer: wallet.key });
  await awaitPaid(shop, intent.id);
  await act(service, wallet.key, "dispute", payment);
  await awaitPayment(shop, payment, "disputed");
  const [{ id: dispute }] = (await shop.get(`/disputes?payment=${payment}`)).json.data;
  await tab.page.goto(`${service.checkoutUrl}/pay/p/${payment}`);
  return { ...tab, intent, payment, wallet, dispute };
}

/** Goes from the receipt to the dispute's page, and proves the wallet. */
export async function prove({ page }: DisputedBuyer): Promise<void> {
  await page.getByRole("link", { name: "Go to your dispute" }).click();
  await heading(page, "Show that you paid");
  await page.getByRole("button", { name: "Sign with Test wallet" }).click();
  await heading(page, "What was said");
}

const OPENING = { text: "The bag arrived torn.\nHalf of it is missing.", total: "24.50" };

/** Says what is wrong, once. */
export async function writeOpening(
  { page }: DisputedBuyer,
  { text, total }: { readonly text: string; readonly total: string } = OPENING,
): Promise<void> {
  await page.getByRole("radio", { name: "It is not as described" }).check();
  await page.getByLabel("In your words").fill(text);
  await page.getByLabel("You want back").fill(total);
  await page.getByRole("button", { name: "Send to the shop" }).click();
  await page.getByText(text.split("\n")[0]!).waitFor();
}

/** Signs an offer on the page, and waits until it is open, and its form closed. */
export async function makeSignedOffer({ page }: DisputedBuyer, total: string, sentence: string): Promise<void> {
  await page.getByText("Make an offer", { exact: true }).click();
  await page.getByLabel("You get in all (USDC)").fill(total);
  await page.getByLabel("A sentence to the shop").fill(sentence);
  await page.getByRole("button", { name: "Sign and send the offer" }).click();
  await page.getByText(sentence).waitFor();
  await page.locator("details.offering:not([open])").waitFor();
}

export const announcementOf = (name: string, bytes: Buffer) => ({
  name,
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** Sends a file by the routes of the buyer's page, with the page's own session. */
export async function sendFile({ page, payment }: DisputedBuyer, name: string, bytes: Buffer): Promise<void> {
  const given = { payment, announced: announcementOf(name, bytes), body: bytes.toString("base64") };
  const refusal = await page.evaluate(sendInPage(), given);
  if (refusal !== null) throw new Error(`The file ${name} was refused: ${refusal}`);
}

/** Runs in the page; as text, since these tests' types know no browser. */
const sendInPage = () =>
  new Function(
    "given",
    `return (async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(given.announced);
      const announced = await fetch("/pay/p/" + given.payment + "/case/files", { method: "POST", headers, body });
      if (announced.status !== 201) return announced.text();
      const bytes = Uint8Array.from(atob(given.body), (one) => one.charCodeAt(0));
      const put = await fetch((await announced.json()).uploadUrl, { method: "PUT", body: bytes });
      return put.status === 201 ? null : put.text();
    })()`,
  ) as (given: unknown) => Promise<string | null>;

/** A photograph, as far as a browser can tell. */
export async function aPhoto(page: Page, colours: string, text: string): Promise<Buffer> {
  await page.setContent(
    `<body style="margin:0;background:linear-gradient(135deg,${colours});font:600 40px sans-serif;color:#fff;padding:40px">${text}`,
  );
  return page.screenshot({ type: "jpeg", quality: 80 });
}
