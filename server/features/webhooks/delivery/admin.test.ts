import assert from "node:assert/strict";
import { test } from "node:test";
import { ActionError } from "../../../domain/actionError.ts";
import { replayAll } from "./admin.ts";
import type { ResendRow } from "./resends/queries.ts";

const PART: ResendRow = {
  ...{ id: "res_1", request: "{}", position: "5000", up_to_sequence: "12000" },
  ...{ resent: 5_000, made: 0, ended_at: null, limited: false },
};
const ENDED: ResendRow = { ...PART, position: "10000", resent: 12_000, ended_at: new Date(0) };
const waiting = new ActionError("resends_waiting", "100000 attempts are already queued.");

/** Gives one part after the other, or throws it. */
function stepsOf(...steps: readonly (ResendRow | Error)[]) {
  const left = [...steps];
  return async (): Promise<ResendRow> => {
    const step = left.shift()!;
    if (step instanceof Error) throw step;
    return step;
  };
}

test("§13.8.5 a replay on the command line that fills the queue says what it has queued and where to continue", async () => {
  const { resent, next } = await replayAll(stepsOf(PART, waiting));
  assert.deepEqual([resent, next], [5_000, "5000"]);
});

test("§13.8.5 a replay that is refused at once, or fails otherwise, is an error; one that ends has nothing left", async () => {
  await assert.rejects(replayAll(stepsOf(waiting)), { code: "resends_waiting" });
  await assert.rejects(replayAll(stepsOf(PART, new Error("lost"))), { message: "lost" });
  assert.equal((await replayAll(stepsOf(PART, ENDED))).next, null);
  assert.equal((await replayAll(stepsOf(PART, { ...ENDED, limited: true }))).next, "10000");
});
