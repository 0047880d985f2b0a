import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { admin } from "../harness/admin.ts";
import { askCheckout, assertRefused, buildFor } from "../harness/buyer.ts";
import { newBuyer, newPayer, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, merchantOf, untilTaken, type Wire } from "../harness/merchant.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";

/** `SCALE=10` tries it with 200 buyers for 50 seats, and 1,000 wallets without tokens. */
const SCALE = Number(process.env.SCALE ?? 1);
const [BUYERS, SEATS, POOR, OWN] = [20 * SCALE, 5 * SCALE, 100 * SCALE, SCALE > 1 ? 5 : 2];
const ASKING_MAX = 16;

let service: RunningService;
let shop: Merchant;
let owner: Browser;
before(async () => {
  service = await standingService(LASTING);
  const { id, secret } = await admin(service, "key", "add", service.business, "--rate", "100000");
  shop = merchantOf(service, service.business, id, secret);
  const ready = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  const { dashboardUrl, dashboardLogin } = ready;
  owner = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  assert.equal((await owner.post("/sign-in", dashboardLogin)).status, 200);
});

const staffPath = () => `/businesses/${service.business}/test/payment-links`;

async function newLink(given: object = {}): Promise<Wire> {
  const answer = await owner.post(staffPath(), {
    title: `Workshop ${++links}`,
    ...{ amount: "2.5", asset: service.asset, protectionPeriod: "oneHour", recipient: newWallet().address },
    ...given,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}
let links = 0;

let networks = 0;
/** Presses the button of a link's page, from a network of its own unless one is named. */
const press = (link: { readonly id: string }, fields = "", site = "same-origin", network?: string): Promise<Answer> =>
  exchange("POST", `${service.checkoutUrl}/pay/l/${link.id}`, {
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Sec-Fetch-Site", site],
      ["X-Forwarded-For", network ?? `10.77.${++networks & 255}.${networks >> 8}`],
    ],
    body: fields,
  });

/** The id of a new payer's intent, by the page. */
async function start(link: Wire, fields = ""): Promise<{ readonly id: string }> {
  const answer = await press(link, fields);
  assert.equal(answer.status, 303, answer.text);
  const id = String(answer.headers.location).split("/").at(-1)!;
  return { id };
}

/** Runs the work of many, a few at a time. */
async function each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += ASKING_MAX)
    results.push(...(await Promise.all(items.slice(at, at + ASKING_MAX).map(work))));
  return results;
}

test("§13.21.5 many buyers at a link with few seats: naming wallets holds none, the seats are paid, the others are told before anything is sent, who pays by other tools is marked", async () => {
  const link = await newLink({ seatsMax: SEATS });
  const nobody = await start(link);
  const poor = Array.from({ length: POOR }, () => newWallet().address);
  const codes = await each(
    poor,
    async (account) => (await untilTaken(() => askCheckout(service, nobody, "build", { account }))).json.error.code,
  );
  assert.deepEqual([...new Set(codes)], ["insufficient_token"], "wallets without the tokens take no seat");

  const buyers = await each(Array.from({ length: BUYERS }), async () => ({
    buyer: await newPayer(service),
    intent: await start(link),
  }));
  // Anybody may name these wallets: all of them get a transaction, and no seat is held before one is signed.
  const built = await each(buyers, async ({ buyer, intent }) => {
    const { transaction, seated } = await buildFor(service, intent, buyer.address);
    assert.ok(seated);
    return { buyer, intent, signed: signWith(transaction, buyer) };
  });
  assert.match((await exchange("GET", link.url)).text, new RegExp(`${SEATS} of ${SEATS} seats are left`));
  const asked = await each(built, async ({ buyer, intent, signed }) => {
    const submit = ({ transaction }: typeof signed) => askCheckout(service, intent, "submit", { transaction });
    let sent = await submit(signed);
    // On a slow machine the blockhash may have ended meanwhile.
    while (sent.json.error?.code === "expired") {
      const again = await untilTaken(() => askCheckout(service, intent, "build", { account: buyer.address }));
      sent = again.status === 200 ? await submit(signWith(again.json.transaction, buyer)) : again;
    }
    if (sent.status !== 202) return { intent, told: assertRefused(sent, 409, "no_seat").details.reason };
    return { intent, told: null };
  });
  const paying = asked.filter(({ told }) => told === null);
  assert.deepEqual([paying.length, asked.filter(({ told }) => told === "full").length], [SEATS, BUYERS - SEATS]);
  const paid = await each(paying, ({ intent }) => awaitPaid(shop, intent.id));
  for (const { payment, merchantReference } of paid) {
    assert.deepEqual([payment.role, payment.overLimit], ["primary", false]);
    assert.match(merchantReference, /^Workshop \d+ #\d+$/);
  }
  assert.equal(new Set(paid.map(({ payment }) => payment.sender)).size, SEATS);

  const told = asked.filter(({ told }) => told !== null).slice(0, OWN);
  for (const { intent } of told) {
    await pay(service, await shop.intent(intent.id), { buyer: await newBuyer(service) });
    const { payment } = await awaitPaid(shop, intent.id);
    assert.deepEqual([payment.role, payment.overLimit], ["primary", true]);
    const page = await exchange("GET", payment.receiptUrl);
    assert.match(page.text, /all seats were taken/);
    const refund = await shop.call("POST", `/payments/${payment.id}/refund`, { total: payment.amount });
    assert.equal(refund.status, 200, refund.text);
  }
  const [listed] = (await owner.get(staffPath())).json.data;
  assert.deepEqual([listed.id, listed.state, listed.paidSeats], [link.id, "full", SEATS]);
  const full = await exchange("GET", link.url);
  assert.match(full.text, /All seats are taken/);
  assert.ok(!full.text.includes("<form"));
  assert.equal((await press(link)).status, 409);
});

test("§13.21.3 a page that is only read makes no intent; a press does, of a limited number for each network", async () => {
  const link = await newLink({ amount: null, description: "Any help is welcome" });
  for (let reads = 0; reads < 5; reads++) {
    const page = await exchange("GET", link.url);
    assert.equal(page.status, 200);
    assert.match(page.text, /Any help is welcome/);
    assert.match(String(page.headers["content-security-policy"]), /form-action 'self'/);
  }
  assert.equal((await press(link, "amount=1", "cross-site")).status, 403);
  for (const wrong of ["", "amount=0", "amount=x", "amount=1.1234567", "amount=%3Cb%3E"]) {
    const answer = await press(link, wrong);
    assert.equal(answer.status, 422, wrong);
    assert.ok(!answer.text.includes("<b>"));
  }
  assert.equal((await owner.get(staffPath())).json.data[0].intentsMade, 0);
  const intent = await shop.intent((await start(link, "amount=7.25")).id);
  assert.deepEqual(
    [intent.amount, intent.description, intent.metadata],
    ["7250000", "Any help is welcome", { paymentLink: link.id }],
  );
  const lives = Date.parse(intent.expiresAt) - Date.parse(intent.createdAt);
  assert.ok(lives >= 1_800_000 && lives <= 1_801_000, String(lives));
  // A minute may end in between, and its limit with it.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 30)
    statuses.push((await press(link, "amount=1", "same-origin", "10.99.0.1")).status);
  assert.equal(statuses.at(-1), 429, statuses.join());
});

test("§13.21.8 a seat of a link without an amount is one buyer's, however little they pay", async () => {
  const link = await newLink({ amount: null, seatsMax: 1 });
  const buyer = await newPayer(service);
  const intent = await start(link, "amount=0.01");
  const { transaction } = signWith((await buildFor(service, intent, buyer.address)).transaction, buyer);
  const sent = await askCheckout(service, intent, "submit", { transaction });
  assert.equal(sent.status, 202, sent.text);
  const { amount, payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([amount, payment.overLimit], ["10000", false]);
  assert.match((await exchange("GET", link.url)).text, /All seats are taken/);
  assert.equal((await press(link, "amount=100")).status, 409);
});

test("§13.21.4 a closed link makes no intents, and its open ones get no transaction", async () => {
  const link = await newLink();
  const buyer = await newPayer(service);
  const intent = await start(link);
  await buildFor(service, intent, buyer.address);
  const closed = await owner.post(`${staffPath()}/${link.id}/close`, {});
  assert.deepEqual([closed.status, closed.json.state], [200, "closed"]);
  assert.equal((await owner.post(`${staffPath()}/${link.id}/close`, {})).json.error.reason, "link_closed");
  assert.match((await exchange("GET", link.url)).text, /The shop has closed this link/);
  assert.equal((await press(link)).status, 409);
  const other = await newPayer(service);
  const refused = assertRefused(
    await askCheckout(service, intent, "build", { account: other.address }),
    409,
    "no_seat",
  );
  assert.equal(refused.details.reason, "closed");
  const unknown = { id: link.id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0")) };
  assert.equal((await press(unknown)).status, 400 + 4);
});
