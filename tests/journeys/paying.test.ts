import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import { draftPayment } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { address, getBase58Decoder } from "@solana/kit";
import { askCheckout, assertRefused, buildFor } from "../harness/buyer.ts";
import { act, advance, control, newPayer, pay, rpc, whilePaused } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { inOneOfTwoMinutes } from "../harness/minute.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { request, scan, sign } from "../harness/solanaPay.ts";
import { eventually } from "../harness/wait.ts";

const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
const SOL = "So11111111111111111111111111111111111111112";

const signatureOf = (number: number): string =>
  getBase58Decoder().decode(new Uint8Array(64).fill(1).fill(number + 1, 63));

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService(LASTING);
  shop = await newMerchant(service);
});

for (const [what, asset] of [
  ["SPL Token", null],
  ["Token-2022", PYUSD],
  ["wrapped SOL", SOL],
] as const)
  test(`§4.14.1 a buyer signs what was built in ${what}, the relay sends it, and the intent is paid`, async () => {
    const buyer = await newPayer(service, asset ?? service.asset);
    const intent = await shop.create(asset === null ? {} : { asset });
    const built = await buildFor(service, intent, buyer.address);
    assert.deepEqual(Object.keys(built), [
      "object",
      "transaction",
      "notAfter",
      "arbiter",
      "termsHash",
      "terms",
      "payment",
      "lastValidBlockHeight",
      "fee",
      "sponsored",
      "seated",
    ]);
    const { transaction, signature } = signWith(built.transaction, buyer);
    const answer = await askCheckout(service, intent, "submit", { transaction });
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(answer.json, { signature });
    const { payment } = await awaitPaid(shop, intent.id);
    assert.deepEqual([payment.id, payment.signature, payment.sender], [built.payment, signature, buyer.address]);
    assert.deepEqual([payment.termsHash, payment.termsKnown], [built.termsHash, true]);
    assert.equal(payment.arbiter, built.arbiter);

    const terms = await exchange("GET", `${service.checkoutUrl}/pay/terms/${built.termsHash}`);
    assert.equal(terms.status, 200);
    assert.equal(createHash("sha256").update(terms.text).digest("hex"), built.termsHash);
    assert.deepEqual([terms.text, terms.json.business.name], [built.terms, "Test shop"]);
    assert.ok(!terms.text.includes(intent.id), "the hash is public: it does not lead to the page");
    assertRefused(await askCheckout(service, intent, "build", { account: newWallet().address }), 409, "paid");
  });

test("§4.13.4 a payment without a terms text, or with another's, is not one whose terms are known", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([payment.termsHash, payment.termsKnown], [null, false]);
});

test("§4.14.6 an intent that takes no payment any more gets no transaction, from the page or a wallet", async () => {
  const account = newWallet().address;
  const canceled = await shop.create();
  await shop.cancel(canceled.id);
  const missing = { id: canceled.id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0")) };
  for (const [intent, status, code] of [
    [canceled, 409, "canceled"],
    [missing, 404, "not_found"],
    [{ id: "pi_test_x" }, 404, "not_found"],
  ] as const) {
    assertRefused(await askCheckout(service, intent, "build", { account }), status, code);
    assertRefused(await askCheckout(service, intent, "submit", { transaction: "AQ==" }), status, code);
    if (intent !== canceled)
      assertRefused(await askCheckout(service, intent, "seen", { signature: "1".repeat(64) }), status, code);
    const refused = await askCheckout(service, intent, "request", { account }, []);
    assert.deepEqual([refused.status, Object.keys(refused.json)], [status, ["message"]]);
  }
});

test("§4.14.6 who lacks tokens or SOL is shown what is missing", async () => {
  const intent = await shop.create({ amount: "2500000" });
  const nobody = newWallet();
  const short = assertRefused(
    await askCheckout(service, intent, "build", { account: nobody.address }),
    422,
    "insufficient_token",
  );
  assert.deepEqual(short.details, { missing: "2500000", missingInWords: "2.50 USDC" });
  assert.equal(
    short.message,
    `${nobody.address.slice(0, 4)}…${nobody.address.slice(-4)} has 0.00 USDC; 2.50 USDC are needed.`,
  );
  await control(service, "/faucet", { address: nobody.address, asset: service.asset, amount: "2500000" });
  const poor = await eventually("the tokens are confirmed", async () => {
    const answer = await askCheckout(service, intent, "build", { account: nobody.address });
    return answer.json.error.code === "insufficient_token" ? null : answer;
  });
  const { details } = assertRefused(poor, 422, "insufficient_sol");
  assert.ok(BigInt(details.missingLamports) > 5_000_000n);
});

test("§4.14.3 another intent's transaction, an unsigned one, and one without a payment are refused", async () => {
  const buyer = await newPayer(service);
  const [mine, other] = [await shop.create(), await shop.create()];
  const built = await buildFor(service, other, buyer.address);
  const { transaction } = signWith(built.transaction, buyer);
  const submit = (body: unknown) => askCheckout(service, mine, "submit", body);
  assertRefused(await submit({ transaction }), 400, "invalid_transaction");
  assertRefused(await submit({ transaction: built.transaction }), 400, "invalid_transaction");
  const bare = withInstructions(built.transaction, (all) => all.slice(0, 2));
  assertRefused(await submit({ transaction: signWith(bare, buyer).transaction }), 400, "invalid_transaction");
  // The right payment on terms that this checkout never showed, as another checkout would make it.
  const { wire } = await draftPayment(service, buyer, mine, {
    notAfter: Math.floor(Date.parse(mine.expiresAt) / 1_000),
  });
  assertRefused(await submit({ transaction: Buffer.from(wire).toString("base64") }), 400, "invalid_transaction");
  assert.equal((await shop.intent(mine.id)).status, "requires_payment");
});

test("§4.14.3 a wallet may put instructions of its own around the payment", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const guard = {
    programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
    data: new TextEncoder().encode("guard ".repeat(8)),
  };
  const guarded = withInstructions(built.transaction, (all) => [guard, ...all, guard]);
  const { transaction, signature } = signWith(guarded, buyer);
  assert.equal((await askCheckout(service, intent, "submit", { transaction })).status, 202);
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
});

test("§4.14.5 a signature that a page reports binds nothing by itself, and is recorded when it lands", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const { transaction, signature } = signWith(built.transaction, buyer);
  await whilePaused(service, async () => {
    assert.equal((await askCheckout(service, intent, "seen", { signature })).status, 202);
    assert.equal((await askCheckout(service, intent, "seen", { signature })).status, 202, "repeats are fine");
    assert.equal((await shop.intent(intent.id)).status, "requires_payment");
    // The sweep is paused, so the relay's check of the reported signature records it.
    await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"));
    assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
  });
  for (const wrong of [undefined, null, 5, "", "x", signature.slice(8), `1${signature}`])
    assertRefused(
      await askCheckout(service, await shop.create(), "seen", { signature: wrong }),
      400,
      "invalid_request",
    );
});

test("§4.14.5 a stranger's reports take nobody's way to pay; a signature that is proven is on its way, and sent", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const { transaction, signature } = signWith(built.transaction, buyer);
  const stateOf = async () => (await exchange("GET", `${service.checkoutUrl}/pay/i/${intent.id}/state`)).json;
  const fake = signWith((await buildFor(service, await shop.create(), buyer.address)).transaction, buyer);
  const seen = (body: unknown) => askCheckout(service, intent, "seen", body);
  // Reports for another intent, for none, and with transactions that the signature is not of.
  for (const body of [
    { signature: fake.signature },
    { signature: fake.signature, transaction: fake.transaction },
    { signature: fake.signature, transaction },
    { signature: fake.signature, transaction: "AQ==" },
    { signature: fake.signature, transaction: built.transaction },
  ])
    assert.equal((await seen(body)).status, 202);
  const reported = await stateOf();
  assert.deepEqual([reported.state, reported.inFlight.kind], ["waiting", "reported"]);
  await control(service, "/faults", { mode: "rpc_error", methods: ["sendTransaction"] });
  assert.equal((await seen({ signature, transaction })).status, 202);
  const sent = await stateOf();
  assert.deepEqual([sent.state, sent.inFlight.kind, sent.inFlight.signature], ["in_flight", "sent", signature]);
  await control(service, "/faults", { mode: "none" });
  // The wallet's own send is lost here: the relay's lands.
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
});

test("§4.14.7 one network hands in so much for an intent in a minute, and no more", () =>
  inOneOfTwoMinutes(async () => {
    const intent = await shop.create();
    const stranger: [string, string][] = [["X-Forwarded-For", "192.0.2.77"]];
    const report = (number: number, headers: [string, string][]) =>
      askCheckout(service, intent, "seen", { signature: signatureOf(number) }, headers);
    const answers = await Promise.all(Array.from({ length: 25 }, (_, number) => report(number, stranger)));
    assert.deepEqual(
      [202, 429].map((code) => answers.filter(({ status }) => status === code).length),
      [20, 5],
    );
    assert.equal((await report(99, [])).status, 202);
  }));

test("§4.14.5 what a wallet sent is followed though the shop canceled while the wallet was open; a report says that it is one", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const page = async () => (await exchange("GET", intent.checkoutUrl)).text;
  const { transaction, signature } = signWith((await buildFor(service, intent, buyer.address)).transaction, buyer);
  await whilePaused(service, async () => {
    await shop.cancel(intent.id);
    assert.equal((await askCheckout(service, intent, "seen", { signature })).status, 202);
    const { json } = await exchange("GET", `${service.checkoutUrl}/pay/i/${intent.id}/state`);
    assert.deepEqual([json.state, json.final, json.inFlight.kind], ["canceled", false, "reported"]);
    assert.match(await page(), /<h2>Canceled by the shop<.*Somebody reported a payment/s);
    assert.equal((await askCheckout(service, intent, "seen", { signature, transaction })).status, 202);
    assert.match(await page(), /<h2>On its way</);
    await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"));
    assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
  });
});

test("§4.14.5 two buyers with transactions in hand: both land, the second is a duplicate", async () => {
  const buyers = [await newPayer(service), await newPayer(service)];
  const intent = await shop.create();
  const signed = [];
  for (const buyer of buyers)
    signed.push(signWith((await buildFor(service, intent, buyer.address)).transaction, buyer));
  const [first, second] = await Promise.all(
    signed.map(({ transaction }) => askCheckout(service, intent, "submit", { transaction })),
  );
  assert.ok([first, second].some((answer) => answer!.status === 202));
  // If a transaction came too late for the relay, its wallet sends it.
  for (const { transaction } of signed) await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"), true);
  await awaitPaid(shop, intent.id);
  await eventually("the second payment is recorded", async () => {
    const { data } = (await shop.get(`/payments?intent=${intent.id}`)).json;
    return data.length === 2 && data.filter((one: Wire) => one.role === "duplicate" && one.termsKnown).length === 1;
  });
});

test("§4.14.1 while the wallet is open the time runs out: the relay refuses it, and so does the program", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const { transaction } = signWith(built.transaction, buyer);
  await advance(service, 601);
  const late = assertRefused(await askCheckout(service, intent, "submit", { transaction }), 422, "simulation_failed");
  assert.match(late.details.reason, /^offer_expired:/);
  await assert.rejects(sendWire(service.rpcUrl, Buffer.from(transaction, "base64")), /offer_expired/);
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
  const again = await buildFor(service, intent, buyer.address);
  assert.ok(again.notAfter > built.notAfter);
});

test("§10.7 the last transaction of an intent ends with it", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const leftSeconds = Math.floor((Date.parse(intent.expiresAt) - Date.parse(intent.createdAt)) / 1_000);
  await advance(service, leftSeconds - 120);
  assert.equal((await buildFor(service, intent, buyer.address)).notAfter, intent.expiresAt);
  await advance(service, 180);
  assertRefused(await askCheckout(service, intent, "build", { account: buyer.address }), 409, "expired");
});

test("§4.14.4 a node that drops, refuses or is slow: the relay sends again, and the payment is made once", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const { transaction, signature } = signWith(built.transaction, buyer);
  // The node answers, drops the transaction, and nothing reaches the chain.
  await control(service, "/faults", { mode: "null_result", methods: ["sendTransaction"], count: 1 });
  await control(service, "/faults", { mode: "server_error", methods: ["sendTransaction"], count: 1 });
  assert.equal((await askCheckout(service, intent, "submit", { transaction })).status, 202);
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
  assert.equal((await shop.get(`/payments?intent=${intent.id}`)).json.data.length, 1);
});

test("§4.14.6 while no node answers, nothing is built, and it is said", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  await control(service, "/faults", { mode: "time_out", methods: ["getMultipleAccounts"] });
  const answer = await askCheckout(service, intent, "build", { account: buyer.address });
  await control(service, "/faults", { mode: "none" });
  assertRefused(answer, 503, "chain_unavailable");
  assert.equal(answer.headers["retry-after"], "2");
});

test("§4.14.6 hostile bodies get a documented refusal, and change nothing", async () => {
  const intent = await shop.create();
  const account = newWallet().address;
  for (const [body, status] of [
    ["", 400],
    ["[]", 400],
    ["null", 400],
    ["{", 400],
    ['{"account":1,"account":2}', 400],
    [Uint8Array.of(0x7b, 0xff, 0x7d), 400],
    [JSON.stringify({ account: `${account}\u0000` }), 400],
    [JSON.stringify({ account: [account] }), 400],
    [JSON.stringify({ account: "O0Il".repeat(10) }), 400],
    [JSON.stringify({ account, padding: "x".repeat(17_000) }), 413],
  ] as const)
    for (const path of ["build", "submit", "seen"] as const) {
      const answer = await askCheckout(service, intent, path, body);
      assert.match(answer.json.error.code, /^invalid_/);
      assert.equal(answer.status, status, String(body));
    }
  const typed = await exchange("POST", `${service.checkoutUrl}/pay/i/${intent.id}/build`, { body: "{}" });
  assertRefused(typed, 415, "invalid_request");
});

test("§4.14.6 pages of other sites cannot build, submit or report", async () => {
  const intent = await shop.create();
  for (const headers of [
    [["Sec-Fetch-Site", "cross-site"]],
    [["Sec-Fetch-Site", "same-site"]],
    [["Sec-Fetch-Site", "none"]],
    [["Origin", "https://evil.example"]],
    [["Origin", "null"]],
  ] as const)
    for (const path of ["build", "submit", "seen"] as const)
      assertRefused(await askCheckout(service, intent, path, { account: "x" }, headers), 403, "browser_request");
  const ours = [["Origin", service.checkoutUrl]] as const;
  assertRefused(await askCheckout(service, intent, "build", { account: "x" }, ours), 400, "invalid_account");
  const options = await exchange("OPTIONS", `${service.checkoutUrl}/pay/i/${intent.id}/build`);
  assert.equal(options.headers["access-control-allow-origin"], undefined);
});

test("a wallet that speaks only the Solana Pay protocol pays", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const link = `${service.checkoutUrl}/pay/i/${intent.id}/request`;
  assert.equal((await scan(link)).label, "Test shop");
  const requested = await request(link, buyer.address);
  assert.ok("transaction" in requested);
  assert.equal(requested.message, "5.00 USDC to Test shop, protected for 7 days");
  const { transaction, signature } = sign(requested, buyer);
  await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"));
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([payment.signature, payment.termsKnown], [signature, true]);
  assert.deepEqual(await request(link, buyer.address), { refused: "This is already paid. Nothing more is needed." });
});

test("a tampered account gets a transaction that only that account can sign, or none", async () => {
  const buyer = await newPayer(service);
  const victim = await newPayer(service);
  const intent = await shop.create();
  const link = `${service.checkoutUrl}/pay/i/${intent.id}/request`;
  const requested = await request(link, victim.address);
  assert.ok("transaction" in requested);
  assert.throws(() => sign(requested, buyer), /the only signer that is missing/);
  const forged = signWith(requested.transaction, buyer).transaction;
  assertRefused(await askCheckout(service, intent, "submit", { transaction: forged }), 400, "invalid_transaction");
  for (const account of ["", "x", service.recipient, service.programId, intent.asset, `${buyer.address} `])
    assert.ok("refused" in (await request(link, account)), account);
});

test("§4.14.7 builds are limited for each network and intent, and repeats within two seconds are free", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  await eventually("builds within two seconds are one for all", async () => {
    const same = await Promise.all(
      Array.from({ length: 5 }, () => askCheckout(service, intent, "build", { account: buyer.address })),
    );
    return new Set(same.map((answer) => answer.json.transaction)).size === 1;
  });
  await inOneOfTwoMinutes(async () => {
    const other = await shop.create();
    // The last of several addresses is the proxy's own word; the others are the client's.
    const oneNetwork: [string, string][] = [["X-Forwarded-For", "10.1.1.1, 2001:db8::1"]];
    const build = (of: Wire) => askCheckout(service, of, "build", { account: newWallet().address }, oneNetwork);
    const answers = await Promise.all(Array.from({ length: 25 }, () => build(other)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 5);
    for (const answer of refused) {
      assertRefused(answer, 429, "rate_limited");
      assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d?$/);
    }
    assert.notEqual((await build(intent)).status, 429, "another intent has its own");
    assert.notEqual((await askCheckout(service, other, "build", { account: newWallet().address })).status, 429);
  });
});

test("§4.14.2 of the buyer's rents the vault's comes back with the payout, the record's without the tombstone's when anybody closes it", async () => {
  const buyer = await newPayer(service);
  const balance = async () =>
    BigInt((await rpc<{ value: number }>(service, "getBalance", buyer.address, { commitment: "confirmed" })).value);
  const before = await balance();
  const intent = await shop.create({ protectionPeriod: "oneHour" });
  const { transaction, fee } = await buildFor(service, intent, buyer.address);
  await askCheckout(service, intent, "submit", { transaction: signWith(transaction, buyer).transaction });
  const { payment } = await awaitPaid(shop, intent.id);
  const paid = before - BigInt(fee.totalLamports);
  assert.equal(await balance(), paid);

  await advance(service, 3_601);
  await eventually("the keeper paid the shop", async () => (await balance()) === paid + BigInt(fee.vaultLamports));
  await advance(service, 90 * 86_400);
  // The keeper leaves it alone, since the deployment did not pay for it: else this would be refused.
  await act(service, service.wallets["buyer-2"], "close", payment.id);
  const kept = BigInt(fee.networkLamports) + BigInt(fee.tombstoneLamports) + BigInt(fee.tokenAccountLamports);
  assert.equal(await balance(), before - kept);
});
