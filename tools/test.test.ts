import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

const HEAD = `import { test } from "node:test"; import { existsSync, writeFileSync } from "node:fs";\n`;
const PASSES = `${HEAD} test("passes", () => {});`;
const FAILS = `${HEAD} test("always fails", () => { throw new Error("planted"); });`;
const CRASHES = `${HEAD} test("passes first", () => {}); test("crashes", () => process.exit(3));`;
const STOPS = `${HEAD} test("passes first", () => {}); test("is cut off", () => setTimeout(() => process.exit(0), 100).ref() && new Promise(() => {}));`;
const SKIPS = `${HEAD} test.skip("is skipped");`;
const EMPTY = `${HEAD} existsSync(".");`;
/** Two tests, one of which does the deed the first time only. */
const once = (deed: string) => `${HEAD}
  test("is steady", () => {});
  test("is flaky", () => {
    const mark = new URL("mark", import.meta.url);
    if (existsSync(mark)) return;
    writeFileSync(mark, "");
    ${deed}
  });`;
const FAILS_ONCE = once(`throw new Error("planted");`);
const CRASHES_ONCE = once("process.exit(3);");

interface Ran {
  readonly code: number | null;
  readonly text: string;
  /** The numbers of the closing lines. */
  readonly closing: Readonly<Record<string, number>>;
}

/** Runs `tools/test.ts` on a tree of test files and house checks. */
function runOn(tree: Record<string, string>, ...args: string[]): Ran {
  const root = mkdtempSync(join(tmpdir(), "holdfast-planted-"));
  try {
    for (const [path, text] of Object.entries({ "tools/check.ts": "", ...tree })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    // A runner inside a runner is refused, one on a terminal asks for colours, and no planted test needs a database.
    const { NODE_TEST_CONTEXT: _, FORCE_COLOR: __, ...inherited } = process.env;
    const env = { ...inherited, TEST_DATABASE_URL: "postgres://nobody@localhost:1/none" };
    const command = [...process.execArgv, join(import.meta.dirname, "test.ts"), "--root", root, ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", env });
    const text = stdout + stderr;
    const numbers = stdout.split("\n").flatMap((line) => [...line.matchAll(/^ℹ ([a-z]+) (\d+)$/g)]);
    return { code: status, text, closing: Object.fromEntries(numbers.map(([, name, n]) => [name!, Number(n)])) };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("with --retry what failed once passes alone, and is named as flaky", () => {
  const { code, text, closing } = runOn(
    { "a.test.ts": PASSES, "b.test.ts": FAILS_ONCE, "in/c.test.ts": CRASHES_ONCE },
    "--retry",
  );
  assert.equal(code, 0, text);
  const { tests, pass, fail, cancelled, flaky } = closing;
  assert.deepEqual({ tests, pass, fail, cancelled, flaky }, { tests: 5, pass: 5, fail: 0, cancelled: 0, flaky: 2 });
  assert.match(
    text,
    /^ℹ is flaky: planted$[\s\S]*failing tests:[\s\S]*2 of 3 files failed, and run once more/m,
    "at once, and at the end",
  );
  assert.match(text, /flaky: b\.test\.ts: is flaky$/m);
  assert.match(text, /flaky: in\/c\.test\.ts$/m);
  assert.ok(text.indexOf("FLAKY") < text.indexOf("ℹ tests 5"), "the outcome comes last");
  assert.equal(text.match(/^ℹ fail /gm)!.length, 1, "no closing line says anything else");
});

test("with --retry what fails twice, or ends its process twice, fails the run", () => {
  const { code, text, closing } = runOn(
    { "a.test.ts": FAILS, "b.test.ts": CRASHES, "c.test.ts": FAILS_ONCE },
    "--retry",
  );
  assert.equal(code, 1, text);
  assert.deepEqual([closing.fail, closing.flaky], [2, 1]);
  assert.match(text, /once more[\s\S]*failing tests:[\s\S]*always fails[\s\S]*flaky: c\.test\.ts: is flaky/);
});

test("without --retry a failure stays one, and so does a file that ends its process as if all were well", () => {
  const { code, text, closing } = runOn({ "a.test.ts": PASSES, "b.test.ts": FAILS_ONCE, "c.test.ts": STOPS });
  assert.equal(code, 1);
  assert.ok(closing.fail! >= 1, text);
  // What its first test said may have been lost with the process.
  assert.match(text, /c\.test\.ts ended its process|No test in c\.test\.ts/);
  assert.match(text, /failing tests/);
  assert.doesNotMatch(text, /FLAKY|once more/);
});

for (const [what, tree, says] of [
  ["a file has no test", { "a.test.ts": EMPTY, "b.test.ts": PASSES }, /No test in a\.test\.ts/],
  ["all tests are skipped", { "a.test.ts": SKIPS }, /No test ran/],
  ["there is no test file", { "a.ts": PASSES }, /There are no test files/],
  [
    "house checks fail",
    { "tools/check.ts": "process.exit(1)", "a.test.ts": FAILS_ONCE },
    /FLAKY[\s\S]*house checks fail/,
  ],
] as const) {
  test(`a run with --retry fails where ${what}`, () => {
    const { code, text } = runOn(tree, "--retry");
    assert.equal(code, 1, text);
    assert.match(text, says);
  });
}

test("nothing is run once more where many files fail: something is broken", () => {
  const many = Array.from({ length: 11 }, (_, index) => [`${index}.test.ts`, "throw new Error();"]);
  const { code, text } = runOn(Object.fromEntries(many), "--retry");
  assert.equal(code, 1);
  assert.doesNotMatch(text, /once more/);
});

const SHARES = `${HEAD} test("is in one process with others", () => { globalThis.files = (globalThis.files ?? 0) + 1; });`;
const group = (files: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`steady${index}.test.ts`, SHARES])),
  ...files,
});

test("files that start nothing share processes, and each has its own hooks, counts and failures", () => {
  const hooks = `${HEAD} import { after, before, describe } from "node:test"; let is = false;
    before(() => { if (globalThis.isOpen) throw new Error("another file is open"); is = globalThis.isOpen = true; });
    after(() => { globalThis.isOpen = false; });
    describe("in", () => { test("was prepared", async (t) => { await t.test("sub", () => { if (!is) throw new Error(); }); }); });`;
  const { code, text, closing } = runOn(
    group({ "a.test.ts": hooks, "b.test.ts": hooks, "in/c.test.ts": FAILS, "d.test.ts": "import './gone.ts';" }),
  );
  assert.equal(code, 1, text);
  const { tests, suites, pass, fail } = closing;
  assert.deepEqual({ tests, suites, pass, fail }, { tests: 15, suites: 2, pass: 13, fail: 2 }, text);
  assert.match(text, /failing tests:[\s\S]*always fails[\s\S]*d\.test\.ts/);
  assert.match(text, /^✔ is in one process with others/m, "as if it ran alone");
});

test("a file that ends the process of its group fails, and those behind it run alone", () => {
  const { code, text, closing } = runOn(group({ "a.test.ts": CRASHES }));
  assert.equal(code, 1, text);
  const { pass, fail } = closing;
  assert.deepEqual({ pass, fail }, { pass: 9, fail: 1 }, text);
  assert.match(text, /a\.test\.ts ended its process/);
});

test("what a file leaves behind in its group fails the run", () => {
  const leaves = `${HEAD} test("passes", () => {}); setTimeout(() => { throw new Error("left behind"); }, 50);`;
  const { code, text } = runOn(group({ "z.test.ts": leaves }));
  assert.equal(code, 1, text);
  assert.match(text, /left behind/);
});
