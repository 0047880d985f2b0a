import assert from "node:assert/strict";
import { test } from "node:test";
import { OBSTACLES } from "../../chain/acts.ts";
import { BuyerError, MESSAGE_CHARACTERS_MAX } from "../buyer/error.ts";
import { type ActRefusal, type Audience, refusalTo } from "./refusals.ts";

const missing = 18_446_744_073_709_551_615n;
const refusals: readonly ActRefusal[] = [
  { kind: "not_found" },
  { kind: "other_wallet", needed: "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP" },
  ...OBSTACLES.flatMap((reason): ActRefusal[] => [
    { kind: "not_possible", reason },
    { kind: "would_fail", reason: `${reason}: in the program's words` },
    { kind: "refused", reason: `${reason}: in the program's words` },
  ]),
  { kind: "sol_missing", missing },
  { kind: "sponsor_short", missing },
  { kind: "would_fail", reason: "token program error 17: the account is frozen" },
  { kind: "ended" },
  { kind: "busy" },
  // The longest of a transaction that is none.
  { kind: "invalid", reason: "x".repeat(38) },
  { kind: "unreadable" },
];

test("§4.15.8 every refusal has a sentence for each audience, and a buyer's fits a wallet", () => {
  for (const refusal of refusals)
    for (const audience of ["buyer", "shop", "arbiter"] satisfies Audience[]) {
      const error = refusalTo(audience, refusal);
      assert.ok(error.message.length > 0, refusal.kind);
      assert.equal(error instanceof BuyerError, audience === "buyer", refusal.kind);
      if (audience === "buyer") assert.ok(error.message.length <= MESSAGE_CHARACTERS_MAX, error.message);
    }
});
