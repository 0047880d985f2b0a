import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson, findMistake, JsonError, parseJsonObject } from "./json.ts";

const textOf = (source: string, name: string) => parseJsonObject(source).get(name)?.text;

test("§2.1 a member's text is its source without insignificant white space, whatever the layout", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom("", " ", "\n", "\t", "\r\n  "),
      (value, gap) => {
        const members = Object.entries(value).map(
          ([name, one]) => `${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(one, null, gap || 2)}`,
        );
        const read = parseJsonObject(`${gap}{${gap}${members.join(`${gap},${gap}`)}${gap}}${gap}`);
        assert.deepEqual([...read.keys()], Object.keys(value));
        for (const [name, one] of Object.entries(value)) assert.equal(read.get(name)!.text, JSON.stringify(one));
      },
    ),
  );
});

test("§2.1 the spelling of numbers, escapes and names survives", () => {
  for (const text of [
    "1.0",
    "-0",
    "1E+2",
    "12345678901234567890",
    "1e400",
    String.raw`"\u0041\/"`,
    String.raw`{"\u0061":[1.00]}`,
  ])
    assert.equal(textOf(`{"a": ${text} }`, "a"), text);
  assert.equal(textOf(`{"__proto__":{"x":1}}`, "__proto__"), `{"x":1}`);
});

test("§11.9 the parser takes what JSON.parse takes, and nothing else, and never fails otherwise", () => {
  const pieces = fc.array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      '"',
      "\\",
      "1",
      "-",
      ".5",
      "e1",
      "null",
      "tru",
      " ",
      "\u00a0",
      "\ud800",
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(
      pieces.map((parts) => `{${parts.join("")}}`),
      (source) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(source);
        } catch {
          assert.throws(() => parseJsonObject(source), JsonError);
          return;
        }
        try {
          assert.deepEqual([...parseJsonObject(source).keys()], Object.keys(parsed as object));
        } catch (error) {
          assert.ok(error instanceof JsonError && error.message.includes("twice"), String(error));
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test("§11.9 a body that is no object, has a member twice or is nested too deep is refused with a sentence", () => {
  for (const source of [
    "",
    "null",
    "1",
    '"{}"',
    "[]",
    "{",
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '{"a":[{"b":1,"b":1}]}',
  ])
    assert.throws(() => parseJsonObject(source), JsonError);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  parseJsonObject(nested(64));
  for (const source of [nested(65), "[".repeat(10_000), `{"a":${"[".repeat(100_000)}`])
    assert.throws(() => parseJsonObject(source), JsonError);
  assert.equal(textOf(`{"a":"${"[".repeat(100)}"}`, "a"), `"${"[".repeat(100)}"`, "brackets in a string are text");
});

test("§11.18 a malformed body is answered by the position of its mistake, and by nothing that is in it", () => {
  for (const [source, at] of [
    ['{"metadata":DE89370400440532013000}', 12],
    ['{"iban":"DE89370400440532013000" "x":1}', 33],
    ['{"iban":"DE89370400440532013000","iban":2}', 33],
    ['{"a":{"DE89370400440532013000":1,"DE89370400440532013000":1}}', 33],
    ['{"iban":"DE8937\u0007"}', 8],
    ['{"iban":0DE89}', 8],
    ["{DE89370400440532013000:1}", 1],
    ['{"a":1}DE89', 7],
  ] as const)
    assert.throws(
      () => parseJsonObject(source),
      ({ message }: Error) => new RegExp(`position ${at}\\b`).test(message) && !/DE89|iban/.test(message),
      source,
    );
  assert.throws(() => parseJsonObject('{"iban":"DE89370400440532013000"'), /^JsonError: .*ends too early\.$/);
});

test("§11.18 a position is found exactly where the parser finds a mistake", () => {
  const cut = fc
    .tuple(fc.jsonValue(), fc.nat(), fc.nat(3), fc.constantFrom("", ...'{}[]:,"\\0-e.tn x\n\u0007'))
    .map(([value, where, length, put]) => {
      const text = JSON.stringify(value);
      const at = where % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + length);
    });
  fc.assert(
    fc.property(cut, (source) => {
      const isJson = (text: string) => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      };
      const at = findMistake(source);
      assert.equal(at === null, isJson(source), source);
    }),
    { numRuns: 5_000, seed: 19 },
  );
});

test("§11.10 an escaped NUL or a lone surrogate is found, in values and in names below them", () => {
  const marked = (source: string) => parseJsonObject(source).get("a")!.unstorable;
  for (const text of [
    String.raw`"\u0000"`,
    String.raw`"\ud800"`,
    String.raw`[{"x\u0000":1}]`,
    String.raw`{"b":{"\udc00":1}}`,
  ])
    assert.equal(marked(`{"a":${text},"b":"ok"}`), true, text);
  for (const text of [String.raw`"\ud83d\ude00"`, '"😀"', String.raw`"\\u0000"`, '"u0000"'])
    assert.equal(marked(`{"b":"\\u0000","a":${text}}`), false, text);
});

const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, one]) => [name, shuffled(one)]),
        )
      : value;

test("§4.8 two bodies are the same request exactly when their tokens are, in whatever order of members", () => {
  const canonical = (source: string) => canonicalJson(parseJsonObject(source));
  const objects = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(objects, objects, (one, other) => {
      const text = JSON.stringify(one);
      assert.equal(canonical(JSON.stringify(shuffled(one), null, 1)), canonical(text));
      const isSame = JSON.stringify(shuffled(shuffled(other))) === JSON.stringify(shuffled(shuffled(one)));
      if (isSame) assert.equal(canonical(JSON.stringify(other)), canonical(text));
      else assert.deepEqual(JSON.parse(canonical(text)), JSON.parse(text));
    }),
  );
  for (const [one, same] of [
    [String.raw`{"a":"\u00e9\/\u0022\n"}`, String.raw`{"a":"é/\"\u000a"}`],
    [String.raw`{"\u0061":["\ud83d\ude00"]}`, '{"a":["😀"]}'],
    [String.raw`{"a":{"\u0062":"\u007f"}}`, '{"a":{"b":"\u007f"}}'],
    [String.raw`{"a":"\uD800"}`, String.raw`{"a":"\ud800"}`],
  ] as const)
    assert.equal(canonical(one), canonical(same), one);
  for (const other of [String.raw`{"a":"\\u00e9"}`, '{"a":"e\u0301"}', '{"a":"É"}'])
    assert.notEqual(canonical('{"a":"é"}'), canonical(other), other);
  assert.notEqual(canonical('{"a":1}'), canonical('{"a":1.0}'));
  assert.notEqual(canonical('{"a":[1,2]}'), canonical('{"a":[2,1]}'));
});
