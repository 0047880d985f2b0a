import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ChainPayment } from "../../chain/port.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { recordPayment } from "../overview/testing.ts";
import { insertIntent } from "../staff/testing/objects.ts";
import { testContext } from "../testing.ts";
import { solRateIn } from "./fragments.ts";
import { createRatesStep } from "./load.ts";
import { insertRates, saveTokenRates } from "./queries.ts";
import { type Pars, parseRates } from "./rate.ts";
import { valueEntries } from "./value.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const PARS: Pars = new Map([[USDC, { currency: "USD", promise: null }]]);
const EMAIL = "reader@rates.example";
let staff: StaffServer;
let user: string;

before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser(EMAIL);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now()), ('test', ${SOL}, true, 9, 'any', '{}', now())`);
  const rates = [
    ["2026-11-19", "1.25"],
    ["2026-11-20", "1.16"],
    // After a weekend.
    ["2026-11-23", "1.20"],
  ].map(([day, rate]) => ({ day: day!, currency: "USD", rate: rate! }));
  await insertRates(staff.database, "ecb", rates);
});
after(() => staff?.[Symbol.asyncDispose]());

let names = 0;
async function newShop(currency: string | null) {
  const businessId = await staff.addBusiness(`rates ${++names}`, { [user]: "admin" });
  const choose = (code: string | null) =>
    staff.database.rows(sql`update businesses set reporting_currency = ${code}::text where id = ${businessId}`);
  await choose(currency);
  const tenant = { businessId, environment: "test" } as const;
  const pay = async (createdAt: string, changes: Partial<ChainPayment> = {}, asset = USDC) => {
    const { intent } = await insertIntent(staff.database, tenant, { asset, amount: "48500000" });
    return recordPayment(staff.database, intent, { createdAt: new Date(createdAt), ...changes });
  };
  const browser = await staff.signIn(EMAIL);
  const get = (path: string) => browser.get(`/businesses/${businessId}/test/${path}`);
  const valuesOf = async (payment: string) =>
    (await get(`payments/${payment}/values`)).json.data.map(
      ({ kind, value, currency: code, rate, source, rateDay }: Record<string, string | null>) =>
        [kind, value, code, rate, source, rateDay] as const,
    );
  const missingOf = async (payment: string) =>
    (await get(`payments/${payment}/values`)).json.data.map(({ missing }: Record<string, string | null>) => missing);
  return { ...tenant, pay, get, choose, valuesOf, missingOf };
}

const value = () => valueEntries(staff.database, PARS);
const released = (settledAt: string) =>
  ({
    status: "released",
    outcome: "released_by_sender",
    amountReleased: "48500000",
    settledAt: new Date(settledAt),
  }) as const;

test("§13.23.3 what is paid and released gets the value of its day, and that of a weekend the last rate before", async () => {
  const { pay, valuesOf, get } = await newShop("EUR");
  const payment = await pay("2026-11-20T10:00:00Z", released("2026-11-22T10:00:00Z"));
  await value();
  assert.deepEqual(await valuesOf(payment), [
    ["payment", "41.81", "EUR", "0.8620689655", "ecb", "2026-11-20"],
    ["release", "41.81", "EUR", "0.8620689655", "ecb", "2026-11-20"],
  ]);
  const [asset] = (await get("books?from=2026-11-20&until=2026-11-21")).json.assets;
  assert.deepEqual(asset.values, {
    ...{
      currency: "EUR",
      paid: "41.81",
      paidPayments: 1,
      released: "0",
      releasedPayments: 0,
      refunded: "0",
      refundedParts: 0,
      refundedPayments: 0,
    },
  });
  const row = (await get("payments/export?format=jsonl")).text.split("\n")[0]!;
  assert.equal(JSON.parse(row).values[1].value, "41.81");
});

test("§13.23.3 a day whose rate may still come waits for it, and a value never changes after", async () => {
  const { pay, valuesOf, missingOf, choose } = await newShop("GBP");
  const payment = await pay("2026-11-20T10:00:00Z");
  assert.deepEqual(await missingOf(payment), ["waits"], "nobody has looked at it yet");
  await value();
  assert.deepEqual(await valuesOf(payment), [["payment", null, "GBP", null, null, null]]);
  assert.deepEqual(await missingOf(payment), ["no_rates"]);
  await insertRates(staff.database, "file", [{ day: "2026-11-20", currency: "GBP", rate: "0.87" }]);
  assert.equal(await value(), false, "it is looked at again after an hour");
  assert.deepEqual(await missingOf(payment), ["waits"]);
  const makeDue = () => staff.database.rows(sql`update fiat_entries set due_at = now() where due_at is not null`);
  await makeDue();
  await value();
  const first = [["payment", "36.38", "GBP", "0.75", "file", "2026-11-20"]];
  assert.deepEqual(await valuesOf(payment), first);
  await insertRates(staff.database, "ecb", [{ day: "2026-11-20", currency: "GBP", rate: "0.99" }]);
  await choose("USD");
  await makeDue();
  await value();
  assert.deepEqual(await valuesOf(payment), first);
  assert.deepEqual(await valuesOf(await pay("2026-11-20T11:00:00Z")), [["payment", null, "USD", null, null, null]]);
});

test("§13.23.1 nothing is kept without a reporting currency, and a token without a par has no value", async () => {
  const { pay, valuesOf, missingOf, choose } = await newShop(null);
  const before = await pay("2026-11-20T10:00:00Z");
  await choose("USD");
  const sol = await pay("2026-11-20T10:00:00Z", {}, SOL);
  const usdc = await pay("2026-11-20T10:00:00Z");
  await value();
  assert.deepEqual(await valuesOf(before), []);
  assert.deepEqual(await valuesOf(sol), [["payment", null, "USD", null, null, null]]);
  assert.deepEqual([await missingOf(sol), await missingOf(usdc)], [["no_rates"], [null]]);
  assert.deepEqual(await valuesOf(usdc), [["payment", "48.50", "USD", "1", "par", "2026-11-20"]]);
  const waiting = await staff.database.rows(sql`
    select payment from fiat_entries where payment = any(${[sol, usdc]}::text[]) and due_at is not null`);
  assert.deepEqual(waiting, []);
});

test("§13.23.4 parts that go back have a value each; what a fork takes back leaves the sums, and its entries stay", async () => {
  const { businessId, pay, valuesOf, get } = await newShop("USD");
  const payment = await pay("2026-11-20T10:00:00Z");
  const other = await pay("2026-11-20T10:00:00Z");
  await staff.database.rows(sql`
    update payments set amount_refunded = 8500000, refund_total = 8500000, refunded_at = '2026-11-21T00:00:00Z' where address = ${payment}`);
  await staff.database.rows(sql`
    update payments set amount_refunded = 48500000, refund_total = 48500000, refunded_at = '2026-11-23T00:00:00Z',
      status = 'refunded', outcome = 'refunded_by_recipient' where address = ${payment}`);
  await value();
  const back = [
    ["payment", "48.50", "USD", "1", "par", "2026-11-20"],
    ["refund", "8.50", "USD", "1", "par", "2026-11-21"],
    ["refund", "40.00", "USD", "1", "par", "2026-11-23"],
  ];
  assert.deepEqual(await valuesOf(payment), back);
  const sumsOf = async () => (await get("books")).json.assets[0].values;
  assert.deepEqual(await sumsOf(), {
    ...{
      currency: "USD",
      paid: "97.00",
      paidPayments: 2,
      released: "0",
      releasedPayments: 0,
      refunded: "48.50",
      refundedParts: 2,
      refundedPayments: 1,
    },
  });
  await staff.database.rows(sql`
    update payments set amount_refunded = 8500000, refund_total = 8500000, refunded_at = '2026-11-21T00:00:00Z',
      status = 'protected', outcome = null where address = ${payment}`);
  await staff.database.rows(sql`delete from payments where business_id = ${businessId} and address = ${other}`);
  await value();
  assert.deepEqual(await valuesOf(payment), [back[0], back[1]]);
  assert.equal((await get(`payments/${other}/values`)).status, 404);
  assert.deepEqual(await sumsOf(), {
    ...{
      currency: "USD",
      paid: "48.50",
      paidPayments: 1,
      released: "0",
      releasedPayments: 0,
      refunded: "8.50",
      refundedParts: 1,
      refundedPayments: 1,
    },
  });
  const kept = await staff.database.rows(sql`
    select value from fiat_entries where business_id = ${businessId} and reversed_at is not null`);
  assert.equal(kept.length, 3);
});

test("§13.23.4 a sum says how many of its payments have no value, those that went back too", async () => {
  const { pay, get, choose } = await newShop(null);
  const back = {
    status: "refunded",
    outcome: "refunded_by_recipient",
    refundTotal: "48500000",
    amountRefunded: "48500000",
    refundedAt: new Date("2026-11-20T12:00:00Z"),
  } as const;
  await pay("2026-11-20T10:00:00Z", back);
  await choose("USD");
  await pay("2026-11-20T10:00:00Z", back);
  await value();
  const [{ refundedPayments, values }] = (await get("books")).json.assets;
  assert.deepEqual([refundedPayments, values.refunded, values.refundedPayments], [2, "48.50", 1]);
});

test("§13.23.5 two workers value each entry once", async () => {
  const { pay, get } = await newShop("USD");
  for (let count = 0; count < 20; count++) await pay("2026-11-20T10:00:00Z");
  await Promise.all([value(), value(), value()]);
  await value();
  const { paid, paidPayments } = (await get("books")).json.assets[0].values;
  assert.deepEqual([paid, paidPayments], ["970.00", 20]);
});

test("§13.23.6 exports have the values: a column each, a line each, and amounts of files for programs", async () => {
  const { pay, get, choose } = await newShop("EUR");
  const payment = await pay("2026-11-20T10:00:00Z", released("2026-11-21T10:00:00Z"));
  await value();
  const rows = (await get("payments/export")).text.split("\r\n");
  assert.match(rows[0]!, /"fiat_value","fiat_currency","fiat_rate","fiat_source","fiat_date"$/);
  assert.match(rows[1]!, /,41\.81,"EUR",0\.8620689655,"ecb","2026-11-20"$/);
  const lines = (await get("payments/export?layout=values")).text.split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(
    lines[2]!,
    new RegExp(`^"${payment}","[^"]+","release","2026-11-21 10:00:00",.*,48\\.5,48500000,41\\.81,`),
  );
  const xero = `payments/export?asset=${USDC}&layout=xero`;
  assert.match((await get(`${xero}&amounts=fiat`)).text, /\r\n2026-11-21,41\.81,/);
  assert.match((await get(xero)).text, /\r\n2026-11-21,48\.5,/);
  await choose("CHF");
  assert.match(
    (await get(`${xero}&amounts=fiat`)).text,
    /\r\n2026-11-21,,/,
    "values of another currency are not mixed in",
  );
  await choose(null);
  assert.equal((await get(`${xero}&amounts=fiat`)).json.error.param, "amounts");
});

test("§13.23.2 rates come from a file that changes and from an address; a wrong one is logged, and known rates stay", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rates-"));
  const file = join(folder, "rates.csv");
  const lines: string[] = [];
  const asked: string[] = [];
  let text: string | null = "2026-11-20,DKK,7.46";
  const fetchFile = async (name: string, path: string) => {
    asked.push(`${name}${path}`);
    return { text, reason: text === null ? "no answer within 10 s" : null };
  };
  const ctx = testContext({ database: staff.database, log: (line) => void lines.push(line) });
  const step = createRatesStep(ctx, fetchFile, { url: "https://rates.example/eurofxref-hist-90d.xml?x=1", file });
  const rateOf = async (currency: string, day = "2026-11-20") =>
    (
      await staff.database.row<{ rate: string; source: string }>(
        sql`select rate::text, source from fiat_rates where currency = ${currency} and day = ${day}::date`,
      )
    )?.rate;
  try {
    text = null;
    await step();
    assert.equal(lines.length, 2, "there is no file yet, and no answer");
    text = "2026-11-20,DKK,7.46\n";
    await writeFile(file, "2026-11-20,SEK,11.1\n2199-01-01,SEK,1\n");
    await step();
    assert.deepEqual(
      [await rateOf("DKK"), await rateOf("SEK"), await rateOf("SEK", "2199-01-01")],
      ["7.46", "11.1", undefined],
    );
    await writeFile(file, "2026-11-20,SEK,99\n2026-11-20,PLN,4.2\n");
    await utimes(file, 1, 1);
    await step();
    assert.deepEqual([await rateOf("SEK"), await rateOf("PLN")], ["11.1", "4.2"]);
    await writeFile(file, "2026-11-20,NOK,no\n");
    await utimes(file, 2, 2);
    await step();
    assert.match(lines.at(-1)!, /RATES_FILE could not be read: Line 1 is not/);
    // A token's rates, with its currency: a shifted column, and then the same with the days by which it is compared.
    const minuteAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const tokenLines = [`${minuteAgo(3)},${SOL},USD,136.52`, `${minuteAgo(2)},${SOL},ISK,136.52`];
    const days = ["USD,1.16", "ISK,147.2"].map((rate) => `${minuteAgo(0).slice(0, 10)},${rate}`);
    const write = async (rates: readonly string[], mtime: number) => {
      await writeFile(file, `${rates.join("\n")}\n`);
      await utimes(file, mtime, mtime);
      await step();
      const [row] = await staff.database.rows<{ worth: string }>(
        sql`select currency || ' ' || rate as worth from token_rates where asset = ${SOL}`,
      );
      return row?.worth;
    };
    assert.equal(await write([tokenLines[0]!], 3), "USD 136.52");
    assert.equal(await write([tokenLines[1]!], 4), "USD 136.52");
    assert.match(lines.at(-1)!, /was in USD and is in ISK, which nothing compares/);
    assert.equal(await write([tokenLines[1]!, ...days], 5), "USD 136.52");
    assert.match(lines.at(-1)!, /from 136\.52 USD to 136\.52 ISK/);
    assert.equal(await write([`${minuteAgo(1)},${SOL},ISK,17320`, ...days], 6), "ISK 17320");
    await staff.database.rows(sql`delete from token_rates`);
    await staff.database.rows(sql`delete from fiat_rates where day > '2026-11-23'`);
    const address = "rates.example/eurofxref-hist-90d.xml?x=1";
    assert.deepEqual(asked, [address, address], "once an hour, and again soon after a failure");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("§13.23.2 a rate of wrapped SOL says what one is worth in a currency, for a week", async () => {
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const worthIn = async (currency: string) => {
    const rate = solRateIn(sql`${currency}::text`);
    return Number((await staff.database.row<{ rate: string | null }>(sql`select ${rate} as rate`))!.rate);
  };
  const save = (at: Date) => saveTokenRates(staff.database, [{ asset: SOL, currency: "USD", rate: "200", at }]);
  const day = dayAgo(0).toISOString().slice(0, 10);
  await insertRates(staff.database, "file", parseRates(`${day},USD,1.25\n${day},GBP,0.75\n`).days);
  await save(dayAgo(8));
  assert.equal(await worthIn("USD"), 0);
  await save(dayAgo(6));
  assert.deepEqual(
    [await worthIn("USD"), await worthIn("EUR"), await worthIn("GBP"), await worthIn("CHF")],
    [200, 160, 120, 0],
  );
});
