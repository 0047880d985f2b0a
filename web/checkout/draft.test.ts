import assert from "node:assert/strict";
import { test } from "node:test";
import { DraftStore, parseDraft } from "./draft.ts";

const DRAFT = { reason: "other", text: "It broke.", want: "part", part: "12.00" } as const;

test("a draft that this page wrote is read as it was; anything else counts as what it still says", () => {
  assert.deepEqual(parseDraft(JSON.stringify(DRAFT)), DRAFT);
  for (const text of [null, "", "{", "1", "null", '"x"']) assert.equal(parseDraft(text), null, String(text));
  const odd = parseDraft(JSON.stringify({ reason: 7, text: "x".repeat(9_000), want: "more", part: null }));
  assert.deepEqual(odd, { reason: "", text: "x".repeat(5_000), want: "all", part: "" });
});

test("a browser that blocks storage keeps no draft, and says so", (context) => {
  const blocked = () => {
    throw new Error("blocked");
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", { get: blocked, configurable: true });
  context.after(() => before && Object.defineProperty(globalThis, "localStorage", before));
  const store = new DraftStore("/pay/p/1");
  assert.equal(store.load(), null);
  assert.equal(store.save(DRAFT), false);
  store.remove();
});
