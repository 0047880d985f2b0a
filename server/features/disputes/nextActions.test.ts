import assert from "node:assert/strict";
import { test } from "node:test";
import { advance } from "./advance.ts";
import { type Dispute, FILES_MAX } from "./dispute.ts";
import { aDispute, anOffer, OPENED_AT } from "./fixtures.ts";
import { nextActions } from "./nextActions.ts";
import { DAY_MS, FILE_AFTER_WORD_MS, REPLY_MS } from "./waits.ts";

const at = (ms: number) => new Date(OPENED_AT.getTime() + ms);
/** The sides that are told to be able to do it. */
const sidesOf = (dispute: Dispute, action: "write" | "send_file", ms: number) =>
  nextActions(dispute, at(ms)).flatMap((one) => (one.action === action ? [one.by] : []));
const said = (dispute: Dispute, kind: "statement" | "file", side: "buyer" | "merchant", ms: number): Dispute => {
  const advanced = advance(dispute, { kind, side }, at(ms));
  assert.ok(advanced.ok);
  return advanced.dispute;
};

test("§4.20.1 a side is told that it may send a file exactly while it may: ten, and an hour behind its late word", () => {
  const fresh = aDispute();
  assert.deepEqual(sidesOf(fresh, "send_file", 5_000), ["buyer", "merchant"]);
  const full = Array.from({ length: FILES_MAX }).reduce<Dispute>((one) => said(one, "file", "buyer", 5_000), fresh);
  assert.deepEqual(sidesOf(full, "send_file", 6_000), ["merchant"]);
  assert.deepEqual(sidesOf(full, "write", 6_000), ["buyer", "merchant"]);

  const word = aDispute().answerBy.getTime() - OPENED_AT.getTime() - 1;
  const late = said(said(fresh, "statement", "buyer", word), "statement", "merchant", word);
  const end = late.answerBy.getTime() - OPENED_AT.getTime();
  const deciding = said(late, "statement", "buyer", end);
  assert.equal(deciding.status, "deciding");
  assert.deepEqual(sidesOf(deciding, "write", end + FILE_AFTER_WORD_MS), ["merchant"]);
  assert.deepEqual(sidesOf(deciding, "send_file", end + FILE_AFTER_WORD_MS), ["buyer", "merchant"]);
  assert.deepEqual(sidesOf(deciding, "send_file", end + FILE_AFTER_WORD_MS + 1), ["merchant"]);
  const ends = nextActions(deciding, at(end)).filter(({ action }) => action === "write" || action === "send_file");
  assert.deepEqual(
    ends.map(({ by, until }) => [by, until]),
    [
      ["buyer", at(end + FILE_AFTER_WORD_MS)],
      ["merchant", at(end + REPLY_MS)],
      ["merchant", at(end + REPLY_MS)],
    ],
    "each names the time from which it is refused",
  );
  for (const status of ["paused", "decided", "closed"] as const)
    assert.deepEqual(sidesOf(aDispute({ status }), "send_file", 5_000), []);
});

test("§4.18.9 once the chain lets nobody decide, no offer is an action: nobody could accept it", () => {
  const deciding = aDispute({ status: "deciding", turn: "arbiter" });
  const end = deciding.resolveBy.getTime() - OPENED_AT.getTime();
  const actions = (ms: number) => nextActions(deciding, at(ms)).map(({ action, by }) => `${action} ${by}`);
  assert.ok(actions(end - 1).includes("offer buyer") && actions(end - 1).includes("offer merchant"));
  assert.deepEqual(actions(end), ["refund merchant", "release buyer"]);
});

test("§4.18.9 a side is told to write only if a statement is possible before its time", () => {
  const today = Math.floor(OPENED_AT.getTime() / DAY_MS);
  const used = { buyerDay: today, buyerOfDay: 5 };
  const asked = (until: number) => ({ status: "deciding", questionUntil: at(until) }) as const;
  // It was opened at ten, and the day ends fourteen hours later.
  const end = 14 * (DAY_MS / 24);
  for (const [changes, sides] of [
    [{}, ["buyer", "merchant"]],
    [used, ["buyer", "merchant"]],
    [{ buyerStatements: 20 }, ["merchant"]],
    [{ ...used, ...asked(end) }, ["merchant"]],
    [{ ...used, ...asked(end + 1) }, ["buyer", "merchant"]],
  ] as const)
    assert.deepEqual(sidesOf(aDispute(changes), "write", 5_000), sides, JSON.stringify(changes));
});

test("§4.18.6 after an agreement that failed, nobody is told to offer or accept; a refund and a release are possible", () => {
  const happenings = [
    [1, { kind: "offer", offer: anOffer() }],
    [2, { kind: "offer_accepted", side: "buyer", offer: "of-1" }],
    [2 + 7 * DAY_MS, { kind: "clock" }],
  ] as const;
  const failed = happenings.reduce<Dispute>((one, [ms, happening]) => {
    const advanced = advance(one, happening, at(ms));
    assert.ok(advanced.ok);
    return advanced.dispute;
  }, aDispute());
  const names = new Set(nextActions(failed, at(8 * DAY_MS)).map(({ action }) => action));
  assert.deepEqual([...names], ["refund", "release", "resolve"]);
});
