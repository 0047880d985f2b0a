import assert from "node:assert/strict";
import { test } from "node:test";
import { ADDRESS, oneOf, textKind, whole } from "../domain/values.ts";
import {
  chainVerb,
  clearable,
  ENVIRONMENT,
  flag,
  maybe,
  option,
  positional,
  readLine,
  replaceable,
  SINCE,
  withDefault,
} from "./admin.ts";

const ADDRESS_TEXT = "11111111111111111111111111111111";
const PAY = chainVerb({
  words: "payment find",
  takes: {
    payment: positional(ADDRESS, "payment"),
    side: maybe(positional(oneOf(["buyer", "shop"]))),
    environment: ENVIRONMENT,
    types: option(
      textKind({}, "types", (text) => text.split(",")),
      "a,b",
    ),
    limitOf: withDefault(option(whole(1, 20), "n"), 20),
    note: maybe(clearable(option(ADDRESS, "address"))),
    since: replaceable(SINCE, "all"),
    all: flag,
  },
  does: "Finds.",
  run: async (values) => ({ result: values, text: "" }),
});

const given = (...words: readonly string[]) => readLine(PAY, ["payment", "find", ...words]).line;
const valuesOf = async (...words: readonly string[]) => (await PAY.read(given(...words))({})).result;

test("a command's usage line has its positionals, its required options, choices and defaults", () => {
  assert.equal(
    PAY.usage,
    "payment find <payment> [buyer|shop] [--environment test|live (default test)] --types <a,b> [--limit-of <n> (default 20)] [--note <address>] (--since <time> | --all)",
  );
});

test("a command runs with the values that its kinds parse, and with defaults for those that are left out", async () => {
  const rest = { payment: ADDRESS_TEXT, types: ["a", "b"] };
  assert.deepEqual(await valuesOf(ADDRESS_TEXT, "--types=a,b", "--all"), {
    ...{ ...rest, side: null, environment: "test", limitOf: 20, note: null, since: null, all: true },
  });
  const words = ["--types=a,b", "--since=2026-11-20T09:00:00Z", "--limit-of=3", "--note=", "--environment=live"];
  assert.deepEqual(await valuesOf(ADDRESS_TEXT, "shop", ...words), {
    ...{ ...rest, side: "shop", environment: "live", limitOf: 3, note: null, all: false },
    since: new Date("2026-11-20T09:00:00Z"),
  });
});

test("a value that is missing or of another kind is refused in a sentence, before anything runs", () => {
  const rest = ["--types=a", "--all"];
  for (const [words, message] of [
    [[], "Specify the payment: payment find <payment> --types <a,b>."],
    [["x", ...rest], "The payment must be an address on chain (base58 of 32 bytes)."],
    [[ADDRESS_TEXT, "king", ...rest], "The side must be one of buyer, shop."],
    [[ADDRESS_TEXT, "--all"], "Specify --types: payment find <payment> --types <a,b>."],
    [[ADDRESS_TEXT, ...rest, "--environment=prod"], "--environment takes one of test, live."],
    ...["0", "21", "1e1", "1.0", " 1", ""].map(
      (wrong) =>
        [[ADDRESS_TEXT, ...rest, `--limit-of=${wrong}`], "--limit-of takes a whole number from 1 to 20."] as const,
    ),
    [[ADDRESS_TEXT, "--types=a"], "Specify either --since <time> or --all."],
    [[ADDRESS_TEXT, ...rest, "--since=2026-11-20T09:00:00Z"], "Specify either --since <time> or --all."],
    [
      [ADDRESS_TEXT, "--types=a", "--since=2026-11-31T09:00:00Z"],
      "--since takes a time in UTC such as 2026-11-20T09:00:00Z.",
    ],
  ] as const)
    assert.throws(() => PAY.read(given(...words)), { name: "AdminError", message });
});

test("a value that a command does not take is refused with the command's usage line", () => {
  assert.throws(() => given(ADDRESS_TEXT, "buyer", "of", "last"), {
    name: "AdminError",
    message: /^"of" is one value too many\. Put a value with spaces in quotes\.\nUsage: payment find </,
  });
});

test("an option that a command does not have is refused with the command's usage line", () => {
  assert.throws(() => given("--payment", "x"), {
    name: "AdminError",
    message: /'--payment'.*\nUsage: payment find </s,
  });
});
