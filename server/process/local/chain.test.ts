import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailableError } from "../../chain/port.ts";
import { whileItLives } from "./chain.ts";

const LIVES = new Promise<never>(() => undefined);

test("a local chain that is slow to answer is asked again for as long as its process lives, and no longer than it may", async () => {
  let asked = 0;
  const away = new ChainUnavailableError("no answer within 5000 ms");
  const answer = async () => {
    if (++asked < 3) throw away;
    return "joined";
  };
  assert.equal(await whileItLives(LIVES, answer), "joined");
  assert.equal(asked, 3);
  const never = () => Promise.reject(away);
  await assert.rejects(whileItLives(LIVES, never, 0), away);
  await assert.rejects(whileItLives(Promise.resolve(1), never), away);
  const wrong = new Error("This database belongs to another chain.");
  await assert.rejects(
    whileItLives(LIVES, () => Promise.reject(wrong)),
    wrong,
  );
});
