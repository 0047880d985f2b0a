import { DatabaseUnavailableError } from "./unavailable.ts";

export type Settings = readonly (readonly [name: string, value: string])[];

/**
 * Every setting of a session that the code relies on, since server, role and database may each have another one. Neither
 * `default_transaction_read_only` nor `synchronous_commit` is among them: these are the operator's decisions.
 */
export const SESSION_SETTINGS: Settings = [
  // The form of values, as `pg` and `readTime` read it.
  ["client_encoding", "UTF8"],
  ["DateStyle", "ISO, MDY"],
  ["IntervalStyle", "postgres"],
  ["TimeZone", "UTC"],
  ["bytea_output", "hex"],
  ["extra_float_digits", "1"],
  // The meaning of statements.
  ["search_path", "public"],
  ["standard_conforming_strings", "on"],
  ["array_nulls", "on"],
  ["transform_null_equals", "off"],
  // A policy that hides rows is an error, not an answer without them.
  ["row_security", "off"],
  ["default_transaction_isolation", "read committed"],
  ["default_transaction_deferrable", "off"],
  // Time-outs: the pools set theirs.
  ["statement_timeout", "0"],
  ["lock_timeout", "0"],
  ["idle_in_transaction_session_timeout", "0"],
  ["idle_session_timeout", "0"],
  ["transaction_timeout", "0"],
  // Without these the server would hold the locks of a client whose machine is gone for hours, and those of a process that
  // ended in the middle of a statement until that statement ends. They work on Linux, macOS and BSD.
  ["client_connection_check_interval", "1s"],
  ["tcp_keepalives_idle", "15"],
  ["tcp_keepalives_interval", "10"],
  ["tcp_keepalives_count", "3"],
  ["tcp_user_timeout", "45s"],
  // Every statement of the service is short. The plan types that planSettings.ts avoids have a huge estimated cost, so a
  // PostgreSQL with a compiler would compile such a statement for seconds before it runs for a millisecond.
  ["jit", "off"],
];

/** A value of each kind that depends on settings; it must return as it was sent. */
const SENT = {
  time: new Date("2026-03-29T01:30:00.123Z"),
  number: 0.1 + 0.2,
  bytes: Buffer.from([0, 39, 92, 255]),
  text: "Zoë 'n\\ 🙂",
};
type Returned = Readonly<Record<keyof typeof SENT, unknown>>;

/** The columns of a statement whose first parameters are {@link SENT_VALUES}. */
export const RETURNED = "$1::timestamptz as time, $2::float8 as number, $3::bytea as bytes, $4::text as text";
export const SENT_VALUES = [SENT.time.toISOString(), SENT.number, SENT.bytes, SENT.text] as const;

/** Throws {@link DatabaseUnavailableError} if a value of {@link RETURNED} is another than was sent. */
export function requireUnchanged({ time, number, bytes, text }: Returned): void {
  const same: Readonly<Record<keyof typeof SENT, boolean>> = {
    time: time instanceof Date && time.getTime() === SENT.time.getTime(),
    number: number === SENT.number,
    bytes: Buffer.isBuffer(bytes) && bytes.equals(SENT.bytes),
    text: text === SENT.text,
  };
  const changed = Object.entries(same).flatMap(([kind, isSame]) => (isSame ? [] : [kind]));
  if (changed.length > 0)
    throw new DatabaseUnavailableError(
      `The database returns another value than was sent (${changed.join(", ")}): something between drops the settings of a session.`,
      "other",
    );
}
