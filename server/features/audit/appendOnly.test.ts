import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../../", import.meta.url));
const CHANGES =
  /\b(?:update|delete\s+from|truncate(?:\s+table)?|drop\s+table|merge\s+into)\s+(?:only\s+)?(?:audit_log|user_log)\b/i;

/** Modules and migrations whose text would change or delete a log entry. */
const findChanges = (texts: readonly (readonly [path: string, text: string])[]): string[] =>
  texts.filter(([, text]) => CHANGES.test(text)).map(([path]) => path);

test("§13.6.2 no statement of the service changes or removes an entry of a log", () => {
  const paths = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(ts|sql)$/.test(path) && !path.endsWith(".test.ts") && !path.includes("node_modules"),
  );
  const texts = paths.map((path) => [path, readFileSync(`${SERVER}${path}`, "utf8")] as const);
  assert.ok(
    texts.some(([, text]) => text.includes("insert into audit_log")),
    "the test sees the log's module",
  );
  assert.deepEqual(findChanges(texts), []);
});

test("a statement that changes a log is seen", () => {
  for (const text of ["update audit_log set", "DELETE FROM user_log", "truncate audit_log", "update only audit_log"])
    assert.deepEqual(findChanges([["planted.ts", text]]), ["planted.ts"], text);
});
