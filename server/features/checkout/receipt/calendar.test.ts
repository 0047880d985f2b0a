import assert from "node:assert/strict";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import { aDispute, OPENED_AT } from "../../disputes/fixtures.ts";
import { datesOf as datesOfDispute } from "../case/turn.ts";
import { ENGLISH } from "../languages/english.ts";
import { calendarText } from "./calendar.ts";
import { datesOf } from "./story.ts";

const PLACE = { url: "https://pay.example/pay/p/9wJ4", now: new Date("2026-11-28T04:24:00.000Z") };

test("§14.3 a date is an event of a calendar, in lines of 75 octets, with every text escaped and an alarm a day before", () => {
  const at = new Date("2026-12-05T04:24:05.678Z");
  const title = "Café; 24,50 \\ USDC";
  const calendar = calendarText([{ id: "protected", at, title, text: `One\ntwo ${"ü".repeat(60)}` }], PLACE);
  const lines = calendar.split("\r\n");
  assert.ok(
    lines.every((line) => Buffer.byteLength(line) <= 75 && !line.includes("\n")),
    calendar,
  );
  const unfolded = calendar.replaceAll("\r\n ", "").split("\r\n");
  assert.deepEqual(unfolded, [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Holdfast//Payments//EN", "BEGIN:VEVENT"],
    ...["UID:protected-pay.example/pay/p/9wJ4", "DTSTAMP:20261128T042400Z", "DTSTART:20261205T042405Z"],
    ...["SUMMARY:Café\\; 24\\,50 \\\\ USDC", `DESCRIPTION:One\\ntwo ${"ü".repeat(60)}`, `URL:${PLACE.url}`],
    ...["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Café\\; 24\\,50 \\\\ USDC", "TRIGGER:-P1D", "END:VALARM"],
    ...["END:VEVENT", "END:VCALENDAR", ""],
  ]);
});

test("§14.3 a receipt has the date that its clock runs to, a dispute the end of the turn and of the arbiter's time, and what has ended none", () => {
  const of = (name: string) => datesOf(ENGLISH.receipt, RECEIPT_VIEWS[name]!).map(({ at, title }) => [at, title]);
  assert.deepEqual(of("protected"), [
    [
      RECEIPT_VIEWS.protected!.payment.protectionDeadline,
      "Last moment to open a dispute: 24.50 USDC to Fernweh Coffee",
    ],
  ]);
  assert.match(
    String(of("disputed")[0]![1]),
    /^If nobody has decided, what is in the escrow goes back to you now: 24\.50 USDC/,
  );
  for (const name of ["settling", "settled", "refunded", "vanished", "closed"]) assert.deepEqual(of(name), [], name);
  const dispute = aDispute({ reason: "other" });
  const datesAt = (now: Date, one = dispute) =>
    datesOfDispute(ENGLISH.dispute, { dispute: one, questions: [] }, now, "Dispute").map(({ at }) => at);
  assert.deepEqual(datesAt(OPENED_AT), [dispute.answerBy, dispute.resolveBy]);
  assert.deepEqual(datesAt(dispute.answerBy), [dispute.resolveBy]);
  assert.deepEqual(datesAt(OPENED_AT, { ...dispute, status: "closed", turn: "nobody" }), []);
});
