import { createHash } from "node:crypto";
import { amountWords } from "@holdfast/ui/amount.ts";
import type { Environment } from "../../../domain/terms.ts";
import { symbolOf } from "../../../domain/tokens.ts";

import type { Answer, AssetRow } from "../overview.ts";

const LINE_OCTETS_MAX = 75;
const DAY_MS = 86_400_000;

/** Folds a line of iCalendar (RFC 5545, 3.1): no more than 75 octets, and no character is split. */
export function foldLine(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    // A further part begins with a space, which counts.
    if (octets + size > LINE_OCTETS_MAX) {
      parts.push(part);
      part = " ";
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n");
}

/** Escapes a text of iCalendar (RFC 5545, 3.3.11). */
export const escapeText = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (found) => `\\${found}`).replaceAll(/\r\n|\r|\n/g, "\\n");

const dateOf = (day: string): string => day.replaceAll("-", "");
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const stampOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

const TEXTS = { locale: "en", tokens: "tokens" };

/** "210.50 USDC, 4 payments" */
function summaryOf({ asset, decimals }: AssetRow, amount: string, payments: number): string {
  const texts = { ...TEXTS, smallestUnits: `smallest units of ${asset}` };
  const { figure, unit } = amountWords(texts, amount, { symbol: symbolOf(asset), decimals });
  return `${figure} ${unit}, ${payments} ${payments === 1 ? "payment" : "payments"}`;
}

/** A dispute to answer, at the time at which talking ends: it is due, not an appointment. */
const answerEvent = ({ id, due }: Answer, calendar: string, now: Date): string[] => [
  "BEGIN:VEVENT",
  `UID:${createHash("sha256").update(id).digest("hex").slice(0, 16)}-${calendar}@holdfast`,
  `DTSTAMP:${stampOf(now)}`,
  `DTSTART:${stampOf(due)}`,
  "SUMMARY:A dispute waits for you until now",
  `DESCRIPTION:${escapeText("Sign in to the dashboard to answer it. It may have changed since.")}`,
  "TRANSP:TRANSPARENT",
  "END:VEVENT",
];

/** The parts of a tenant's calendar. */
export interface CalendarParts {
  readonly assets: readonly AssetRow[];
  readonly answers: readonly Answer[];
}

/**
 * The calendar of a tenant (§13.17.5): an event of a whole day for each token and day of releases, and one for each
 * dispute that waits for the business. It names no business, order or buyer. `id` is a text that no other calendar has.
 */
export function draftCalendar(
  { assets, answers }: CalendarParts,
  environment: Environment,
  id: string,
  now: Date,
): string {
  const events = assets.flatMap((asset) =>
    (asset.days ?? []).flatMap(([day, amount, payments]) => [
      "BEGIN:VEVENT",
      `UID:${dateOf(day)}-${asset.asset}-${id}@holdfast`,
      `DTSTAMP:${stampOf(now)}`,
      `DTSTART;VALUE=DATE:${dateOf(day)}`,
      `DTEND;VALUE=DATE:${dateOf(dayAfter(day))}`,
      `SUMMARY:${escapeText(summaryOf(asset, amount, payments))}`,
      `DESCRIPTION:${escapeText("Released on this day (UTC) if no one objects.")}`,
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ]),
  );
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Holdfast//Releases//EN",
    "CALSCALE:GREGORIAN",
    `X-WR-CALNAME:${escapeText(environment === "live" ? "Releases" : "Releases (test)")}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    "X-PUBLISHED-TTL:PT6H",
    ...events,
    ...answers.flatMap((answer) => answerEvent(answer, id, now)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}
