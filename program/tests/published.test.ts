import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const program = readFileSync(new URL("../holdfast_escrow.so", import.meta.url)).toString("latin1");
const [BEGIN, END] = ["=======BEGIN SECURITY.TXT V1=======\0", "=======END SECURITY.TXT V1=======\0"] as const;

test("the built file says, in the form that explorers read, whom to tell of a weakness", () => {
  const parts = program.split(BEGIN);
  assert.equal(parts.length, 2, "one beginning");
  const [inside, ...rest] = parts[1]!.split(END);
  assert.equal(rest.length, 1, "one end behind it");
  const fields = inside!.split("\0");
  assert.equal(fields.pop(), "", "each key and each value ends with a zero byte");
  const pairs = Object.fromEntries(fields.flatMap((key, index) => (index % 2 === 0 ? [[key, fields[index + 1]]] : [])));
  assert.deepEqual(Object.keys(pairs), [
    ...["name", "project_url", "contacts", "policy"],
    ...["preferred_languages", "auditors"],
  ]);
  for (const [key, value] of Object.entries(pairs)) assert.ok(value!.length > 0, key);
  for (const contact of pairs.contacts!.split(","))
    assert.match(contact, /^(email|link|discord|telegram|twitter|other):.+/);
});
