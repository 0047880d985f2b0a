import assert from "node:assert/strict";
import { test } from "node:test";
import { findProof } from "./check.ts";
import type { Claim } from "./domain.ts";

test("§13.12.2 what is said of the longest domain fits where it is kept", async () => {
  const domain = `${`${"a".repeat(62)}.`.repeat(4).slice(0, 249)}.com`;
  assert.equal(domain.length, 253);
  const claim: Claim = {
    businessId: "biz_1",
    domain,
    token: "x".repeat(43),
    claimedAt: new Date(0),
    provenAt: null,
    failingSince: null,
    checkedAt: null,
    problem: null,
  };
  const { verdict, problem } = await findProof(
    {
      fetchFile: async () => ({ text: null, isAnswer: false, reason: `the name ${domain} leads to ${domain}` }),
      resolveTexts: () => Promise.reject(Object.assign(new Error("no"), { code: "EBADNAME" })),
    },
    claim,
  );
  assert.equal(verdict, "unknown");
  assert.equal(problem!.length, 1_000);
});
