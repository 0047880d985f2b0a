import assert from "node:assert/strict";
import { test } from "node:test";
import { asUnavailable, DatabaseUnavailableError } from "./unavailable.ts";

const withCode = (code: string) => Object.assign(new Error(`it failed: ${code}`), { code });
const isUnavailable = (error: unknown): boolean => asUnavailable(error) instanceof DatabaseUnavailableError;

test("§7.2.1 an outage of network, server, disk or memory is unavailable, a fail-over's read-only server too", () => {
  for (const code of ["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED", "ECONNABORTED", "EAI_AGAIN", "ENOTFOUND"])
    assert.ok(isUnavailable(withCode(code)), code);
  for (const code of [
    "08006",
    "57P01",
    "57P03",
    "57P05",
    "53100",
    "53200",
    "53300",
    "58030",
    "25006",
    "25P03",
    "57014",
  ])
    assert.ok(isUnavailable(withCode(code)), code);
  const bothFamilies = new AggregateError([withCode("EINVAL"), withCode("ECONNREFUSED")], "");
  assert.ok(isUnavailable(Object.assign(bothFamilies, { code: "EINVAL" })));
});

test("§7.2.3 our own bugs stay bugs", () => {
  for (const code of [
    "23505",
    "23514",
    "42601",
    "42P01",
    "22012",
    "22P02",
    "25001",
    "25P02",
    "40001",
    "40P01",
    "XX000",
    "EINVAL",
  ])
    assert.ok(!isUnavailable(withCode(code)), code);
  assert.ok(!isUnavailable(new AggregateError([withCode("EINVAL")])));
  assert.ok(!isUnavailable(new TypeError("undefined is not a function")));
  assert.ok(!isUnavailable("a text"));
});
