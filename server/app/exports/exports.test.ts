import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import type { NewIntent } from "../../features/intents/intent.ts";
import { recordPayments } from "../../features/overview/testing.ts";
import { insertOrders } from "../../features/staff/testing/objects.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { spreadsheetForm, styleDay, textCell, zoneClock } from "./cells.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const EURC = "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr";
const EMAIL = "reader@exports.example";
let staff: StaffServer;
let user: string;
before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser(EMAIL);
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    select 'test', a, true, 6, 'any', '{}', now() from unnest(array[${USDC}, ${EURC}]) a`);
});
after(() => staff?.[Symbol.asyncDispose]());

let names = 0;
async function newShop() {
  const businessId = await staff.addBusiness(`exports ${++names}`, { [user]: "admin" });
  const tenant = { businessId, environment: "test" } as const;
  const pay = async (terms: Partial<NewIntent> = {}, changes = {}, count = 1) => {
    const orders = Array.from({ length: count }, () => ({ asset: USDC, amount: "5000000", ...terms }));
    const inserted = await insertOrders(staff.database, tenant, orders);
    const [address] = await recordPayments(
      staff.database,
      inserted.map(({ intent }) => intent),
      changes,
    );
    return address!;
  };
  const browser = await staff.signIn(EMAIL);
  const get = (path: string) => browser.get(`/businesses/${businessId}/${path}`);
  return { ...tenant, pay, get, browser };
}

/** The rows of a file by Python's csv, an implementation of its own. */
function readByPython(text: string): Record<string, string>[] {
  const program =
    "import csv, json, sys, io; print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode(), newline='')))))";
  return JSON.parse(execFileSync("python3", ["-c", program], { input: text, encoding: "utf8" }));
}

test("§13.19.6 payments are exported by the list's filters, with exact amounts, metadata and times of the zone, and the audit log says so", async () => {
  const { pay, get } = await newShop();
  const createdAt = new Date("2026-11-20T23:30:00Z");
  const metadata = JSON.stringify({ customer: 'Zoë, "the" buyer', note: "line\nbreak" });
  const id = await pay(
    { amount: "18446744073709551615", merchantReference: "2026-11-20T08:30:00.000Z", metadata },
    { createdAt },
  );
  await pay({ amount: "1", asset: EURC, merchantReference: "order-2" }, { createdAt });
  await pay({ amount: "3000001" }, {}, 100);
  const answer = await get(
    "test/payments/export?time_zone=Europe/Berlin&metadata=customer&metadata=note&metadata=constructor",
  );
  assert.deepEqual([answer.status, answer.headers["content-type"]], [200, "text/csv; charset=utf-8"]);
  assert.equal(answer.headers["content-disposition"], 'attachment; filename="payments-Europe-Berlin.csv"');
  const rows = readByPython(answer.text);
  assert.equal(rows.length, 102);
  const first = rows.find((row) => row.id === id)!;
  assert.deepEqual(
    [
      first.merchantReference,
      first["metadata.constructor"],
      first.amount,
      first.amountUnits,
      first.symbol,
      first.createdAt,
      first["metadata.customer"],
      first["metadata.note"],
    ],
    [
      "2026-11-20T08:30:00.000Z",
      "",
      "18446744073709.551615",
      "18446744073709551615",
      "USDC",
      "2026-11-21 00:30:00",
      'Zoë, "the" buyer',
      "line\nbreak",
    ],
  );
  const unitsOf = (row: Record<string, string>) => BigInt(row.amountUnits!);
  const sum = rows.map(unitsOf).reduce((all, one) => all + one, 0n);
  assert.equal(sum, 18446744073709551615n + 1n + 100n * 3000001n);
  const euros = readByPython((await get(`test/payments/export?asset=${EURC}`)).text);
  assert.deepEqual(
    euros.map(({ merchantReference, amount }) => [merchantReference, amount]),
    [["order-2", "0.000001"]],
  );
  const { data } = (await get("audit?action=list.exported")).json;
  assert.deepEqual(
    data.map(({ details }: { details: object }) => details),
    [
      { list: "Payments", format: "csv", filters: `asset=${EURC}` },
      { list: "Payments", format: "csv", filters: "" },
    ],
  );
});

test("§13.19.6 JSON Lines have the objects of the list, exact, and end with their number", async () => {
  const { pay, get } = await newShop();
  const id = await pay({ metadata: '{"customer":"7","number":12345678901234567890}' });
  const { text, ...answer } = await get("test/payments/export?format=jsonl");
  assert.equal(answer.headers["content-type"], "application/x-ndjson; charset=utf-8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const listed = (await get("test/payments")).json.data;
  assert.deepEqual(lines, [
    { ...listed[0], decimals: 6, metadata: { customer: "7", number: Number("12345678901234567890") } },
    { object: "export_end", rows: 1 },
  ]);
  assert.equal(lines[0].id, id);
  assert.match(text, /"number":12345678901234567890\}/);
  const csv = (await get("test/payments/export?metadata=number")).text;
  assert.match(csv, /,12345678901234567890\r\n$/);
  const intents = (await get("test/payment-intents/export?format=jsonl&status=paid")).text.trimEnd().split("\n");
  assert.equal(JSON.parse(intents[0]!).metadata.customer, "7");
});

test("§13.19.6 every list of a business has an export, and a list without rows has its header alone", async () => {
  const { get } = await newShop();
  const lists = ["test/payments", "test/payment-intents", "test/events", "test/requests", "audit"];
  for (const list of lists) {
    const { status, text } = await get(`${list}/export`);
    assert.equal(status, 200, list);
    assert.match(text, /^"id",/, list);
  }
  const lines = (await get("audit/export?format=jsonl")).text.trimEnd().split("\n");
  assert.equal(JSON.parse(lines.at(-1)!).rows, lines.length - 1);
});

test("§13.19.6 formulas are inert in every cell of text", async () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1"])
    assert.equal(textCell(text), `"'${text}"`, JSON.stringify(text));
  // A spreadsheet that separates cells by semicolons or tabs ends the cell there, also between quotes.
  for (const [text, cell] of [
    ["\t=1", "'\t'=1"],
    ["\r=1", "'\r'=1"],
    ["a;=1", "a;'=1"],
    ['a; ;"=1', 'a; ;""\'=1'],
    ["a\n\n@b\t-c", "a\n\n'@b\t'-c"],
  ])
    assert.equal(textCell(text!), `"${cell}"`, JSON.stringify(text));
  assert.equal(spreadsheetForm("comma").text("A longer text than that,=cmd"), `"A longer text than that,'=cmd"`);
  for (const text of ["order-1", "1=1", "", "a\tb", "a =1", "a;b=1", "a,-1"]) assert.equal(textCell(text), `"${text}"`);
  assert.equal(textCell('a"b'), '"a""b"');
  // A long run of blanks is read once: for each of them, it would take hours.
  textCell("\n".repeat(2_000_000));
  const { pay, get } = await newShop();
  const formula = '=HYPERLINK("https://evil.example","x")';
  await pay({ merchantReference: formula, metadata: JSON.stringify({ "=key": formula }) });
  const [row] = readByPython((await get(`test/payments/export?metadata=${encodeURIComponent("=key")}`)).text);
  assert.deepEqual([row!.merchantReference, row!["metadata.=key"]], [`'${formula}`, `'${formula}`]);
});

test("§13.19.6 a file for spreadsheets has their mark, the separators of a country, and keeps text as text", async () => {
  const { pay, get } = await newShop();
  const reference = { merchantReference: "00123", metadata: '{"customer":"Zoë; Co","code":"1E5","name":"MAR-5"}' };
  await pay({ amount: "5250000", ...reference });
  const path = "test/payments/export?format=spreadsheet&metadata=customer&metadata=code&metadata=name";
  const lineOf = async (query: string) => {
    const { text, headers } = await get(`${path}${query}`);
    assert.equal(headers["content-disposition"], 'attachment; filename="payments.csv"');
    assert.ok(text.startsWith('\ufeff"id"'));
    return text.split("\r\n")[1]!;
  };
  const comma = await lineOf("&decimal=comma");
  assert.match(comma, /;"\t00123";/);
  assert.match(comma, /;5,25;5250000;/);
  assert.match(comma, /;"Zoë; Co";"\t1E5";"\tMAR-5"$/);
  assert.match(await lineOf(""), /,5\.25,5250000,.*,"\t00123",/);
  assert.match(
    (await get("test/payments/export?format=spreadsheet&decimal=comma&layout=days")).text,
    /;1;5,25;0;0\r\n$/,
  );
  for (const [query, param] of [
    ["decimal=comma", "decimal"],
    [`format=spreadsheet&layout=xero&asset=${USDC}`, "format"],
  ] as const)
    assert.equal((await get(`test/payments/export?${query}`)).json.error.param, param);
});

test("§13.19.6 cells for spreadsheets: exact digits, no date or number made of a text, and no formula", () => {
  const { text, number } = spreadsheetForm("comma");
  assert.deepEqual(["5", "5.25", "0.000001", "123456789012345"].map(number), [
    "5",
    "5,25",
    "0,000001",
    "123456789012345",
  ]);
  assert.equal(number("18446744073709.551615"), '"\t18446744073709,551615"');
  for (const risky of ["00123", "1-2", "3/4", "SEP 1", "TRUE", "12345678901234567890123456789", "1.5"])
    assert.equal(text(risky), `"\t${risky}"`);
  for (const plain of ["order", "Zoë", "pi_test_0123456789abcdefgh1", ""]) assert.equal(text(plain), `"${plain}"`);
  assert.equal(text("=1+1"), `"\t'=1+1"`);
  assert.equal(text('1"2'), '"\t1""2"');
});

test("§13.19.7 sums by day follow the time zone, and files for Xero and QuickBooks have what left to recipients", async () => {
  const { pay, get } = await newShop();
  const at = (text: string) => new Date(text);
  const end = (amount: string, settledAt: Date) =>
    ({ status: "released", outcome: "released_by_sender", amountReleased: amount, settledAt }) as const;
  await pay(
    { merchantReference: "one" },
    { createdAt: at("2026-11-20T22:59:59Z"), ...end("5000000", at("2026-11-20T23:00:00Z")) },
  );
  await pay({ merchantReference: "two", amount: "250000" }, { createdAt: at("2026-11-20T23:00:00Z") });
  await pay({ merchantReference: "euro", asset: EURC }, { createdAt: at("2026-11-20T23:00:00Z") });
  const days = readByPython((await get("test/payments/export?layout=days&time_zone=Europe/Berlin")).text);
  assert.deepEqual(
    days.map(({ day, symbol, payments, amount, amountReleased }) => [day, symbol, payments, amount, amountReleased]),
    [
      ["2026-11-20", "USDC", "1", "5", "5"],
      ["2026-11-21", "USDC", "1", "0.25", "0"],
      ["2026-11-21", "EURC", "1", "5", "0"],
    ],
  );
  const file = async (layout: string, more = "") =>
    (await get(`test/payments/export?asset=${USDC}&time_zone=Europe/Berlin&layout=${layout}${more}`)).text;
  const xero = await file("xero", "&dates=dmy");
  assert.match(xero, /^\*Date,\*Amount,Payee,Description,Reference\r\n21\/11\/2026,5,"\w+","one","\w+"\r\n$/);
  assert.match(await file("quickbooks", "&dates=mdy"), /^Date,Description,Amount\r\n11\/21\/2026,"one \w+",5\r\n$/);
});

test("§13.19.7 days are those of the profile's time zone, also where its clocks change, and another can be named", async () => {
  const { businessId, pay, get } = await newShop();
  await staff.database.rows(sql`update businesses set time_zone = 'Europe/Berlin' where id = ${businessId}`);
  // The day on which the clocks go forward has 23 hours, and the day on which they go back 25: first and last second of each.
  const times = [
    ["2026-03-28T22:59:59Z", "2026-03-28"],
    ["2026-03-28T23:00:00Z", "2026-03-29"],
    ["2026-03-29T21:59:59Z", "2026-03-29"],
    ["2026-03-29T22:00:00Z", "2026-03-30"],
    ["2026-10-24T21:59:59Z", "2026-10-24"],
    ["2026-10-24T22:00:00Z", "2026-10-25"],
    ["2026-10-25T22:59:59Z", "2026-10-25"],
    ["2026-10-25T23:00:00Z", "2026-10-26"],
  ] as const;
  for (const [createdAt] of times) await pay({}, { createdAt: new Date(createdAt) });
  const read = async (query: string) => readByPython((await get(`test/payments/export?${query}`)).text);
  const paymentsOf = (rows: readonly Record<string, string>[]) => rows.map(({ day, payments }) => [day, payments]);
  assert.deepEqual(paymentsOf(await read("layout=days")), [
    ["2026-03-28", "1"],
    ["2026-03-29", "2"],
    ["2026-03-30", "1"],
    ["2026-10-24", "1"],
    ["2026-10-25", "2"],
    ["2026-10-26", "1"],
  ]);
  assert.deepEqual(
    (await read("")).map(({ createdAt }) => createdAt!.slice(0, 10)).toSorted(),
    times.map(([, day]) => day),
  );
  // New York's clocks change on other days; India has none that do, and half an hour.
  assert.deepEqual(paymentsOf(await read("layout=days&time_zone=America/New_York")), [
    ["2026-03-28", "2"],
    ["2026-03-29", "2"],
    ["2026-10-24", "2"],
    ["2026-10-25", "2"],
  ]);
  assert.deepEqual(paymentsOf(await read("layout=days&time_zone=Asia/Kolkata")), [
    ["2026-03-29", "2"],
    ["2026-03-30", "2"],
    ["2026-10-25", "2"],
    ["2026-10-26", "2"],
  ]);
});

test("§13.19.6 wrong parameters are refused before anything is sent, as are pages of an export", async () => {
  const { get } = await newShop();
  for (const [query, param] of [
    ["time_zone=Mars", "time_zone"],
    ["time_zone=%2B02:00", "time_zone"],
    ["format=xls", "format"],
    ["layout=xero", "asset"],
    ["layout=days&format=jsonl", "format"],
    ["limit=5", "limit"],
    ["status=gone", "status"],
    ["who=me", "who"],
  ] as const) {
    const { status, json } = await get(`test/payments/export?${query}`);
    assert.deepEqual([status, json.error.code, json.error.param], [400, "invalid_request", param], query);
  }
  const { json } = await get("test/events/export?metadata=a");
  assert.equal(json.error.param, "metadata");
  assert.deepEqual((await get("audit?action=list.exported")).json.data, []);
});

/** Does something once the first page of an export is read, and checks that the export is then cut off. */
async function cutAfterFirstPage(happen: () => Promise<unknown>, path: string, browser: Browser) {
  const { rows } = staff.database;
  let statements = 0;
  const watched = staff.database as { rows: typeof rows };
  watched.rows = (async (statement) => {
    if (statement.strings.join("").includes("from payments p") && ++statements === 2) await happen();
    return rows(statement);
  }) as typeof rows;
  try {
    await assert.rejects(browser.get(path));
  } finally {
    watched.rows = rows;
  }
}

test("§13.19.6 an export ends once its reader is no member any more, or the session has ended", async () => {
  for (const statement of [
    (businessId: string) => sql`delete from members where business_id = ${businessId} and user_id = ${user}`,
    () => sql`delete from sessions where user_id = ${user}`,
  ]) {
    const { pay, businessId, browser } = await newShop();
    await pay({}, {}, 250);
    const path = `/businesses/${businessId}/test/payments/export`;
    await cutAfterFirstPage(() => staff.database.rows(statement(businessId)), path, browser);
  }
});

test("§13.19.6 an export that fails is cut off: its connection ends without the end of the answer", async () => {
  const { pay, businessId, browser } = await newShop();
  await pay({}, {}, 101);
  await cutAfterFirstPage(
    async () => {
      throw new Error("The disk is gone.");
    },
    `/businesses/${businessId}/test/payments/export`,
    browser,
  );
  // Neither counts as under way any more, nor does a HEAD.
  assert.equal((await browser.send("HEAD", `/businesses/${businessId}/test/payments/export`)).text, "");
  for (let count = 0; count < 3; count++)
    assert.equal((await browser.get(`/businesses/${businessId}/test/payments/export`)).status, 200);
});

test("a clock shows a zone's days and times over its changes, also where they are not at whole hours", () => {
  const berlin = zoneClock("Europe/Berlin");
  assert.equal(berlin.showTime(new Date("2026-03-29T00:59:59Z")), "2026-03-29 01:59:59");
  assert.equal(berlin.showTime(new Date("2026-03-29T01:00:00.250Z")), "2026-03-29 03:00:00.250");
  const island = zoneClock("Australia/Lord_Howe");
  assert.equal(island.showTime(new Date("2026-10-03T15:29:00Z")), "2026-10-04 01:59:00");
  assert.equal(island.showTime(new Date("2026-10-03T15:30:00Z")), "2026-10-04 02:30:00");
  assert.equal(zoneClock("Asia/Kathmandu").showDay(new Date("2026-11-20T18:15:00Z")), "2026-11-21");
  assert.deepEqual(
    (["ymd", "dmy", "mdy"] as const).map((style) => styleDay("2026-11-05", style)),
    ["2026-11-05", "05/11/2026", "11/05/2026"],
  );
});
