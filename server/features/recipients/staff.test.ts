import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { newWalletAddress } from "../staff/testing/walletAddress.ts";
import { RECIPIENTS_MAX } from "./recipient.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, read_at)
    values ('test', ${USDC}, true, 6, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', now()),
      ('test', ${newWalletAddress()}, true, 6, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

const reasonOf = ({ status, json }: { status: number; json: { error?: { reason?: string } } }) => [
  status,
  json.error?.reason,
];

async function open(name: string): Promise<{ user: string; browser: Browser; business: string; path: string }> {
  const user = await staff.addUser(`${name}@shop.example`);
  const business = await staff.addBusiness(name, { [user]: "admin" });
  const browser = await staff.signIn(`${name}@shop.example`);
  return { user, browser, business, path: `/businesses/${business}/test/recipients` };
}

test("§13.11 a recipient is kept after its warnings were read, renamed and removed, each with its entry", async () => {
  const { browser, business, path } = await open("kept");
  const address = newWalletAddress();
  assert.deepEqual(
    (await browser.post(`${path}/check`, { address })).json.warnings.map(({ code }: { code: string }) => code),
    ["unread"],
  );
  assert.match(
    (await browser.post(`${path}/check`, { address: "0x52908400098527886E0F7030069857D2E4169EE7" })).json.problem,
    /not a Solana address/,
  );
  assert.deepEqual(reasonOf(await browser.post(path, { address, label: "Treasury" })), [409, "recipient_doubtful"]);
  const added = await browser.post(path, { address, label: "Treasury", accepted: ["unread"] });
  assert.deepEqual([added.status, added.json.state, added.json.test], [201, "untried", null]);
  const again = await browser.post(path, { address, label: "Other", accepted: ["unread"] });
  assert.deepEqual(reasonOf(again), [409, "recipient_already"]);
  assert.deepEqual(reasonOf(await browser.post(path, { address: "none", label: "Wrong" })), [
    409,
    "recipient_unusable",
  ]);
  assert.equal((await browser.post(path, { address, label: "Shop\u202e" })).json.error.param, "label");
  assert.equal((await browser.send("PATCH", `${path}/${address}`, { label: "Vault" })).json.label, "Vault");
  assert.deepEqual(
    (await browser.get(path)).json.data.map(({ label }: { label: string }) => label),
    ["Vault"],
  );
  assert.deepEqual(
    (await browser.get(path.replace("test", "live"))).json.data,
    [],
    "the other environment has its own",
  );
  assert.equal((await browser.send("DELETE", `${path}/${address}`)).status, 200);
  assert.deepEqual((await browser.get(path)).json.data, []);
  const { data } = (await browser.get(`/businesses/${business}/audit`)).json;
  assert.deepEqual(
    data.map(({ action, target, environment, details }: Record<string, unknown>) => [
      action,
      target,
      environment,
      details,
    ]),
    [
      ["recipient.removed", address, "test", { label: "Vault" }],
      ["recipient.renamed", address, "test", { label: "Vault", before: "Treasury" }],
      ["recipient.added", address, "test", { label: "Treasury", warnings: "unread" }],
    ],
  );
});

test("§13.11.1 at most fifty are kept, exactly, also when all are added at once", async () => {
  const { browser, business, path } = await open("many");
  const user = await staff.addUser("second@many.example");
  await staff.database.rows(
    sql`insert into members (business_id, user_id, role, created_at) values (${business}, ${user}, 'admin', now())`,
  );
  // A user may cause thirty chain reads per minute.
  const browsers = [browser, await staff.signIn("second@many.example")];
  let added = 0;
  const add = () =>
    browsers[added++ % 2]!.post(path, { address: newWalletAddress(), label: "Wallet", accepted: ["unread"] });
  for (let count = 2; count < RECIPIENTS_MAX; count++) assert.equal((await add()).status, 201);
  const last = await Promise.all([add(), add(), add(), add(), add()]);
  assert.deepEqual(last.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
  assert.equal((await browser.get(path)).json.data.length, RECIPIENTS_MAX);
});

test("§13.11.3 a test payment is an intent of its own; one at a time, and nothing is confirmed before it left the escrow", async () => {
  const { browser, business, path } = await open("tested");
  const address = newWalletAddress();
  await browser.post(path, { address, label: "Treasury", accepted: ["unread"] });
  const one = `${path}/${address}`;
  await browser.send("PATCH", `/businesses/${business}/profile`, { intentLifetimeMinutes: 15 });
  assert.deepEqual((await browser.get(`${path}/assets`)).json.data, [
    { object: "test_asset", id: USDC, symbol: "USDC", decimals: 6 },
  ]);
  assert.deepEqual(reasonOf(await browser.post(`${one}/confirm`)), [409, "test_not_arrived"]);
  assert.equal((await browser.post(`${one}/test`, { asset: USDC, amount: "0" })).json.error.param, "amount");
  const offers = await Promise.all([1, 2, 3].map(() => browser.post(`${one}/test`, { asset: USDC, amount: "10000" })));
  assert.deepEqual(offers.map(({ status }) => status).sort(), [201, 409, 409]);
  const { state, test: payment } = offers.find(({ status }) => status === 201)!.json;
  assert.equal(state, "waiting");
  assert.equal(payment.checkoutUrl, `https://pay.shop.example/pay/i/${payment.intent}`);
  const intent = await staff.database.row<Record<string, unknown>>(sql`
    select recipient, amount::text, protection_period, expires_at - created_at < interval '16 minutes' as is_short, merchant_reference like 'test-payment-%' as is_named
    from intents where business_id = ${business}`);
  assert.deepEqual(intent, {
    recipient: address,
    amount: "10000",
    protection_period: "oneHour",
    is_short: true,
    is_named: true,
  });
  const events = await staff.database.rows<{ type: string }>(
    sql`select type from events where business_id = ${business}`,
  );
  assert.deepEqual(events, [{ type: "payment_intent.created" }]);
  assert.deepEqual(reasonOf(await browser.post(`${one}/confirm`)), [409, "test_not_arrived"]);

  await staff.database.rows(
    sql`update intents set status = 'canceled', canceled_at = now(), holds_reference = false where business_id = ${business}`,
  );
  assert.equal((await browser.get(path)).json.data[0].state, "failed");
  assert.equal(
    (await browser.post(`${one}/test`, { asset: USDC, amount: "10000" })).status,
    201,
    "a failed one is replaced",
  );

  await staff.database.rows(sql`
    update saved_recipients set confirmed_at = now(), confirmed_by = 'somebody' where business_id = ${business}`);
  assert.equal((await browser.get(path)).json.data[0].state, "tried");
  const further = await browser.post(`${one}/test`, { asset: USDC, amount: "10000" });
  assert.deepEqual(reasonOf(further), [409, "test_under_way"], "a tried recipient has one at a time, too");
});

test("§13.13.4 an address is looked up on chain thirty times a minute for a user, by whatever operation", async () => {
  const { user, browser, path } = await open("looks");
  const address = newWalletAddress();
  for (let looks = 1; looks <= 27; looks++) staff.ctx.countLook(user);
  assert.equal((await browser.post(`${path}/check`, { address })).status, 200);
  assert.equal((await browser.post(path, { address, label: "Treasury", accepted: ["unread"] })).status, 201);
  assert.equal((await browser.post(`${path}/${address}/test`, { asset: USDC, amount: "1" })).status, 201);
  for (const [url, body] of [
    [`${path}/check`, { address }],
    [path, { address: newWalletAddress(), label: "Other", accepted: ["unread"] }],
    [`${path}/${address}/test`, { asset: USDC, amount: "1" }],
  ] as const)
    assert.equal((await browser.post(url, body)).json.error.code, "rate_limited", url);
  assert.equal((await browser.get(path)).json.data.length, 1, "what needs no look goes on");
});

test("§13.11.1 developers and readers see recipients and change none; a change needs a recent proof", async () => {
  const { browser, business, path } = await open("roles");
  const address = newWalletAddress();
  await browser.post(path, { address, label: "Treasury", accepted: ["unread"] });
  for (const role of ["developer", "read_only"] as const) {
    const user = await staff.addUser(`${role}@roles.example`);
    await staff.database.rows(
      sql`insert into members (business_id, user_id, role, created_at) values (${business}, ${user}, ${role}, now())`,
    );
    const member = await staff.signIn(`${role}@roles.example`);
    assert.equal((await member.get(path)).json.data.length, 1);
    const input = { address: newWalletAddress(), label: "Mine", accepted: ["unread"] };
    for (const [method, url, body] of [
      ["POST", path, input],
      ["POST", `${path}/check`, { address }],
      ["PATCH", `${path}/${address}`, { label: "Mine" }],
      ["DELETE", `${path}/${address}`, undefined],
      ["POST", `${path}/${address}/test`, { asset: USDC, amount: "1" }],
      ["POST", `${path}/${address}/confirm`, undefined],
    ] as const)
      assert.equal((await member.send(method, url, body)).json.error.code, "forbidden", `${role} ${method} ${url}`);
  }
  await staff.age();
  for (const [method, url, body] of [
    ["POST", path, { address: newWalletAddress(), label: "Mine" }],
    ["PATCH", `${path}/${address}`, { label: "Mine" }],
    ["DELETE", `${path}/${address}`, undefined],
    ["POST", `${path}/${address}/confirm`, undefined],
  ] as const)
    assert.equal((await browser.send(method, url, body)).json.error.code, "proof_required", `${method} ${url}`);
});
