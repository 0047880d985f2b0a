import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTokenRates, withFile } from "./checkTokenRates.ts";
import { crossRate, decideValue, fiatValueOf, parseRates, type TokenRate } from "./rate.ts";

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time='2026-11-20'><Cube currency='USD' rate='1.1600'/><Cube currency='XTS' rate='1'/><Cube currency="JPY" rate="171.25"/></Cube>
    <Cube time="2026-11-19"><Cube currency="USD" rate="1.155"/></Cube>
  </Cube>
</gesmes:Envelope>`;

test("§13.23.2 rates are read from the bank's XML and from CSV", () => {
  const rates = [
    { day: "2026-11-20", currency: "USD", rate: "1.1600" },
    { day: "2026-11-20", currency: "JPY", rate: "171.25" },
    { day: "2026-11-19", currency: "USD", rate: "1.155" },
  ];
  assert.deepEqual(parseRates(XML).days, rates);
  const csv = rates.map(({ day, currency, rate }) => `${day},${currency},${rate}`).join("\r\n");
  assert.deepEqual(parseRates(`Date,Currency,Rate\r\n${csv}\r\n`), { days: rates, tokens: [] });
});

const SOL = "So11111111111111111111111111111111111111112";
const TIME = "2026-11-28T10:00:00Z";

test("§4.21.3 CSV has rates of tokens too, each of a time", () => {
  const { days, tokens } = parseRates(`2026-11-20,JOD,0.82\n${TIME},${SOL},USD,136.52\n`);
  assert.deepEqual(days, [{ day: "2026-11-20", currency: "JOD", rate: "0.82" }]);
  assert.deepEqual(tokens, [{ at: new Date(TIME), asset: SOL, currency: "USD", rate: "136.52" }]);
});

const rateAt = (rate: string, at = TIME, currency = "USD") => ({ asset: SOL, currency, rate, at: new Date(at) });

test("§4.21.3 a rate of the future, and a token that doubled or halved within a day, are refused", () => {
  const known = { tokens: [rateAt("136.52", "2026-11-28T09:00:00Z")], days: [] };
  const check = (given: TokenRate, now = TIME) => checkTokenRates([given], known, new Date(now));
  for (const fine of [rateAt("70"), rateAt("273"), rateAt("13", "2026-11-28T09:00:00Z", "JPY")]) check(fine);
  for (const wrong of ["68.25", "273.1", "0.0000000001", "999999999999"])
    assert.throws(() => check(rateAt(wrong)), { name: "RatesError" }, wrong);
  assert.throws(() => check(rateAt("136.52", "2026-11-28T10:02:00Z")), { name: "RatesError" });
  check(rateAt("13", "2026-11-29T09:00:01Z"), "2026-11-29T10:00:00Z");
});

test("§4.21.3 a rate in another currency is compared by the days' rates, however old the last one is", () => {
  const now = new Date(TIME);
  const file = [
    { day: "2026-11-27", currency: "USD", rate: "1.16" },
    { day: "2026-11-27", currency: "JPY", rate: "171.25" },
  ];
  for (const last of ["2026-11-28T09:00:00Z", "2026-10-28T09:00:00Z"]) {
    const tokens = [rateAt("136.52", last)];
    const check = (currency: string, rate: string, days = withFile([], file, now)) =>
      checkTokenRates([rateAt(rate, TIME, currency)], { tokens, days }, now);
    for (const [currency, rate] of [
      ["EUR", "117.69"],
      ["JPY", "20154"],
      ["JPY", "10100"],
    ] as const)
      check(currency, rate);
    for (const [currency, rate] of [
      ["JPY", "136.52"],
      ["JPY", "40400"],
      ["EUR", "20154"],
      ["EUR", "13"],
    ] as const)
      assert.throws(() => check(currency, rate), /if they are right, write its rate in USD first\.$/, rate);
    assert.throws(() => check("GBP", "100"), /what one euro is worth in both today too\.$/);
    assert.throws(() => check("JPY", "20154", []), /what one euro is worth in both today too\.$/);
  }
});

test("§13.23.2 a file replaces no known day, and its old days and those to come do not count", () => {
  const known = { day: "2026-11-27", currency: "USD", rate: "1.16", source: "ecb" } as const;
  const file = ["2026-11-15", "2026-11-27", "2026-11-28", "2026-11-29"].map((day) => ({
    day,
    currency: "USD",
    rate: "1.2",
  }));
  assert.deepEqual(
    withFile([known], file, new Date(TIME)).map(({ day, currency, rate }) => `${day} ${currency} ${rate}`),
    ["2026-11-28 USD 1.2", "2026-11-28 EUR 1", "2026-11-27 USD 1.16", "2026-11-27 EUR 1"],
  );
});

test("§13.23.2 a text with a wrong rate, day or currency is refused as a whole", () => {
  for (const wrong of [
    "",
    "date,currency,rate",
    "2026-11-20,USD,0.000\n",
    "2026-11-20,USD,1e3\n",
    "2026-11-20,USD,1,16\n",
    "2026-13-20,USD,1\n",
    "20.11.2026,USD,1\n",
    "2026-11-20,DOGE,1\n",
    "2026-11-20,USD,1\n2026-11-20,USD\n",
    "<html>Not found</html>",
    XML.replace("1.1600", "-1.16"),
    XML.replace("2026-11-20", "yesterday"),
    XML.slice(0, -5),
    XML.replace('currency="JPY"', 'currency="USD"'),
    "2026-02-30,USD,1\n",
    "2026-11-20,USD,1.16\n2026-11-20,USD,1.17\n",
    // Cut off while it is written: 1.16 would be 1.1.
    "2026-11-20,USD,1.1",
    ...["1e30", "0", "NaN", "-1", "+1", "1.", ".5", "Infinity", "0x10", "1_0", "1000000000000", "٣"].flatMap((rate) => [
      `2026-11-20,USD,${rate}\n`,
      `${TIME},${SOL},USD,${rate}\n`,
    ]),
    `${TIME},${SOL},USD,1\n${TIME},${SOL},USD,1\n`,
    `2026-11-28,${SOL},USD,1\n`,
    `${TIME},${SOL},XTS,1\n`,
    `${TIME},SOL,USD,1\n`,
    `${TIME},${SOL},USD,1,2\n`,
    `2026-11-28T10:00:00+00:00,${SOL},USD,1\n`,
  ])
    assert.throws(() => parseRates(wrong), { name: "RatesError" }, wrong.slice(0, 60));
});

test("§13.23.3 rates and values are exact, and rounded half to even", () => {
  assert.equal(crossRate("1.16", "1"), "0.8620689655");
  assert.equal(crossRate("1", "1.16"), "1.16");
  assert.equal(crossRate("1.16", "171.25"), "147.6293103448");
  // 0.125 is as far from 0.12 as from 0.13; so is 0.135 from 0.13 and 0.14.
  assert.equal(fiatValueOf("125", 3, "1", "USD"), "0.12");
  assert.equal(fiatValueOf("135", 3, "1", "USD"), "0.14");
  assert.equal(fiatValueOf("125001", 6, "1", "USD"), "0.13");
  assert.equal(fiatValueOf("2500000", 6, "1", "JPY"), "2");
  assert.equal(fiatValueOf("3500000", 6, "1", "JPY"), "4");
  assert.equal(fiatValueOf("48500000", 6, "0.8620689655", "EUR"), "41.81");
  assert.equal(fiatValueOf("18446744073709551615", 0, "171.25", "EUR"), "3159004922622760714068.75");
  assert.equal(fiatValueOf("1", 9, "0.5", "EUR"), "0.00");
});

test("§13.23.3 a value waits until no other rate of its day can come, and is none without a par or a rate", () => {
  const entry = { amount: "48500000", currency: "EUR", day: "2026-11-21" };
  const quote = { from: "1.16", to: "1", rateDay: "2026-11-20", source: "ecb", isFinal: true } as const;
  const none = { value: null, rate: null, source: null, rateDay: null, waits: false };
  const valued = { value: "41.81", rate: "0.8620689655", source: "ecb", rateDay: "2026-11-20", waits: false };
  assert.deepEqual(decideValue(entry, "USD", 6, quote), valued);
  assert.deepEqual(decideValue(entry, "USD", 6, { ...quote, isFinal: false }), { ...none, waits: true });
  assert.deepEqual(decideValue(entry, "USD", null, quote), { ...none, waits: true });
  assert.deepEqual(decideValue(entry, null, 6, quote), none);
  assert.deepEqual(decideValue(entry, "USD", 6, { ...quote, from: null, to: null, rateDay: null }), none);
  const par = { value: "48.50", rate: "1", source: "par", rateDay: "2026-11-21", waits: false };
  assert.deepEqual(decideValue(entry, "EUR", 6, null), par);
});
