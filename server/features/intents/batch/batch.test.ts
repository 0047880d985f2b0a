import assert from "node:assert/strict";
import { test } from "node:test";
import { formatUnits } from "../../../domain/money.ts";
import { someAddress } from "../../staff/testing/objects.ts";
import { parseRows, ROWS_MAX } from "./batch.ts";
import { parseCsv } from "./csv.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const DEVNET_USDC = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const DEFAULTS = { asset: USDC, protectionPeriod: "sevenDays", recipient: someAddress() } as const;
const parse = (text: string, tokens: readonly string[] = [USDC]) => parseRows(text, DEFAULTS, tokens);

test("§13.18.5 rows are read as spreadsheets write them", () => {
  for (const [text, rows] of [
    [
      "a,b\r\n1,2\r\n",
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      "\uFEFFa;b\n1;2",
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      'a,b\n"x, ""y""",2\n',
      [
        [1, "a", "b"],
        [2, 'x, "y"', "2"],
      ],
    ],
    [
      'a\n"two\nlines"\n\nlast\n',
      [
        [1, "a"],
        [2, "two\nlines"],
        [5, "last"],
      ],
    ],
    [
      "a,b\n,\n",
      [
        [1, "a", "b"],
        [2, "", ""],
      ],
    ],
    ["", []],
  ] as const)
    assert.deepEqual(
      parseCsv(text)?.map(({ line, cells }) => [line, ...cells]),
      rows,
      JSON.stringify(text),
    );
  for (const broken of ['a\n"x', 'a\n"x"y\n', 'a,b\n1,"2" \n']) assert.equal(parseCsv(broken), null, broken);
});

test("§13.18.5 a row has its own terms, or those of the form", () => {
  const recipient = someAddress();
  const { rows, errors } = parse(
    `Reference,Amount,Period,Token,Recipient,Note\nOrder 1,48.5,,,,\nOrder 2,1,30 days,usdc,${recipient},"Two\nbags"\nOrder 3,2,oneHour,${DEVNET_USDC},,x`,
  );
  assert.deepEqual(errors, []);
  const shown = rows.map(({ line, terms: { amount, price, ...terms } }) => ({
    line,
    amount: price ?? formatUnits(String(amount!.digits), amount!.places),
    ...terms,
  }));
  assert.deepEqual(shown, [
    { line: 2, amount: "48.5", merchantReference: "Order 1", description: null, ...DEFAULTS },
    {
      line: 3,
      amount: "1",
      merchantReference: "Order 2",
      description: "Two bags",
      asset: USDC,
      protectionPeriod: "thirtyDays",
      recipient,
    },
    {
      ...DEFAULTS,
      line: 5,
      amount: "2",
      merchantReference: "Order 3",
      description: "x",
      asset: DEVNET_USDC,
      protectionPeriod: "oneHour",
    },
  ]);
});

test("§13.18.5 each wrong row is named by its line", () => {
  const file = [
    "amount,reference,token,period,recipient,note",
    "48,50,Order 1,,,,x,",
    '"1,000",Order 2,,,,',
    "0,Order 3,,,,",
    "1,,,,,",
    "1,Order 5,DOGE,,,",
    "1,Order 6,,1 week,,",
    "1,Order 7,,,me,",
    "1,Order 8,,,,",
    "2,Order 8,,,,",
    "1,Order 10,,,,\u200b",
    "=1+1,Order 11,,,,",
  ].join("\n");
  const { errors, rows } = parse(file);
  assert.deepEqual(
    errors.map(({ line }) => line),
    [2, 3, 4, 5, 6, 7, 8, 10, 11, 12],
  );
  assert.match(errors.at(-3)!.message, /^Line 9 has the same reference/);
  assert.deepEqual(
    rows.map(({ line }) => line),
    [9],
  );
});

test("§13.18.5 a file without its columns, with others, with too many rows or in another encoding is refused whole", () => {
  const many = `amount,reference\n${Array.from({ length: ROWS_MAX + 1 }, (_, n) => `1,Order ${n}`).join("\n")}`;
  for (const [text, message] of [
    ["", /no column amount/],
    ["amount\n1", /no column reference/],
    ["amount,reference,iban\n1,a,b", /Unknown column "iban"/],
    ["amount,reference,amount\n1,a,1", /names a column twice/],
    ["amount,reference\n", /no rows/],
    ["amount,reference\n1,Caf\uFFFD", /UTF-8/],
    ['amount,reference\n1,"a', /quoted cell/],
    [many, /501 rows/],
  ] as const) {
    const { rows, errors } = parse(text);
    assert.deepEqual([rows, errors.length], [[], 1], text.slice(0, 40));
    assert.match(errors[0]!.message, message);
  }
  assert.equal(parse("amount,reference,token\n1,a,USDC", [USDC, DEVNET_USDC]).errors.length, 1);
});
