import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { askCheckout, buildFor } from "../harness/buyer.ts";
import { advance, newPayer, pay } from "../harness/chain.ts";
import { awaitPaid, expectEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let folder: string;
let service: Service;
let shop: Merchant;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "rates-"));
  service = await startService({ env: { RATES_FILE: join(folder, "rates.csv"), ...localChain(LASTING) } });
  shop = await newMerchant(service);
});
after(async () => {
  await service?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Writes another file of rates and puts it in the place of the first, as an operator's program does. */
async function writeRates(rate: string, ageMs = 0): Promise<void> {
  const at = new Date(Date.now() - ageMs).toISOString();
  await writeFile(join(folder, "next.csv"), `${at},${service.asset},EUR,${rate}\n`);
  await rename(join(folder, "next.csv"), join(folder, "rates.csv"));
}

const price = { currency: "EUR", amount: "4.30" };
let orders = 0;
const ask = (terms: Readonly<Record<string, unknown>> = {}, headers: readonly (readonly [string, string])[] = []) =>
  shop.call(
    "POST",
    "/payment-intents",
    someTerms(service, { amount: undefined, price, merchantReference: `price-${++orders}`, ...terms }),
    headers,
  );
async function create(): Promise<Wire> {
  const answer = await ask();
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}
/** Waits until the service has read a file of rates, by what it quotes. */
const awaitRate = (rate: string) =>
  eventually(`the rate is ${rate}`, async () => {
    const { json } = await ask();
    return json.quote?.rate === rate ? json : null;
  });

test("§4.21.3 503 without a rate, 201 with one; a repeat has the first quote, whatever the rate is by then", async () => {
  const key = [["Idempotency-Key", "priced"]] as const;
  const terms = { merchantReference: "kept" };
  assertError(await ask(terms, key), 503, "unavailable");
  await writeRates("0.86");
  // 4.30 × 1 ÷ 0.86 × 1.01 is 5.05.
  const first = await awaitRate("1.17441860465116279069768");
  assert.equal(first.amount, "5050001");
  assert.equal(first.quote.source, "file");

  const made = await ask(terms, key);
  assert.equal(made.status, 201, "the 503 was not kept");
  await writeRates("0.80");
  await awaitRate("1.2625");
  const again = await ask(terms, key);
  assert.deepEqual([again.status, again.text], [201, made.text]);
  assertError(await ask({ ...terms, price: { ...price, amount: "4.29" } }, key), 409, "idempotency_conflict");
  const read = await shop.intent(made.json.id);
  assert.deepEqual([read.amount, read.quote], [made.json.amount, made.json.quote]);

  // A file that is older, of another currency, or cut off changes nothing.
  await writeRates("0.5", 3_600_000);
  await writeFile(join(folder, "rates.csv"), `${new Date().toISOString()},${service.asset},EUR,0.8`);
  await eventually("the cut file is refused", () =>
    /RATES_FILE could not be read: Its last line/.test(service.errors()),
  );
  assert.equal((await create()).quote.rate, "1.2625");
});

test("§4.21.4 who pays before the quote ends signs its terms, and after it is late", async () => {
  await writeRates("0.81");
  await awaitRate("1.24691358024691358024692");
  const [early, late] = [await create(), await create()];
  for (const { createdAt, expiresAt, quote } of [early, late]) {
    assert.equal(expiresAt, quote.until);
    assert.ok(Date.parse(expiresAt) - Date.parse(createdAt) <= 901_000);
  }
  const buyer = await newPayer(service);
  await advance(service, 840);
  const built = await buildFor(service, early, buyer.address);
  const answer = await askCheckout(service, early, "submit", {
    transaction: signWith(built.transaction, buyer).transaction,
  });
  assert.equal(answer.status, 202, answer.text);
  const inTime = await awaitPaid(shop, early.id);
  assert.deepEqual([inTime.payment.late, inTime.payment.amount], [false, early.amount]);
  const shown = await exchange("GET", `${service.checkoutUrl}/pay/terms/${inTime.payment.termsHash}`);
  const text = JSON.parse(shown.text);
  assert.deepEqual([text.v, text.price, text.quote, text.offer], [3, early.price, early.quote, null]);
  assert.equal(inTime.payment.termsKnown, true);

  await advance(service, 62);
  await expectEvents(shop, late.id, ["payment_intent.created", "payment_intent.expired"]);
  await pay(service, late);
  const { payment } = await awaitPaid(shop, late.id);
  assert.deepEqual([payment.late, payment.lateReason], [true, "paid_after_expiry"]);
  const events = await expectEvents(shop, late.id, [
    "payment_intent.created",
    "payment_intent.expired",
    "payment.protected",
    "payment_intent.paid_late",
  ]);
  assert.deepEqual(events[3]!.data.object.quote, late.quote);
});
