import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followLife, type TransactionLife } from "./life.ts";

const live = (msLeft: number): TransactionLife => ({ status: "live", msLeft });
const over = (status: "landed" | "failed" | "ended"): TransactionLife => ({ status, msLeft: null });

/** Follows a life whose answers are given in turn; the last one repeats, and null is an outage. */
async function follow(answers: readonly (TransactionLife | null)[], seconds: number) {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let nowMs = 0;
  const clock = mock.method(performance, "now", () => nowMs);
  const said: (number | string)[] = [];
  let asked = 0;
  const stop = followLife({
    ask: async () => {
      const answer = answers[asked++] ?? answers.at(-1);
      if (!answer) throw new TypeError("fetch failed");
      return answer;
    },
    onLeft: (left) => said.push(left),
    onEnd: (status) => said.push(status),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  for (let second = 0; second < seconds; second++) {
    nowMs += 1_000;
    mock.timers.tick(1_000);
    await settle();
  }
  stop();
  mock.timers.reset();
  clock.mock.restore();
  return { said, asked };
}

test("§12.8 the seconds count down between the answers, and each answer corrects them", async () => {
  const { said } = await follow([live(8_400), live(9_300)], 5);
  assert.deepEqual(said, [8, 7, 6, 5, 4, 3, 9]);
});

test("§12.8 only an answer ends a life, and never a clock or an outage", async () => {
  const { said, asked } = await follow([live(1_500), null], 8);
  assert.deepEqual([...new Set(said)], [1, 0]);
  assert.equal(asked, 5, "it is asked again every two seconds");
  assert.deepEqual((await follow([live(500), live(0), over("ended")], 20)).said.at(-1), "ended");
});

test("§12.8 a transaction that has landed is left to the state of its page, and may still be taken back", async () => {
  const { said } = await follow([over("landed"), over("landed"), over("failed")], 20);
  assert.deepEqual(said, ["failed"]);
});
