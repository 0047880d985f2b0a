import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Lru } from "./lru.ts";

const SIZE_MAX = 8;

test("the half of its size that was asked for last is there, as it was set last, and no more than its size", () => {
  const key = fc.integer({ min: 0, max: 20 });
  const act = fc.record({ key, set: fc.option(fc.integer(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
      const lru = new Lru<number, number>(SIZE_MAX);
      const values = new Map<number, number>();
      // Keys that were found or set, the latest last.
      let used: number[] = [];
      for (const { key, set } of acts) {
        if (set !== undefined) {
          lru.set(key, set);
          values.set(key, set);
        } else {
          const found = lru.get(key);
          if (used.slice(-SIZE_MAX / 2).includes(key)) assert.equal(found, values.get(key));
          if (found === undefined) continue;
          assert.equal(found, values.get(key));
        }
        used = [...used.filter((one) => one !== key), key];
      }
      const kept = [...values.keys()].filter((one) => lru.get(one) !== undefined);
      assert.ok(kept.length <= SIZE_MAX, `${kept.length} are kept`);
    }),
  );
});
