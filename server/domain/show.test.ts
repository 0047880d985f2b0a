import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { previousAttributes, showFields, showList, showText, showTime } from "./show.ts";

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
