import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf, placeOf, textOf } from "./historyEntry.ts";

const entry = (action: string, details: object = {}) => ({ action, details }) as Parameters<typeof detailOf>[0];

test("§13.15 an entry reads as words, with what is known about it", () => {
  const read = (action: string, details?: object) => [textOf(entry(action, details)), detailOf(entry(action, details))];
  assert.deepEqual(read("signed_in", { method: "passkey", browser: "new" }), [
    "Signed in",
    "with passkey, from a new browser",
  ]);
  assert.deepEqual(read("signed_in", { method: "password" }), ["Signed in", "with password"]);
  assert.deepEqual(read("tries_used_up", { limit: "account", network: "198.51.100.7" }), [
    "Too many failed sign-in attempts",
    "Wrong passwords from many networks",
  ]);
  assert.deepEqual(read("passkey_removed", { id: "pk_1", name: "Laptop", by: "link" }), [
    "Passkey removed",
    "Laptop, during a password reset",
  ]);
  assert.deepEqual(read("roles_changed", { isOperator: "false", by: "group" }), [
    "Roles in the deployment changed",
    "Operator, by a group of your company: no",
  ]);
  assert.deepEqual(read("company_linked", { person: "kim@shop.example" }), [
    "Company sign-in linked",
    "kim@shop.example",
  ]);
  assert.deepEqual(read("sessions_ended"), ["Signed out everywhere", null]);
  assert.deepEqual(read("something_newer"), ["something_newer", null]);
});

test("§13.15 an entry says from where: the network, or who has none", () => {
  const at = (id: string, address: string | null, details: Record<string, unknown> = {}) =>
    placeOf({ actor: { id, name: "", address }, details });
  assert.equal(at("usr_1", "203.0.113.7"), "203.0.113.7");
  assert.equal(at("service", null, { network: "198.51.100.7" }), "198.51.100.7");
  assert.equal(at("cli", null), "Command line");
  assert.equal(at("service", null), "Service");
});
