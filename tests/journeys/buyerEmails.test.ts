import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { advance, pay } from "../harness/chain.ts";
import { awaitPaid, listEvents } from "../harness/expectEvents.ts";
import { type MailServer, startMailServer } from "../harness/mailServer.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let mail: MailServer;
let service: Service;
let shop: Merchant;
before(async () => {
  mail = await startMailServer("127.0.0.1");
  service = await startService({ env: { SMTP_URL: mail.url, MAIL_FROM: "no-reply@shop.example" } });
  shop = await newMerchant(service);
});
after(async () => {
  await service?.remove();
  await mail?.[Symbol.asyncDispose]();
});

const subjects = (): string[] => mail.taken.flatMap((email) => /^Subject: (.*)$/m.exec(email)?.[1] ?? []);
const post = (path: string, form: Readonly<Record<string, string>>) =>
  fetch(`${service.checkoutUrl}${path}`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(form),
  });

test("§4.22 a buyer whom the shop names, and one who enters an address after paying, get emails from the running service", async () => {
  const intent = await shop.create({ buyerEmail: "kim@buyer.example", protectionPeriod: "sevenDays" });
  assert.equal(intent.buyerEmail, "kim@buyer.example");
  await pay(service, intent);
  const paid = await awaitPaid(shop, intent.id);
  assert.equal(paid.buyerEmail, "kim@buyer.example");
  for (const { data } of await listEvents(shop, intent.id))
    if (data.object.object === "payment_intent")
      assert.deepEqual([data.object.hasBuyerEmail, "buyerEmail" in data.object], [true, false]);
  await eventually("the mailbox is asked", async () => subjects().includes("[Test] Confirm your email address"));
  const text = mail.taken.join("\n").replaceAll("=\n", "").replaceAll("=3D", "=");
  const page = /\/pay\/emails\?key=[\w-]{64}/.exec(text)![0];
  assert.equal((await post(page, { set: "confirmed" })).status, 200);
  await eventually("the receipt is sent", async () => subjects().includes("[Test] You paid: your receipt"));

  const other = await shop.create({ protectionPeriod: "sevenDays" });
  await pay(service, other);
  await awaitPaid(shop, other.id);
  assert.ok((await (await fetch(other.checkoutUrl)).text()).includes(`href="/pay/i/${other.id}/email"`));
  assert.equal((await post(`/pay/i/${other.id}/email`, { email: "kim@buyer.example" })).status, 200);
  assert.ok(!(await (await fetch(other.checkoutUrl)).text()).includes(`href="/pay/i/${other.id}/email"`));
  const count = (subject: string) => subjects().filter((one) => one === subject).length;
  await eventually("both receipts are sent", async () => count("[Test] You paid: your receipt") === 2);
  assert.equal((await shop.intent(other.id)).buyerEmail, null, "what a buyer enters is not the shop's");
  await advance(service, 5 * 86_400 + 600);
  await eventually("both are reminded", async () => count("[Test] Your protection ends soon") === 2);
  assert.equal(subjects().length, 5);
});
