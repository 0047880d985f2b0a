import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, parseChoice, TEXT } from "../../edge/admin.ts";
import { UNMATCHED_REASONS } from "../payments/unmatched.ts";
import { listUnmatched } from "./queries.ts";

export const recordingVerbs: readonly AdminVerb[] = [
  {
    usage: `unmatched list [--environment test|live] [--reason ${UNMATCHED_REASONS.join("|")}] [--since <time>] [--before <address>] [--limit <n>]`,
    does: "Lists payments on chain that are not bound to an intent, newest first.",
    more: `unknown_payment_id: no intent has the payment's ID. After a restore, these are payments of intents that the backup lacks;
sender and recipient know the order. terms_differ: the ID belongs to an intent, but the terms differ from it.
closed: the payment was paid out and closed before the service saw it. Anyone can make such payments, so most may be
noise. All are rechecked and paid out like any other. For the next page, add --before <last address of this page>.`,
    options: { environment: TEXT, reason: TEXT, since: TEXT, before: TEXT, limit: TEXT },
    run: list,
  },
];

const LIMIT_MAX = 1_000;

async function list({ database, options }: AdminCall): Promise<AdminAnswer> {
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  const reason = options.reason === undefined ? null : parseChoice("reason", options.reason, UNMATCHED_REASONS);
  const limit = Number(options.limit ?? 100);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw new AdminError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`);
  const since = options.since === undefined ? null : new Date(String(options.since));
  if (since !== null && Number.isNaN(since.getTime()))
    throw new AdminError("--since takes an ISO 8601 time such as 2026-11-20T09:00:00Z.");
  const before = options.before === undefined ? null : String(options.before);
  const found = await listUnmatched(database, environment, { reason, since, before, limit });
  if (found === null) throw new AdminError(`${before} is not an unmatched payment in ${environment}.`);
  const data = found.map((one) => ({ object: "unmatched_payment", ...one }));
  const lines = data.map(
    (one) =>
      `${one.id}  ${one.reason}  ${one.status}  paymentId ${one.paymentId}  ${one.amount} of ${one.asset ?? "unknown"}  ` +
      `from ${one.sender ?? "unknown"} to ${one.recipient ?? "unknown"}${one.createdAt === null ? "" : `  ${one.createdAt.toISOString()}`}`,
  );
  return { result: { object: "list", data }, text: lines.length === 0 ? "No unmatched payments." : lines.join("\n") };
}
