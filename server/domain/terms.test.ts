import assert from "node:assert/strict";
import { test } from "node:test";
import { OUTCOMES, PERIOD_SECONDS, PERIODS, STATUSES } from "@holdfast/escrow-client";
import fc from "fast-check";
import {
  mismatches,
  PAYMENT_OUTCOMES,
  PAYMENT_STATUSES,
  PROTECTION_PERIODS,
  PROTECTION_SECONDS,
  TERMS,
  type Terms,
} from "./terms.ts";

const terms = fc.record<Terms>({
  recipient: fc.constantFrom("a", "b"),
  amount: fc.constantFrom("999", "1000", "1001"),
  asset: fc.constantFrom("x", "y"),
  protectionPeriod: fc.constantFrom(...PROTECTION_PERIODS),
});

test("§4.5.3 exactly the terms that differ are named, in the document's order", () => {
  fc.assert(
    fc.property(terms, terms, (wanted, observed) => {
      assert.deepEqual(
        mismatches(wanted, observed),
        TERMS.filter((term) => wanted[term] !== observed[term]),
      );
      assert.deepEqual(mismatches(wanted, { ...wanted }), []);
    }),
  );
});

test("§2.1 the periods are an hour and 1, 3, 7, 14, 30 days", () => {
  const days = PROTECTION_PERIODS.map((period) => PROTECTION_SECONDS[period] / 86_400);
  assert.deepEqual(days, [1 / 24, 1, 3, 7, 14, 30]);
});

test("the service and the program mean the same by periods, statuses and outcomes", () => {
  assert.deepEqual([...PERIODS], [...PROTECTION_PERIODS]);
  assert.deepEqual({ ...PERIOD_SECONDS }, { ...PROTECTION_SECONDS });
  assert.deepEqual([...STATUSES], [...PAYMENT_STATUSES]);
  assert.deepEqual([...OUTCOMES], [...PAYMENT_OUTCOMES]);
});
