import assert from "node:assert/strict";
import { test } from "node:test";
import { amountOfPrice, parsePrice, placesOf } from "../../domain/price.ts";
import { decideQuote, type KnownRates } from "./decideQuote.ts";
import type { Par } from "./rate.ts";

const NOW = new Date("2026-11-28T10:00:00.000Z");
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const PAR: Par = { currency: "USD", promise: { at: "2026-11-01", until: "2027-10-31", deviationMax: "0.02" } };

/** What one euro was worth, by day. */
const days = (currency: string, ...rates: readonly (readonly [day: string, rate: string])[]) =>
  rates.flatMap(([day, rate]) => [
    { day, currency, rate, source: "ecb" as const },
    { day, currency: "EUR", rate: "1", source: "ecb" as const },
  ]);
const token = (rate: string, at = NOW, currency = "USD") => ({ asset: USDC, currency, rate, at });
const known = (given: Partial<KnownRates> = {}): KnownRates => ({ now: NOW, token: null, days: [], ...given });
const ago = (ms: number) => new Date(NOW.getTime() - ms);

function quoted(facts: KnownRates, currency: string, par: Par | null = PAR, spread = "0.01") {
  const decided = decideQuote(facts, currency, par, spread);
  if (!("quote" in decided)) assert.fail(decided.reason);
  return { ...decided.quote, until: decided.until.toISOString() };
}
const refused = (facts: KnownRates, currency: string, par: Par | null = PAR, spread = "0.01") => {
  const decided = decideQuote(facts, currency, par, spread);
  assert.ok("reason" in decided, JSON.stringify(decided));
  return decided.reason;
};

test("§4.21.2 a token is at par within the days of the promise, and never by the short form", () => {
  const atPar = { rate: "1", source: "par", at: "2026-11-01T00:00:00.000Z", spread: "0" };
  assert.deepEqual(quoted(known(), "USD"), { ...atPar, until: "2027-11-01T00:00:00.000Z" });
  for (const now of ["2026-10-31T23:59:59.999Z", "2027-11-01T00:00:00.000Z"])
    refused(known({ now: new Date(now) }), "USD", PAR, "0.01");
  refused(known(), "USD", { ...PAR, promise: null }, "0.01");
  refused(known(), "USD", null, "0.01");
});

test("§4.21.2 a par stops by the newest rate, however old, and goes on once one says so", () => {
  for (const rate of ["0.93", "0.9799", "1.0201"])
    for (const at of [NOW, ago(365 * 86_400_000)]) {
      const facts = known({ token: token(rate, at), days: days("USD", ["2026-11-27", "1.16"]) });
      for (const currency of ["USD", "EUR"]) assert.match(refused(facts, currency, PAR, "0.01"), /not worth its USD/);
    }
  assert.match(
    refused(known({ token: token("0.93", ago(365 * 86_400_000)) }), "USD"),
    new RegExp(`of 2025-11-28T10:00:00.000Z, the token ${USDC} is not .* writes a newer rate of it`),
  );
  for (const rate of ["0.98", "1", "1.02"])
    assert.equal(quoted(known({ token: token(rate) }), "USD").source, "par", rate);
  // Its rate in another currency is compared by the day's rate; without one, nobody knows.
  const inEuro = token("0.86", NOW, "EUR");
  assert.equal(quoted(known({ token: inEuro, days: days("USD", ["2026-11-27", "1.16"]) }), "USD").source, "par");
  assert.match(refused(known({ token: inEuro }), "USD", PAR, "0.01"), /not worth/);
  refused(known({ token: token("0.80", NOW, "EUR"), days: days("USD", ["2026-11-27", "1.16"]) }), "USD", PAR, "0.01");
});

test("§4.21.3 another currency is quoted by the day's rates with the spread, for 15 minutes", () => {
  const facts = known({ days: days("USD", ["2026-11-27", "1.16"]) });
  assert.deepEqual(quoted(facts, "EUR"), {
    ...{ rate: "1.1716", source: "ecb", at: "2026-11-27T00:00:00.000Z", spread: "0.01" },
    until: "2026-11-28T10:15:00.000Z",
  });
  // A token's own fresh rate is nearer than its par.
  assert.equal(quoted({ ...facts, token: token("1.01") }, "EUR").rate, "1.16");
  assert.equal(quoted(known({ token: token("136.5") }), "USD", null, "0").rate, "0.00732600732600732600732601");
});

test("§4.21.3 a stale rate, and one that moved by over a fifth, is none", () => {
  const of = (...rates: readonly (readonly [string, string])[]) => known({ days: days("USD", ...rates) });
  quoted(of(["2026-11-23", "1.16"]), "EUR");
  for (const facts of [of(["2026-11-22", "1.16"]), known(), known({ days: days("GBP", ["2026-11-27", "0.87"]) })])
    assert.match(refused(facts, "EUR", PAR, "0.01"), /no fresh rate of USD in EUR/);
  quoted(of(["2026-11-27", "1.39"], ["2026-11-26", "1.16"]), "EUR");
  for (const rate of ["11.6", "1.4", "0.9", "0.0000000001", "999999999999"])
    refused(of(["2026-11-27", rate], ["2026-11-26", "1.16"]), "EUR", PAR, "0.01");
  // Two days of which only one has both currencies.
  refused(
    known({ days: days("USD", ["2026-11-27", "1.16"]).filter(({ currency }) => currency === "USD") }),
    "EUR",
    PAR,
    "0.01",
  );
  quoted(known({ token: token("136.5", ago(600_000)) }), "USD", null);
  assert.match(
    refused(known({ token: token("136.5", ago(600_001)) }), "USD", null, "0.01"),
    /no fresh rate of this token/,
  );
});

/** Random numbers that are the same in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("§4.21.1 100,000 random prices: no amount is below the exact one, nor above it by a unit", () => {
  const random = randomFrom(54);
  const below = (count: number) => Math.floor(random() * count);
  const digits = (count: number) => Array.from({ length: count }, () => below(10)).join("");
  const decimal = (whole: number, places: number) =>
    `${1 + below(9)}${digits(below(whole))}${places === 0 ? "" : `.${digits(places)}`}`;
  const currencies = ["EUR", "JPY", "KWD", "USD", "TND", "KRW"];
  /** A decimal number in units of its 13th place, which no number here exceeds: no code of the service has a part in it. */
  const scaled = (text: string) => {
    const [whole, fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(13, "0"));
  };
  let priced = 0;
  for (let index = 0; index < 100_000; index++) {
    const currency = currencies[below(currencies.length)]!;
    const [worth, spread] = [decimal(7, below(11)), `0.0${digits(2)}`];
    const decimals = below(13);
    const price = parsePrice(currency, decimal(12, placesOf(currency)!));
    assert.ok("currency" in price);
    const quote = quoted(known({ token: token(worth, NOW, currency) }), currency, null, spread);
    const amount = amountOfPrice(price, quote.rate, decimals);
    // Both sides of: amount / 10^decimals = price × (1 + spread) / worth.
    const one = 10n ** 13n;
    const exact = scaled(price.amount) * (one + scaled(spread)) * 10n ** BigInt(decimals);
    const unit = scaled(worth) * one;
    if (amount === null) {
      assert.ok(exact + unit > unit * 18_446_744_073_709_551_615n);
      continue;
    }
    priced++;
    const difference = BigInt(amount) * unit - exact;
    // The rate's 24th digit may lift an amount that was whole already.
    if (difference < 0n || difference * 1_000n >= unit * 1_001n)
      assert.fail(JSON.stringify({ price, worth, spread, decimals, amount }));
  }
  assert.ok(priced > 60_000, String(priced));
});

test("§4.21.1 a price has the places of its currency, and is above 0", () => {
  assert.deepEqual(parsePrice("EUR", "48.5"), { currency: "EUR", amount: "48.50" });
  assert.deepEqual(parsePrice("JPY", "48"), { currency: "JPY", amount: "48" });
  assert.deepEqual(parsePrice("KWD", "0.001"), { currency: "KWD", amount: "0.001" });
  const wrong = [
    ...["eur", "EU", "XTS", "DOGE", "", "constructor"].map((currency) => [currency, "1"]),
    ...["", "0", "0.00", "-1", "+1", "1.234", "1e3", "NaN", "01", "1.", ".5", "1,50", " 1", "1".repeat(16)].map(
      (one) => ["EUR", one],
    ),
    ...[
      ["JPY", "1.0"],
      ["KWD", "1.0001"],
    ],
  ];
  for (const [currency, amount] of wrong)
    assert.ok("reason" in parsePrice(currency!, amount!), `${currency} ${amount}`);
  assert.equal(amountOfPrice({ currency: "EUR", amount: "18446744073709.551615" }, "1", 6), "18446744073709551615");
  assert.equal(amountOfPrice({ currency: "EUR", amount: "18446744073709.56" }, "1", 6), null);
});
