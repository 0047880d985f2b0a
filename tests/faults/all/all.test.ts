import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../random.ts";
import { Deck, KINDS } from "./kinds.ts";

test("each kind of fault comes once before any comes again, those of a round break different parts, and a seed repeats them", () => {
  const rounds = (seed: number) => {
    const deck = new Deck(new Random(seed), KINDS);
    return Array.from({ length: 200 }, () => deck.draw(3));
  };
  const drawn = rounds(7);
  assert.deepEqual(rounds(7), drawn);
  assert.notDeepEqual(rounds(8), drawn);
  for (const kinds of drawn) {
    const places = kinds.flatMap((kind) => kind.places);
    assert.equal(new Set(places).size, places.length);
  }
  const names = drawn.flat().map(({ name }) => name);
  const first = names.slice(0, KINDS.length);
  assert.deepEqual(first.toSorted(), KINDS.map(({ name }) => name).toSorted());
});
