import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { fingerprintOf, Idempotency } from "../../edge/http/idempotency.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { SessionLocks } from "../../store/locks.ts";
import { sql } from "../../store/sql.ts";
import { recordPayments } from "../overview/testing.ts";
import { quoteFinder } from "../rates/priceQuotes.ts";
import { newWalletAddress } from "../staff/testing/walletAddress.ts";
import { createIntentOperation } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { readQuote } from "./intent.ts";
import { findIntents } from "./queries.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const MINUTES_15 = 900_000;

let staff: StaffServer;
let user: string;
let browser: Browser;
before(async () => {
  staff = await startStaffServer({ countLook: () => undefined });
  user = await staff.addUser("kim@prices.example");
  browser = await staff.signIn("kim@prices.example");
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now()), ('test', ${SOL}, true, 9, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

/** The rates of this moment: what one euro is worth by day, and one SOL now. */
const setRates = async (dollar: string | null, sol: string | null) => {
  await staff.database.rows(sql`delete from fiat_rates`);
  await staff.database.rows(sql`delete from token_rates`);
  if (dollar !== null)
    await staff.database.rows(sql`
      insert into fiat_rates (currency, day, rate, source)
      values ('USD', (now() at time zone 'UTC')::date, ${dollar}::numeric, 'ecb'), ('EUR', (now() at time zone 'UTC')::date, 1, 'ecb')`);
  if (sol !== null)
    await staff.database.rows(sql`insert into token_rates values (${SOL}, 'USD', ${sol}::numeric, now())`);
};

let orders = 0;
async function newShop(name: string) {
  const businessId = await staff.addBusiness(name, { [user]: "admin" });
  const path = `/businesses/${businessId}/test`;
  const terms = { asset: USDC, protectionPeriod: "sevenDays", recipient: newWalletAddress() } as const;
  const ask = (given: object) =>
    browser.post(`${path}/payment-intents`, { ...terms, merchantReference: `Order ${++orders}`, ...given });
  const create = async (given: object) => {
    const answer = await ask(given);
    assert.equal(answer.status, 201, answer.text);
    return answer.json.intent;
  };
  return { businessId, path, terms, ask, create, get: (rest: string) => browser.get(`${path}/${rest}`) };
}

test("§4.21.1 a price is made an amount: at par, by a rate, and with its end", async () => {
  await setRates("1.16", "136.5");
  const { create, get } = await newShop("made");
  const par = await create({ price: { currency: "USD", amount: "48.5" } });
  assert.deepEqual([par.amount, par.price], ["48500000", { currency: "USD", amount: "48.50" }]);
  assert.deepEqual([par.quote.rate, par.quote.source, par.quote.spread], ["1", "par", "0"]);
  assert.ok(Date.parse(par.expiresAt) - Date.parse(par.createdAt) > 6 * 86_400_000);

  const euro = await create({ price: { currency: "EUR", amount: "48.50" } });
  assert.deepEqual([euro.amount, euro.quote.rate, euro.quote.source], ["56822600", "1.1716", "ecb"]);
  const lives = Date.parse(euro.expiresAt) - Date.parse(euro.createdAt);
  assert.ok(lives >= MINUTES_15 && lives < MINUTES_15 + 1_000, String(lives));
  assert.equal(euro.expiresAt, euro.quote.until);

  const sol = await create({ asset: SOL, price: { currency: "USD", amount: "0.01" } });
  assert.deepEqual([sol.amount, sol.quote.source], ["73993", "file"]);
  const plain = await create({ amount: "1" });
  assert.deepEqual([plain.price, plain.quote], [null, null]);

  await setRates("1.30", "100");
  const [, , again] = (await get("payment-intents")).json.data;
  assert.deepEqual([again.id, again.amount, again.price, again.quote], [euro.id, euro.amount, euro.price, euro.quote]);
});

test("§13.4.6 a form that was refused for want of a rate can be sent again", async () => {
  await setRates(null, null);
  const { path, terms } = await newShop("Waiting");
  const body = { ...terms, asset: SOL, price: { currency: "USD", amount: "1" }, merchantReference: "Order waits" };
  const send = () =>
    browser.send("POST", `${path}/payment-intents`, body, [
      ["Origin", browser.origin],
      ["Idempotency-Key", "form-of-a-price"],
    ]);
  assert.equal((await send()).status, 503);
  await setRates("1.1600", "145.21");
  assert.equal((await send()).status, 201);
});

test("§4.21.1 400: both, neither, a wrong price; 503: no fresh rate, and nothing is made", async () => {
  await setRates(null, null);
  const { businessId, ask } = await newShop("refused");
  const price = { currency: "USD", amount: "1.00" };
  const wrong: readonly (readonly [param: string, given: object])[] = [
    ["price", { amount: "1", price }],
    ["amount", {}],
    ["amount", { price: null }],
    ["amount", { amount: null }],
    ...[
      { currency: "XTS", amount: "1" },
      { currency: "JPY", amount: "1.0" },
      { currency: "USD", amount: "0.00" },
      { currency: "USD", amount: "99999999999999" },
      { currency: "USD", amount: 1 },
      { currency: "USD" },
      { ...price, rate: "1" },
      "1 USD",
      [],
    ].map((one) => ["price", { price: one }] as const),
  ];
  for (const [param, given] of wrong) {
    const { status, json } = await ask(given);
    assert.deepEqual(
      [status, json.error?.code, json.error?.param],
      [400, "invalid_request", param],
      JSON.stringify(given),
    );
  }
  for (const given of [
    { price: { currency: "EUR", amount: "1" } },
    { asset: SOL, price },
    { price: { currency: "KWD", amount: "0.001" } },
  ]) {
    const { status, json } = await ask(given);
    assert.deepEqual([status, json.error.code], [503, "unavailable"], JSON.stringify(given));
  }
  // USDC at 0.93: its par has stopped.
  await staff.database.rows(sql`insert into token_rates values (${USDC}, 'USD', 0.93, now())`);
  assert.equal((await ask({ price })).status, 503);
  const made = await staff.database.row<{ n: string }>(
    sql`select count(*) n from intents where business_id = ${businessId}`,
  );
  assert.equal(made!.n, "0");
  await assert.rejects(
    staff.database.rows(sql`
      update intents set price = '{"currency":"USD","amount":"1.00"}' where price is null`),
    /intents_quote/,
  );
});

test("§4.8.1 a repeat gets its first answer once the rates are stale, and another request under its key 409", async () => {
  await setRates("1.16", "136.5");
  const { businessId, terms } = await newShop("keyed");
  const { database } = staff;
  const ctx = testContext({
    database,
    checkTerms: async () => undefined,
    findAsset: async () => ({ tokenProgram: "any", decimals: 9, refusal: null }),
    findQuote: quoteFinder({ database, pars: new Map(), spread: "0.01" }),
  });
  const create = createIntentOperation(ctx, { itemsMax: 1, batchesMax: 1, waitingMax: 10, waitMsMax: 10_000 });
  const locks = new SessionLocks(database);
  const idempotency = new Idempotency(database, locks);
  const send = (key: string, amount: string) => {
    const caller = { businessId, environment: "test", intentLifetimeMinutes: null } as const;
    const price = { currency: "EUR", amount };
    const input = {
      ...aNewIntent({ ...terms, asset: SOL, merchantReference: key }),
      amount: null,
      price,
      buyerEmail: null,
    };
    const request = { tenant: caller, key, fingerprint: fingerprintOf("POST", "/payment-intents", "", amount) };
    return idempotency.run(request, (write) =>
      create({
        caller,
        input,
        now: new Date(),
        params: {},
        write,
        once: () => assert.fail(),
      }),
    );
  };
  try {
    const made = await send("a", "48.50");
    assert.deepEqual([made.status, made.replayed], [201, false]);
    await setRates(null, null);
    assert.deepEqual(await send("a", "48.50"), { status: 201, body: made.body, replayed: true });
    await assert.rejects(send("a", "48.51"), { code: "idempotency_conflict" });
    await assert.rejects(send("b", "48.50"), { code: "unavailable" });
    await setRates("1.16", "136.5");
    assert.equal((await send("b", "48.50")).status, 201, "a 503 is not stored");
  } finally {
    await locks.close();
  }
});

test("§4.21.4 who pays a second before the quote ends is in time, and a second after it is late", async () => {
  await setRates("1.16", null);
  const { businessId, create } = await newShop("ends");
  const tenant = { businessId, environment: "test" } as const;
  const price = { currency: "EUR", amount: "48.50" };
  const ids = [(await create({ price })).id, (await create({ price })).id];
  const found = await findIntents(
    staff.database,
    ids.map((id) => ({ tenant, id })),
  );
  const lateness: (string | null)[] = [];
  for (const [index, seconds] of [-1, 1].entries()) {
    const { intent } = found[index]!;
    const createdAt = new Date(Date.parse(readQuote(intent.quote)!.until) + seconds * 1_000);
    const setAhead = (ahead: string) =>
      staff.database.rows(sql`update clocks set ahead = ${ahead}::interval where environment = 'test'`);
    // The first is in the books before the end then, however long that takes.
    await setAhead(`${createdAt.getTime() - Date.now() - 60_000} milliseconds`);
    try {
      const [address] = await recordPayments(staff.database, [intent], { createdAt });
      const row = await staff.database.row<{ reason: string | null }>(
        sql`select late_reason as reason from payments where address = ${address!}`,
      );
      lateness.push(row!.reason);
    } finally {
      await setAhead("0");
    }
  }
  assert.deepEqual(lateness, [null, "paid_after_expiry"]);
});

/** A second program: it reads the export, makes each amount anew, and adds up the prices by currency. */
const SECOND = `
import csv, io, json, math, sys
from fractions import Fraction
from decimal import Decimal
sums, wrong = {}, []
for row in csv.DictReader(io.StringIO(sys.stdin.read(), newline='')):
    price = row['price.amount']
    if price == '':
        continue
    units = math.ceil(Fraction(price) * Fraction(row['quote.rate']) * 10 ** 6)
    if str(units) != row['amountUnits']:
        wrong.append([row['id'], units, row['amountUnits']])
    total, count = sums.get(row['price.currency'], (Decimal(0), 0))
    sums[row['price.currency']] = (total + Decimal(price), count + 1)
print(json.dumps({'wrong': wrong, 'sums': [{'currency': c, 'paid': str(sums[c][0]), 'payments': sums[c][1]} for c in sorted(sums)]}))
`;

import { testContext } from "../testing.ts";

const readAgain = (csv: string) =>
  JSON.parse(execFileSync("python3", ["-c", SECOND], { input: csv, encoding: "utf8" })) as Record<string, unknown>;

test("§4.21.1 books and exports agree with a second program to the last digit, and a fork takes a price out again", async () => {
  await setRates("1.1637", null);
  await staff.database.rows(sql`
    insert into fiat_rates (currency, day, rate, source)
    values ('JPY', (now() at time zone 'UTC')::date, 171.25, 'file'), ('KWD', (now() at time zone 'UTC')::date, 0.3571, 'file')`);
  const { businessId, create, get } = await newShop("books");
  const tenant = { businessId, environment: "test" } as const;
  const ids: string[] = [];
  for (let index = 1; index <= 24; index++) {
    const [currency, places] = (
      [
        ["EUR", 2],
        ["JPY", 0],
        ["KWD", 3],
        ["USD", 2],
      ] as const
    )[index % 4]!;
    const amount = `${index * 37}${
      places === 0
        ? ""
        : `.${String(index * 7)
            .padStart(places, "0")
            .slice(0, places)}`
    }`;
    ids.push((await create({ price: { currency, amount } })).id);
  }
  ids.push((await create({ amount: "5" })).id);
  const found = await findIntents(
    staff.database,
    ids.map((id) => ({ tenant, id })),
  );
  const paid = await recordPayments(
    staff.database,
    found.map((one) => one!.intent),
    { createdAt: new Date() },
  );
  const check = async (count: number) => {
    const { wrong, sums } = readAgain((await get("payments/export")).text);
    const [asset] = (await get("books")).json.assets;
    assert.deepEqual([wrong, sums], [[], asset.prices]);
    assert.equal(
      asset.prices.reduce((all: number, { payments }: { payments: number }) => all + payments, 0),
      count,
    );
  };
  await check(24);
  const intents = readAgain((await get("payment-intents/export")).text);
  assert.deepEqual(intents.wrong, []);
  const lines = (await get("payments/export?format=jsonl")).text.split("\n");
  const priced = lines.map((line) => (line === "" ? null : JSON.parse(line))).filter((row) => row?.price !== undefined);
  const sources = new Set(priced.map(({ quote }: { quote: { source: string } }) => quote.source));
  assert.deepEqual([priced.length, [...sources].sort()], [24, ["ecb", "file", "par"]]);
  await staff.database.rows(sql`delete from payments where address = ${paid[0]!}`);
  await check(23);
});

test("§13.18.5 rows of a file may have prices at par, and only those; the same rows are the same whatever the rate", async () => {
  await setRates("1.16", null);
  const { path, terms } = await newShop("file");
  const send = async (csv: string, isTry = false) =>
    (await browser.post(`${path}/payment-batches`, { ...terms, csv, try: isTry })).json;
  const csv = "price,currency,reference,amount\n48.50,usd,a,\n,,b,1.5\n0.01,USD,c,";
  const made = await send(csv);
  assert.deepEqual(made.errors, []);
  assert.deepEqual(
    made.payments.map(({ amount, price }: Record<string, unknown>) => [amount, price]),
    [
      ["48500000", { currency: "USD", amount: "48.50" }],
      ["1500000", null],
      ["10000", { currency: "USD", amount: "0.01" }],
    ],
  );
  assert.equal((await send(csv)).repeated, true);
  const { errors } = await send("price,currency,reference\n1,USD,d\n1,EUR,e\n1.234,USD,f\n1,,g", true);
  assert.deepEqual(
    errors.map(({ line }: { line: number }) => line),
    [4, 5],
  );
  const [other] = (await send("price,currency,reference\n1,USD,d\n1,EUR,e", true)).errors;
  assert.match(other.message, /not at par with EUR/);
});
