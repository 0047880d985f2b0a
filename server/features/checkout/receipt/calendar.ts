import type { Reply } from "../../../edge/http/app.ts";
import { DATA_HEADERS } from "../../../edge/http/headers.ts";

/** A date of a payment, for a person's calendar. */
export interface CalendarDate {
  /** Names it among the dates of its payment, so that a later one takes its place. */
  readonly id: string;
  readonly at: Date;
  readonly title: string;
  readonly text: string;
}

/** Octets of a line, without its end (RFC 5545 §3.1). */
const LINE_BYTES_MAX = 75;

/** Writes dates as a calendar (RFC 5545), each with an alarm a day before. `now`: the time of writing; `url`: the page that has them. */
export function calendarText(
  dates: readonly CalendarDate[],
  { url, now }: { readonly url: string; readonly now: Date },
) {
  const events = dates.flatMap(({ id, at, title, text }) => [
    "BEGIN:VEVENT",
    `UID:${id}-${url.replace(/^\w+:\/\//, "")}`,
    `DTSTAMP:${timeText(now)}`,
    `DTSTART:${timeText(at)}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    `URL:${url}`,
    ...["BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(title)}`, "TRIGGER:-P1D", "END:VALARM"],
    "END:VEVENT",
  ]);
  const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Holdfast//Payments//EN", ...events, "END:VCALENDAR"];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

const timeText = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, "");

const escaped = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Breaks a long line between characters; the next one begins with a blank. */
function folded(line: string): string {
  let [text, bytes] = ["", 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES_MAX) [text, bytes] = [`${text}\r\n `, 1];
    text += character;
    bytes += size;
  }
  return text;
}

/** Sends dates as a file for the reader's calendar. */
export function sendCalendar(reply: Reply, ...given: Parameters<typeof calendarText>): null {
  reply
    .type("text/calendar; charset=utf-8")
    .headers({
      ...DATA_HEADERS,
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="dates.ics"',
    })
    .send(calendarText(...given));
  return null;
}
