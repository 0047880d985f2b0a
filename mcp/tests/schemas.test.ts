import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as schemas from "../schemas.ts";
import { refusalOf } from "../tools/plays.ts";
import { rank, sectionsOf } from "../tools/searchDocs.ts";

const OBJECTS = {
  PaymentIntent: schemas.intent,
  Payment: schemas.payment,
  Dispute: schemas.dispute,
  PaymentEvent: schemas.event,
  Business: schemas.business,
  Chain: schemas.chain,
  Verification: schemas.verification,
};

test("every member that an answer declares is one of the API's object, and one that is always there", async () => {
  const document = JSON.parse(await readFile(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  for (const [name, { shape }] of Object.entries(OBJECTS)) {
    const always = document.components.schemas[name].required;
    for (const member of Object.keys(shape)) assert.ok(always.includes(member), `${name}.${member}`);
  }
});

test("what writes takes a key of scope full in test, and no other", () => {
  const key = (environment: "test" | "live", scope: "full" | "read" | "disputes") =>
    refusalOf({ environment, apiKey: { id: "key", scope } });
  assert.equal(key("test", "full"), null);
  assert.match(key("live", "full")!, /for live/);
  for (const scope of ["read", "disputes"] as const) assert.match(key("test", scope)!, new RegExp(`scope ${scope}`));
});

test("a section with rare words of the question comes first, and # in code begins none", () => {
  const webhooks = "# Webhooks\n\nA delivery.\n\n## Verify a signature\n\nBy HMAC.\n\n```sh\n# a comment\n```\n";
  const sections = [...sectionsOf("/a.md", webhooks), ...sectionsOf("/b.md", "# Events\n\nA delivery has an event.\n")];
  assert.deepEqual(
    sections.map(({ heading }) => heading),
    ["Webhooks", "Verify a signature", "Events"],
  );
  assert.equal(rank(sections, "verify a delivery", 1)[0]!.heading, "Verify a signature");
  assert.deepEqual(rank(sections, "refunds", 5), []);
});
