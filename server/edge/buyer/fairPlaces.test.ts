import assert from "node:assert/strict";
import { test } from "node:test";
import { FairPlaces } from "./fairPlaces.ts";

test("who holds most makes room for who holds less, of any kind of party", () => {
  const places = new FairPlaces(4);
  const ended: string[] = [];
  const take = (name: string, ...parties: string[]) =>
    places.take({ parties, size: 1, end: () => ended.push(name) }) !== null;
  // Two networks, one business.
  for (const [name, network] of [
    ["a", "n1"],
    ["b", "n1"],
    ["c", "n2"],
    ["d", "n2"],
  ] as const)
    assert.ok(take(name, network, "greedy"));
  assert.ok(!take("e", "n1", "greedy"), "no party holds more than its own");
  assert.ok(take("f", "n3", "modest"));
  assert.equal(ended.length, 1);
  assert.ok(take("g", "n4", "modest"), "the greedy business still holds three");
  assert.ok(!take("h", "n2", "modest"), "each business has two, and its network has two");
  assert.equal(ended.length, 2);
});

test("room is given back once, and a big one needs the room of several", () => {
  const places = new FairPlaces(10);
  const small = Array.from({ length: 10 }, () => places.take({ parties: ["many"], size: 1, end: () => undefined }));
  assert.ok(small.every((leave) => leave !== null));
  assert.equal(places.take({ parties: ["one"], size: 6, end: () => undefined }), null, "it would hold more than they");
  const leave = places.take({ parties: ["one"], size: 5, end: () => undefined });
  assert.deepEqual([places.heldBy(0, "one"), places.heldBy(0, "many")], [5, 5]);
  leave!();
  leave!();
  for (const one of small) one!();
  assert.deepEqual([places.heldBy(0, "one"), places.heldBy(0, "many")], [0, 0]);
});

test("a request looks at the greediest party, not at all that is under way", () => {
  const places = new FairPlaces(1_000);
  let looks = 0;
  const holderOf = (party: string) => ({
    get parties() {
      looks++;
      return [party];
    },
    size: 1,
    end: () => undefined,
  });
  for (let count = 0; count < 1_000; count++) assert.ok(places.take(holderOf(`n${count % 10}`)) !== null);
  looks = 0;
  assert.ok(places.take(holderOf("modest")) !== null);
  assert.equal(places.take(holderOf("n1")), null);
  assert.ok(looks < 10, `${looks} looks`);
});
