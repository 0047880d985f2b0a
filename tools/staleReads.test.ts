import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescribedRoute, readsChangedBy } from "./staleReads.ts";

const route = (line: string, tag: string, more: Partial<DescribedRoute["docs"]> = {}): DescribedRoute => {
  const [method = "", path = "", operationId = ""] = line.split(" ");
  return { method, path, docs: { operationId, tag, ...more } };
};
const READS = [
  route("GET /account getAccount", "Account"),
  route("GET /:business getBusiness", "Businesses"),
  route("GET /:business/keys listKeys", "Keys"),
  route("GET /:business/keys/:key getKey", "Keys"),
  route("GET /:business/keys-of-robots listRobots", "Keys"),
];
const changedBy = (write: DescribedRoute) => readsChangedBy([...READS, write]);

test("a write changes the reads of its tag on the way to it, unless it declares others", () => {
  assert.deepEqual(changedBy(route("POST /:business/keys addKey", "Keys")), [["addKey", ["listKeys"]]]);
  const roll = route("POST /:business/keys/:key/roll rollKey", "Keys");
  assert.deepEqual(changedBy(roll), [["rollKey", ["listKeys", "getKey"]]]);
  const leave = route("POST /:business/leave leave", "Businesses", { changes: ["getAccount"] });
  assert.deepEqual(changedBy(leave), [["leave", ["getAccount"]]]);
});

test("a write that changes no read says so; without reads of its tag it need not", () => {
  assert.deepEqual(changedBy(route("POST /proof prove", "Account", { changes: [] })), []);
  assert.deepEqual(changedBy(route("POST /:business/keys/check checkKey", "Keys", { changesNothing: true })), []);
  assert.deepEqual(changedBy(route("POST /sign-in signIn", "Sign-in")), []);
  assert.throws(() => changedBy(route("POST /proof prove", "Account")), /prove does not say which reads it changes/);
});

test("a declaration that names no read is refused", () => {
  const wrong = route("POST /:business/keys addKey", "Keys", { changes: ["listKeys", "listKeyz"] });
  assert.throws(() => changedBy(wrong), /addKey declares that it changes listKeyz/);
  const write = route("POST /:business/keys addKey", "Keys", { changes: ["addKey"] });
  assert.throws(() => changedBy(write), /declares that it changes addKey/);
});
