import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionLocks } from "./locks.ts";
import { openTestDatabase } from "./testing.ts";

test("§4.8 many names locked at once are asked for one after the other, as pg wants it, and each has one holder", async () => {
  await using opened = await openTestDatabase();
  const [one, other] = [new SessionLocks(opened.database), new SessionLocks(opened.database)];
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  try {
    const names = Array.from({ length: 50 }, (_, number) => `name ${number}`);
    const taken = await Promise.all(names.flatMap((name) => [one.tryLock(name), other.tryLock(name)]));
    for (let at = 0; at < taken.length; at += 2) assert.equal(Number(taken[at]) + Number(taken[at + 1]), 1);
    await Promise.all(names.flatMap((name) => [one.unlock(name), other.unlock(name)]));
    assert.deepEqual(
      await Promise.all(names.map((name) => one.tryLock(name))),
      names.map(() => true),
    );
  } finally {
    process.off("warning", note);
    await Promise.all([one.close(), other.close()]);
  }
  assert.deepEqual(warnings, []);
});
