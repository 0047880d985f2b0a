import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ENTRY = fileURLToPath(new URL("./admin.ts", import.meta.url));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the command in its own process, on an empty data folder. */
async function command(...words: readonly string[]): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-admin-"));
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  try {
    return await new Promise((resolve) =>
      execFile(process.execPath, [ENTRY, ...words], { env }, (error, output, errors) =>
        resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
      ),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("help of all commands, of a group and of one command is printed and ends with 0", async () => {
  const [all, group, one, ruling] = await Promise.all([
    command("--help"),
    command("business", "--help"),
    command("key", "add", "--help"),
    command("resolve", "-h"),
  ]);
  for (const { code, errors } of [all, group, one, ruling]) assert.deepEqual([code, errors], [0, ""]);
  assert.match(all.output, /business set .*operator propose/s);
  assert.match(group.output, /business add/);
  assert.doesNotMatch(group.output, /key add/);
  assert.match(one.output, /^npm run admin -- key add <business id>/);
  assert.doesNotMatch(one.output, /key roll/);
  assert.match(one.output, /\[--environment test\|live \(default test\)\] \[--rate <requests per minute>\]/);
  assert.match(
    ruling.output,
    /^npm .* resolve <payment> <total\|all\|none> \(--key-file <file> \| --print\) \[--environment/,
  );
  assert.match(ruling.output, /--print prints the unsigned transaction/);
});

test("a command that is unknown, incomplete or fails ends with 1 and one sentence about it", async () => {
  const cases = [
    [[], /^npm run admin -- <command>/],
    [["nonsense"], /^Unknown command "nonsense"/],
    [["business", "nonsense"], /^Unknown command "business nonsense"\. Commands of business:\n {2}business add/],
    [["key"], /^Unknown command "key"\. Commands of key:/],
    [["key", "add", "--wrong"], /Unknown option '--wrong'.*\nUsage: key add/s],
    [["business", "add", "Shop"], /^No instance found: .* is missing\./],
    [["operator", "show"], /^No test chain is set, and no local one runs/],
    [["operator", "show", "--environment", "prod"], /^--environment takes one of test, live/],
    [["resolve"], /^Specify the payment: resolve <payment> <total\|all\|none>\.$/m],
    // A wrong value is refused before the database is looked for.
    [["webhook", "add", "biz_1"], /^Specify --url: webhook add <business id> --url <https:\/\/…>\.$/m],
    [["key", "add", "biz_1", "--rate", "1e3"], /^--rate takes a whole number of requests per minute, 1 to 1000000\.$/m],
    [
      ["dispute", "outcomes", "set", "other", "--text", "\u200b"],
      /^--text takes 1 to 500 characters of plain text\.$/m,
    ],
  ] as const;
  const ended = await Promise.all(cases.map(([words]) => command(...words)));
  for (const [index, [words, sentence]] of cases.entries()) {
    const { code, output, errors } = ended[index]!;
    assert.deepEqual([code, output], [1, ""], words.join(" "));
    assert.match(errors, sentence);
    assert.doesNotMatch(errors, /^\s+at /m, "no stack");
  }
});
