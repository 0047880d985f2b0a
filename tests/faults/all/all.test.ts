import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Random } from "../random.ts";
import { Deck, hits, KINDS } from "./kinds.ts";
import { type Row, sumRows, writeRow } from "./rows.ts";

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

test("a fault hits work of the parts that it breaks", () => {
  const hit = KINDS.filter((kind) => hits(kind, new Set(["emails"]))).map(({ name }) => name);
  assert.ok(hit.includes("hostile mail server") && hit.includes("api killed") && hit.includes("connections cut"));
  assert.ok(!hit.includes("worker killed"));
  assert.ok(KINDS.every((kind) => !hits(kind, new Set())));
});

test("rows of runs add up, of times the longest counts, one that never came is told, and a kind above its part of the faults", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "rows-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const run: Row = {
    ...{ commit: "0123abcd", seed: 7, minutes: 4, faults: 40, hit: 30, most: 2, upgrades: 1 },
    ...{ intents: 1_000, payments: 900, disputes: 90, acts: 10, events: 5_000, deliveries: 10_001, repeated: 1 },
    ...{ restSeconds: 9, rateSeconds: 1.5 },
  };
  const none = { ...run, seed: 9, rateSeconds: null };
  const lasting = { ...run, seed: 10, rateSeconds: Number.POSITIVE_INFINITY };
  const quiet = { ...run, seed: 8, minutes: 60, faults: 400, hit: 300, most: 12, restSeconds: 8, rateSeconds: 4.5 };
  writeFileSync(join(folder, "rows.md"), `| Commit |\n| --- |\n${writeRow(run)}\n${writeRow(quiet)}\n`);
  assert.match(writeRow(run), /\| 30 \| 2 \(above 5 %\) \|/);
  assert.equal(
    sumRows(join(folder, "rows.md")),
    "| all | 2 runs | 64 | 440 | 330 | 14 | 2 | 2000 | 1800 | 180 | 20 | 10000 | 20002 | 2 | 9 | 4.5 |",
  );
  const rateOf = (...rows: readonly Row[]) => {
    writeFileSync(join(folder, "rows.md"), rows.map(writeRow).join("\n"));
    return sumRows(join(folder, "rows.md")).split(" | ").at(-1);
  };
  assert.equal(rateOf(none), "none |", "no restart came alone");
  assert.equal(rateOf(none, run), "1.5 |");
  assert.equal(rateOf(none, lasting, run), "never |", "the rate did not come back");
});
