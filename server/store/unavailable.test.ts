import assert from "node:assert/strict";
import { test } from "node:test";
import { asAway, asUnavailable, DatabaseUnavailableError } from "./unavailable.ts";

const withCode = (code: string) => Object.assign(new Error(`it failed: ${code}`), { code });
const isUnavailable = (error: unknown): boolean => asUnavailable(error) instanceof DatabaseUnavailableError;

test("§7.2.1 an outage of network, server, disk or memory is unavailable, a fail-over's read-only server too", () => {
  for (const code of ["ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ECONNABORTED", "EPIPE", "ETIMEDOUT"])
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
});

test("§7.2.1 whatever fails before a statement was sent is unavailable: a full socket, no descriptors, a login, a certificate", () => {
  for (const code of ["EAGAIN", "EMFILE", "EACCES", "ENOBUFS", "ECONNREFUSED", "28P01", "3D000", "55000", "XX000"])
    assert.deepEqual([asAway(withCode(code)).outage, asAway(withCode(code)).reason], ["database", "away"], code);
  assert.match(asAway(new Error("self-signed certificate")).message, /self-signed certificate/);
  assert.equal(asAway(withCode("53300")).reason, "full");
  const bothFamilies = new AggregateError([withCode("EADDRNOTAVAIL"), withCode("ECONNREFUSED")], "");
  assert.match(asAway(bothFamilies).message, /EADDRNOTAVAIL/);
  const readOnly = new DatabaseUnavailableError("it only reads", "read-only");
  assert.equal(asAway(readOnly), readOnly);
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
  assert.ok(!isUnavailable(new TypeError("undefined is not a function")));
  assert.ok(!isUnavailable("a text"));
  assert.ok(!isUnavailable(withCode("0A000")));
});

test("a statement that a migration outdated is told in any language of the server's messages", () => {
  const outdated = Object.assign(new Error("gecachter Plan darf den Ergebnistyp nicht ändern"), {
    code: "0A000",
    routine: "RevalidateCachedQuery",
  });
  const failure = asUnavailable(outdated);
  assert.ok(failure instanceof DatabaseUnavailableError && failure.reason === "other");
});
