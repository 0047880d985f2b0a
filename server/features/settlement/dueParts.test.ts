import assert from "node:assert/strict";
import { test } from "node:test";
import { findDue } from "@holdfast/escrow-client";
import fc from "fast-check";
import { courses } from "../recording/testing/courses.ts";
import { dueSides } from "./dueParts.ts";

const secondsOf = (time: Date): bigint => BigInt(time.getTime() / 1_000);

test("what the service takes for due is what the program's client takes for due, at every time", () => {
  fc.assert(
    fc.property(courses, fc.nat(200), (states, days) => {
      for (const payment of states) {
        const now = new Date(payment.createdAt.getTime() + days * 86_400_000);
        const due = findDue(
          {
            status: payment.status,
            outcome: payment.outcome,
            amount: BigInt(payment.amount),
            refundTotal: BigInt(payment.refundTotal),
            amountRefunded: BigInt(payment.amountRefunded),
            amountReleased: BigInt(payment.amountReleased),
            deadline: secondsOf(payment.protectionDeadline),
            disputedAt: payment.disputedAt === null ? null : secondsOf(payment.disputedAt),
          },
          secondsOf(now),
        );
        const sides = (["sender", "recipient"] as const).filter((side) => due[side] > 0n);
        assert.deepEqual(dueSides(payment, now), sides);
      }
    }),
  );
});
