import assert from "node:assert/strict";
import { before, test } from "node:test";
import { checkBuyerAnswer } from "../harness/buyerDocument.ts";
import { act, advance, newBuyer, pauseSweep, pay, whilePaused } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { inOneOfTwoMinutes } from "../harness/minute.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
});

const open = (path: string): Promise<Answer> => exchange("GET", `${service.checkoutUrl}${path}`);
const receipt = (payment: string, rest = ""): Promise<Answer> => open(`/pay/p/${payment}${rest}`);
const stateOf = async (payment: string): Promise<Wire> => {
  const answer = await receipt(payment, "/state");
  checkBuyerAnswer("GET", `/pay/p/${payment}/state`, answer);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers["access-control-allow-origin"], undefined);
  return answer.json;
};
const stands = (payment: string, state: string): Promise<Wire> =>
  eventually(`the receipt is ${state}`, async () => {
    const answer = await receipt(payment, "/state");
    return answer.status === 200 && answer.json.state === state ? answer.json : null;
  });
/** The words of a page, without its markup, styles and data. */
const pageText = ({ text }: Answer): string =>
  text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

/** The states of a receipt's stream, in order. */
async function* follow(payment: string): AsyncGenerator<Wire> {
  const answer = await fetch(`${service.checkoutUrl}/pay/p/${payment}/events`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("access-control-allow-origin"), null, "of a receipt, as of its state");
  let text = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
  }
}

async function paid(
  terms: Wire = {},
): Promise<{ readonly intent: Wire; readonly payment: string; readonly signature: string }> {
  const intent = await shop.create({ amount: "24500000", ...terms });
  const done = await pay(service, intent);
  await awaitPaid(shop, intent.id);
  return { intent, payment: done.payment, signature: done.signature };
}

test("§14.1 every payment has a receipt at its address; an address of none is not known here yet", async () => {
  const { payment } = await paid();
  const page = await receipt(payment);
  assert.equal(page.status, 200);
  assert.equal(page.headers["cache-control"], "no-store");
  assert.match(pageText(page), /24\.50 USDC .*You paid .*You can open a dispute until/);
  const calendar = await receipt(payment, "/calendar");
  assert.deepEqual(
    [calendar.status, calendar.headers["content-type"], calendar.headers["content-disposition"]],
    [200, "text/calendar; charset=utf-8", 'attachment; filename="dates.ics"'],
  );
  const { protectionDeadline } = await shop.payment(payment);
  const start = protectionDeadline.replace(/[-:]|\.\d+/g, "");
  const dates = calendar.text.replaceAll("\r\n ", "");
  assert.ok(dates.includes(`DTSTART:${start}\r\nSUMMARY:Last moment to open a dispute: 24.50 USDC`), dates);
  for (const address of [service.wallets["buyer-1"].address, "x", "1".repeat(60)]) {
    assert.equal((await receipt(address, "/calendar")).status, 404);
    const unknown = await receipt(address);
    assert.equal(unknown.status, 404);
    assert.match(pageText(unknown), /Not known here yet/);
    for (const path of ["/state", "/events"]) {
      const answer = await receipt(address, path);
      assert.equal(answer.status, 404);
      assert.equal(answer.json.error.code, "not_found");
    }
  }
});

test("§14.4 the state is the payment's, and its stream sends each change within five seconds of the chain", async () => {
  const { payment } = await paid();
  const first = await stateOf(payment);
  assert.deepEqual(
    { ...first, version: 0, at: 0 },
    { object: "receipt_state", payment, state: "protected", final: false, version: 0, at: 0, parts: "0/0/0" },
  );
  const states = follow(payment);
  assert.equal((await states.next()).value.state, "protected");
  await act(service, service.wallets["buyer-1"], "dispute", payment);
  const { value: disputed } = await states.next();
  assert.equal(disputed.state, "disputed");
  assert.ok(disputed.version >= first.version && disputed.at > first.at, "newer");
  await act(service, service.wallets.recipient, "refund", payment, { total: 4_500_000n });
  assert.match((await states.next()).value.parts, /^0\/(0|4500000)\/4500000$/);
  await states.return(null);
});

test("§14.3 each part that went back has a line of its own, in the order of the times", async () => {
  const { payment } = await paid();
  for (const total of [4_500_000n, 24_500_000n]) {
    await act(service, service.wallets.recipient, "refund", payment, { total });
    const left = async () => (await shop.payment(payment)).amountRefunded === String(total);
    await eventually(`${total} went back`, left);
  }
  const text = pageText(await receipt(payment));
  assert.match(text, /You paid .* 4\.50 USDC went back to you .*The shop gave it back .* 20\.00 USDC went back to you/);
});

test("§14.1 a payment that matches no order has a receipt that says so, and follows its chain without events", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const buyer = await newBuyer(service);
  const { payment } = await pay(service, intent, { amount: "24000000", buyer });
  await stands(payment, "protected");
  const page = await receipt(payment);
  assert.match(
    pageText(page),
    /This payment matches no order .*names an order of this site, but not the order’s terms/,
  );
  assert.match(pageText(page), /24\.00 USDC in the escrow/);
  assert.match(page.text, new RegExp(service.wallets.arbiter.address));
  const states = follow(payment);
  await states.next();
  await act(service, buyer, "dispute", payment);
  assert.equal((await states.next()).value.state, "disputed");
  await states.return(null);

  const stranger = await pay(service, { ...intent, paymentId: "77" }, { buyer });
  await stands(stranger.payment, "protected");
  assert.match(pageText(await receipt(stranger.payment)), /This site knows no order with this payment’s number/);
});

test("§14.3 a duplicate says so, and the page of its order leads to it", async () => {
  const { intent, payment } = await paid();
  const again = await pay(service, intent, { buyer: await newBuyer(service) });
  await stands(again.payment, "protected");
  assert.match(pageText(await receipt(again.payment)), /This order was paid twice/);
  const checkout = await open(`/pay/i/${intent.id}`);
  assert.match(checkout.text, new RegExp(`href="/pay/p/${payment}[?"]`), "Open your receipt");
  assert.match(checkout.text, new RegExp(`href="/pay/p/${again.payment}"`));
});

test("§14.3 by its address alone, the deposit is offered back once it is due, and no more once it came back", async () => {
  const intent = await shop.create();
  const buyer = await newBuyer(service);
  const { payment } = await pay(service, intent, { buyer });
  await awaitPaid(shop, intent.id);
  await act(service, service.wallets.recipient, "refund", payment, { total: BigInt(intent.amount) });
  const pageOf = () => exchange("GET", `${service.checkoutUrl}/pay/p/${payment}`);
  await eventually("all of it went back", async () => (await pageOf()).text.includes("You have your money back"));
  assert.ok(!(await pageOf()).text.includes('data-action="close"'));
  await advance(service, 90 * 86_400 + 60);
  await eventually("the deposit is due", async () => (await pageOf()).text.includes('data-action="close"'));
  await act(service, buyer, "close", payment);
  await eventually("it came back", async () => {
    const { text } = await pageOf();
    return !text.includes('data-action="close"') && text.includes("when the payment’s record was closed");
  });
  await eventually("no fork can change it", async () => {
    const { json } = await exchange("GET", `${service.checkoutUrl}/pay/p/${payment}/state`);
    return json.final;
  });
});

const find = (body: Wire): Promise<Answer> =>
  exchange("POST", `${service.checkoutUrl}/pay/find`, {
    headers: [
      ["Content-Type", "application/json"],
      ["Sec-Fetch-Site", "same-origin"],
    ],
    body: JSON.stringify(body),
  });

test("§14.7 a payment is found by its transaction, its address, its order and the wallet that paid", async () => {
  const buyer = await newBuyer(service);
  const intents = [await shop.create({ amount: "1000000" }), await shop.create({ amount: "2000000" })];
  const done = [];
  for (const intent of intents) {
    done.push(await pay(service, intent, { buyer }));
    // The chain's times are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  }
  for (const { id } of intents) await awaitPaid(shop, id);
  const { payment, signature } = done[0]!;
  for (const query of [payment, signature, ` https://explorer.solana.com/tx/${signature}?cluster=devnet`]) {
    const shown = await open(`/pay?query=${encodeURIComponent(query)}`);
    assert.deepEqual([shown.status, shown.headers.location], [303, `/pay/p/${payment}`], query);
    assert.equal((await find({ query })).json.page, `/pay/p/${payment}`);
  }
  const order = await open(`/pay?query=${intents[0]!.id}`);
  assert.equal(order.headers.location, `/pay/i/${intents[0]!.id}`);

  const { json } = await find({ account: buyer.address });
  assert.deepEqual(
    json.payments.map((one: Wire) => [one.payment, one.amountInWords, one.state]),
    [
      [done[1]!.payment, "2.00 USDC", "protected"],
      [done[0]!.payment, "1.00 USDC", "protected"],
    ],
  );
  assert.deepEqual(Object.keys(json.payments[0]).sort(), [
    "amount",
    "amountInWords",
    "asset",
    "createdAt",
    "environment",
    "page",
    "payment",
    "state",
  ]);
  const list = await open(`/pay?query=${buyer.address}`);
  assert.match(pageText(list), /Payments that were found 2\.00 USDC Protected .* 1\.00 USDC Protected/);
  assert.equal(list.headers["content-security-policy"]?.includes("form-action 'self'"), true);
});

test("§14.7 a transaction that is not recorded yet is recorded when somebody looks for it", async () => {
  const intent = await shop.create();
  await whilePaused(service, async () => {
    const { payment, signature } = await pay(service, intent, { buyer: await newBuyer(service) });
    assert.equal((await receipt(payment)).status, 404);
    assert.equal((await find({ query: signature })).json.page, `/pay/p/${payment}`);
    assert.equal((await stateOf(payment)).state, "protected");
  });
  await pauseSweep(service, false);
});

test("§14.7 what names nothing is said so, and one network asks the chain ten times a minute", async () => {
  for (const query of ["hello", `pi_test_${"0".repeat(36)}`, "<script>", "1".repeat(3_000)]) {
    const page = await open(`/pay?query=${encodeURIComponent(query)}`);
    assert.equal(page.status, 200);
    assert.match(pageText(page), /Nothing was found|neither a signature/);
    assert.ok(!page.text.includes("<script>"));
  }
  assert.equal((await find({})).status, 400);
  assert.equal((await find({ query: "hello" })).json.error.code, "invalid_request");
  const nobody = (number: number) => `${"1".repeat(63)}${number}`;
  await inOneOfTwoMinutes(async (tries) => {
    const statuses: number[] = [];
    for (let asked = 1; asked <= 12; asked++) {
      const { status } = await exchange("GET", `${service.checkoutUrl}/pay?query=${nobody((asked % 8) + 2)}`, {
        headers: [["X-Forwarded-For", `198.51.${tries}.7`]],
      });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429]);
  });
});
