import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { ApiError, invalid } from "../../domain/errors.ts";
import { parseJsonObject } from "../../domain/json.ts";
import { checked, FLAG, matching, oneOf, TEXT, TIME } from "../../domain/values.ts";
import { type Field, field, requestBody } from "./fields.ts";
import { pageParameters, parameter, type QueryValues, queryParser } from "./parameters.ts";

const count: Field<number> = {
  schema: Type.Integer(),
  expected: "a number",
  fallback: 1,
  parse: (member) => Number(member.text),
};
const BODY = requestBody({
  component: "NewThing",
  operation: "Make",
  fields: {
    name: field(checked({}, "a name", (text) => text !== "")),
    color: field(oneOf(["red", "blue"])),
    count,
  },
  example: { name: "chair", color: "red" },
});
const LIST = {
  color: parameter(oneOf(["red", "blue"]), "Its color."),
  made_after: parameter(TIME, "When."),
  is_new: parameter(FLAG, "Whether."),
  note: parameter(TEXT, "What."),
  ...pageParameters(matching(/^x/, "an id"), "x1", "thing"),
};
const parseList = queryParser(LIST);

function errorOf(parse: () => unknown): [param: string | undefined, message: string] {
  try {
    parse();
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === "invalid_request");
    return [error.details.param, error.message];
  }
  assert.fail("It was accepted.");
}

test("§4.1 a body may be left out if all its fields may, unless it needs one of them", () => {
  const optional = { component: "Change", operation: "Change", fields: { count }, example: {} };
  const isRequired = [BODY, requestBody(optional), requestBody({ ...optional, needsOne: true })].map(
    (body) => body.isRequired,
  );
  assert.deepEqual(isRequired, [true, false, true]);
});

test("§4.1.1 the first wrong field in the declaration's order is reported, and unknown ones after them", () => {
  const refusal = (source: string) => errorOf(() => BODY.parse(parseJsonObject(source)));
  assert.deepEqual(refusal('{"x": 1, "color": 1}'), ["name", "Required: a name."]);
  assert.deepEqual(refusal('{"color": 1, "name": ""}'), ["name", "Expected a name."]);
  assert.deepEqual(refusal('{"x": 1, "color": 1, "name": "a"}'), [
    "color",
    "Expected a JSON string: one of red, blue.",
  ]);
  assert.deepEqual(refusal('{"x": 1, "color": "green", "name": "a"}'), ["color", "Expected one of red, blue."]);
  assert.deepEqual(refusal('{"x": 1, "color": "red", "name": "a"}'), [
    "x",
    "Unknown field. Make takes name, color, count.",
  ]);
  assert.equal(refusal('{"__proto__": 1, "color": "red", "name": "a"}')[0], "__proto__");
});

test("a body's values have the declared types, its schema the declared fields; one with a fallback is optional", () => {
  const value: { readonly name: string; readonly color: "red" | "blue"; readonly count: number } = BODY.parse(
    parseJsonObject('{"color": "red", "name": "a"}'),
  );
  assert.deepEqual(value, { name: "a", color: "red", count: 1 });
  // @ts-expect-error: a color is no number.
  const wrong: { readonly color: number } = value;
  assert.ok(wrong);
  const { properties, required, additionalProperties } = JSON.parse(JSON.stringify(BODY.schema));
  assert.deepEqual(Object.keys(properties), ["name", "color", "count"]);
  assert.deepEqual([required, additionalProperties], [["name", "color"], false]);
});

test("§4.9.7 of several wrong parameters the first in the declaration's order is reported, an unknown one after them", () => {
  const refusal = (query: string) => errorOf(() => parseList(new URLSearchParams(query)))[0];
  assert.equal(refusal("nothing=1&color=green"), "color");
  assert.equal(refusal("note=a&note=b&color=green"), "color");
  assert.equal(refusal("nothing=1&limit=1&limit=2"), "limit");
  assert.equal(refusal("other=1&nothing=1&limit=1"), "other");
  assert.equal(refusal("limit=0&is_new=1&made_after=x&color=green"), "color");
  assert.equal(refusal("limit=0&is_new=1&made_after=x"), "made_after");
  assert.equal(refusal("limit=0&is_new=1"), "is_new");
  assert.equal(refusal("limit=0&starting_after=x&ending_before=y"), "limit");
  assert.equal(refusal("starting_after=x&ending_before=y"), "ending_before");
});

test("a query's values are named in camel case, null where nothing is given", () => {
  const nothing: QueryValues<typeof LIST> = parseList(new URLSearchParams());
  assert.deepEqual(nothing, {
    color: null,
    madeAfter: null,
    isNew: null,
    note: null,
    limit: 20,
    startingAfter: null,
    endingBefore: null,
  });
  const asked = parseList(new URLSearchParams("is_new=false&note=&made_after=2026-11-20T08:30:00Z&limit=3"));
  assert.deepEqual([asked.isNew, asked.note, asked.limit], [false, "", 3]);
  assert.equal(asked.madeAfter?.toISOString(), "2026-11-20T08:30:00.000Z");
});

test("§7 an unknown name comes back no longer than a name can be", () => {
  for (const [name, shown] of [
    ["x".repeat(100), "x".repeat(100)],
    ["x".repeat(9_000), `${"x".repeat(99)}…`],
    [`${"x".repeat(99)}😀${"y".repeat(50)}`, `${"x".repeat(99)}…`],
  ])
    assert.equal(invalid(name!, "Unknown.").details.param, shown);
});
