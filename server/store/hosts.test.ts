import assert from "node:assert/strict";
import { test } from "node:test";
import { readHosts } from "./hosts.ts";

test("an address is taken apart into one for each host, which keeps all else", () => {
  const text = "postgresql://shop:p%40ss@one:5432,two,[::1]:5433/books?sslmode=require&target_session_attrs=read-write";
  assert.deepEqual(readHosts(text), {
    urls: [
      "postgresql://shop:p%40ss@one:5432/books?sslmode=verify-full",
      "postgresql://shop:p%40ss@two/books?sslmode=verify-full",
      "postgresql://shop:p%40ss@[::1]:5433/books?sslmode=verify-full",
    ],
    wanted: "read-write",
  });
});

test("of several hosts one that takes writes is wanted; of one, that one, unless the address says otherwise", () => {
  assert.equal(readHosts("postgres://one,two/books").wanted, "read-write");
  assert.equal(readHosts("postgres://one,two/books?target_session_attrs=any").wanted, "any");
  assert.equal(readHosts("postgres://one/books").wanted, "any");
  assert.equal(readHosts("postgres://one/books?target_session_attrs=primary").wanted, "read-write");
  assert.deepEqual(readHosts("postgres:///books?host=/run/db").urls, ["postgres:///books?host=/run/db"]);
});

test("what names no hosts is refused in words that repeat no password", () => {
  for (const text of ["mysql://a:hunter2@one/b", "postgres://a:hunter2@one,,two/b", "postgres://a:hunter2@one:x,two/b"])
    assert.throws(() => readHosts(text), { name: "DatabaseUrlError", message: /^must (?!.*hunter2)/ });
  for (const password of ["pa#ss", "pa/ss", "pa?ss", "12#ss", "12/ss", "12?ss"])
    assert.throws(() => readHosts(`postgres://a:${password}@one/b`), {
      message: /^seems to have a \/ \? or # in its password: write them as %2F %3F %23(?!.*ss@)/,
    });
  for (const right of ["pa@ss", "pa:ss", "p%23ss"]) assert.ok(readHosts(`postgres://a:${right}@one/b?x=y@z`));
  for (const wanted of ["read-only", "standby", "prefer-standby", "nonsense"])
    assert.throws(
      () => readHosts(`postgres://one/b?target_session_attrs=${wanted}`),
      /^DatabaseUrlError: takes target/,
    );
});
