import assert from "node:assert/strict";
import { test } from "node:test";
import { Value } from "typebox/value";
import { flag, integer, nullable, other, pick, table, text, time, word } from "../../lib/columns.ts";
import { part, shownObject } from "./objects.ts";

const STATES = ["open", "closed"] as const;
const THINGS = table("things", {
  businessId: word(),
  id: word({ says: "The id.", example: "thing_1" }),
  ownerId: word({ as: "owner", example: "user_1" }),
  state: word({ of: STATES, example: "open" }),
  count: integer({ example: 2, schema: { minimum: 0 } }),
  closedAt: nullable(time({ says: "The time of its end; null while it is open." })),
});
const shown = shownObject(
  "thing",
  {
    ...THINGS.columns,
    isOld: flag({ example: false }),
    words: other<readonly string[]>("text[]", { example: ["a"], schema: { type: "array", items: { type: "string" } } }),
  },
  "A thing.",
);

test("an object shows the members that the API speaks of, under their names and in their order", () => {
  const fields = {
    businessId: "biz_1",
    id: "thing_2",
    ownerId: "user_2",
    state: "closed",
    count: 3,
    closedAt: new Date("2026-11-20T08:30:00Z"),
    isOld: true,
    words: [],
  } as const;
  const text = JSON.stringify(shown.show(fields));
  assert.equal(
    text,
    '{"object":"thing","id":"thing_2","owner":"user_2","state":"closed","count":3,"closedAt":"2026-11-20T08:30:00.000Z","isOld":true,"words":[]}',
  );
  assert.ok(Value.Check(shown.schema, JSON.parse(text)));
});

test("the example is an object of the schema, and the schema refuses what no column holds", () => {
  assert.ok(Value.Check(shown.schema, shown.example));
  assert.deepEqual(Object.keys(shown.example), [
    "object",
    "id",
    "owner",
    "state",
    "count",
    "closedAt",
    "isOld",
    "words",
  ]);
  for (const wrong of [{ state: "lost" }, { count: -1 }, { count: 1.5 }, { closedAt: "today" }, { owner: null }])
    assert.ok(!Value.Check(shown.schema, { ...shown.example, ...wrong }), JSON.stringify(wrong));
});

test("a member that is never null needs an example", () => {
  assert.throws(() => shownObject("thing", { name: text({ says: "The name." }) }, "A thing."), /name has no example/);
  shownObject("thing", pick(THINGS.columns, "id", "closedAt"), "A thing.");
});

test("a part shows its own members under their names, and null where there is none", () => {
  const ended = part(
    { by: word({ as: "user", example: "user_1" }), at: time({ example: "2026-11-20T08:30:00.000Z" }), secret: word() },
    "The end.",
  );
  const details = other<string>("text", {
    example: "{}",
    show: (json) => JSON.parse(json),
    schema: { type: "object" },
  });
  const { schema, example, show } = shownObject("thing", { ended: nullable(ended), details }, "A thing.");
  assert.deepEqual(example.ended, { user: "user_1", at: "2026-11-20T08:30:00.000Z" });
  const fields = { ended: { by: "user_2", at: new Date("2026-11-20T08:30:00Z"), secret: "x" }, details: '{"a":1}' };
  const sent = JSON.parse(JSON.stringify(show(fields)));
  assert.deepEqual(sent, {
    object: "thing",
    ended: { user: "user_2", at: "2026-11-20T08:30:00.000Z" },
    details: { a: 1 },
  });
  assert.ok(Value.Check(schema, sent));
  assert.equal(show({ ...fields, ended: null }).ended, null);
  assert.ok(!Value.Check(schema, { ...sent, ended: { user: "user_2" } }));
});
