import assert from "node:assert/strict";
import { test } from "node:test";
import { draftEstimate, Progress } from "./progress.ts";

for (const isTerminal of [true, false])
  test(`a run says how far it is, ${isTerminal ? "on a terminal in one line that is gone at its end" : "in a log now and then"}`, (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    const [lines, states]: [string[], string[]] = [[], []];
    const report = { line: (text: string) => void lines.push(text), status: (text: string) => void states.push(text) };
    const progress = new Progress(report, 3, isTerminal);
    progress.fileEnded();
    context.mock.timers.tick(30_000);
    assert.match([...lines, ...states].at(-1)!, /^1 of 3 files after \d:\d\d$/);
    assert.equal(lines.length, isTerminal ? 0 : 1);
    progress.stop();
    assert.equal(states.at(-1), "");
    const said = states.length + lines.length;
    context.mock.timers.tick(60_000);
    assert.equal(states.length + lines.length, said);
  });

test("the estimate names the machine that it was measured on, and this one", () => {
  assert.match(draftEstimate(234, 16), /^234 test files\. .* \d+ minutes on \d idle cores; this machine has 16/);
});
