import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { computed, digits, flag, integer, json, nullable, slot, stored, text, time, word } from "../lib/columns.ts";
import { previousAttributes, shower, showFields, showList, showText, showTime } from "./show.ts";

const fields = fc
  .dictionary(fc.constantFrom("a", "b", "c", "d"), fc.jsonValue(), { minKeys: 1 })
  .map((values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])));

test("§6.6 previousAttributes holds the earlier values of the fields that changed, and nothing else", () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const shown = previousAttributes(before, after);
      const changed = Object.entries(before).filter(([name, value]) => after[name] !== value);
      if (changed.length === 0) assert.equal(shown, null);
      else assert.equal(shown, showFields(Object.fromEntries(changed)));
    }),
  );
});

test("§6.6 a new checkedAt alone is no change", () => {
  assert.equal(previousAttributes({ checkedAt: "1" }, { checkedAt: "2" }), null);
});

test("§2 objects, lists, texts and times are valid JSON", () => {
  fc.assert(
    fc.property(fields, fc.string(), fc.boolean(), (one, text, hasMore) => {
      assert.deepEqual(Object.keys(JSON.parse(showFields(one))), Object.keys(one));
      assert.equal(JSON.parse(showText(text)), text);
      const list = JSON.parse(showList([showFields(one), showText(text)], hasMore));
      assert.deepEqual([list.object, list.data.length, list.hasMore], ["list", 2, hasMore]);
    }),
  );
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (time) => assert.equal(showTime(time), JSON.stringify(time))),
  );
  assert.equal(showTime(new Date(0)), '"1970-01-01T00:00:00.000Z"');
  assert.equal(showTime(null), "null");
});

test("an object's members are shown in their order, as one text and as fields, computed ones among the columns", () => {
  const members = {
    ownerId: word(),
    id: word({ as: "name" }),
    amount: digits("numeric", {}),
    isOld: computed(flag({})),
    words: text({}),
    source: json({}),
    size: computed(nullable(integer({}))),
    at: time({}),
    slot: slot({}),
    endedAt: nullable(time({})),
  };
  assert.ok(!("isOld" in stored(members)) && "words" in stored(members));
  const show = shower("thing", members);
  const fields = {
    ownerId: "never shown",
    id: "one",
    amount: "18446744073709551615",
    words: 'a "b"\n',
    source: '{"n": 1.0}',
    at: new Date("2026-11-20T08:30:00Z"),
    slot: 7,
    endedAt: null,
  };
  const expected =
    '{"object":"thing","name":"one","amount":"18446744073709551615","isOld":true,"words":"a \\"b\\"\\n","source":{"n": 1.0},"size":null,"at":"2026-11-20T08:30:00.000Z","slot":7,"endedAt":null}';
  assert.equal(show.text(fields, { isOld: true, size: null }), expected);
  assert.equal(showFields(show.fields(fields, { isOld: true, size: null })), expected);
});
