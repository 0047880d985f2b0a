import assert from "node:assert/strict";
import { test } from "node:test";
import { OverloadedError } from "./batch.ts";
import { Turns } from "./turns.ts";

test("work of one name runs one after another, whatever becomes of it, and that of others beside it", async () => {
  const turns = new Turns({ waitingMax: 3 });
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.run("a", async () => {
    await promise;
    seen.push("first");
    throw new Error("It failed.");
  });
  const second = turns.run("a", async () => void seen.push("second"));
  await turns.run("b", async () => void seen.push("other"));
  const third = turns.run("a", async () => void seen.push("third"));
  await assert.rejects(
    turns.run("a", async () => undefined),
    OverloadedError,
  );
  resolve();
  await assert.rejects(first, /It failed/);
  await Promise.all([second, third]);
  assert.deepEqual(seen, ["other", "first", "second", "third"]);
  await turns.run("a", async () => void seen.push("later"));
});

test("work whose turn comes too late is refused, and the next has its turn", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const turns = new Turns({ waitingMax: 3, waitMsMax: 50 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = turns.run("a", () => {
    begin();
    return promise;
  });
  await begun;
  const second = assert.rejects(
    turns.run("a", async () => undefined),
    OverloadedError,
  );
  now = 51;
  resolve();
  await Promise.all([first, second]);
  assert.equal(await turns.run("a", async () => "third"), "third");
});

test("as much work of one name runs at the same time as is allowed, and what ended early makes room", async () => {
  const turns = new Turns({ waitingMax: 10, atOnce: 2 });
  const seen: string[] = [];
  const held = ["a", "b", "c", "d"].map((name) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = turns.run("x", async () => {
      seen.push(name);
      await promise;
    });
    return { resolve, ended };
  });
  assert.deepEqual(seen, ["a", "b"]);
  held[1]!.resolve();
  await held[1]!.ended;
  assert.deepEqual(seen, ["a", "b", "c"]);
  for (const { resolve } of held) resolve();
  await Promise.all(held.map(({ ended }) => ended));
  assert.deepEqual(seen, ["a", "b", "c", "d"]);
});
