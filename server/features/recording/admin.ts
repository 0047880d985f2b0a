import { oneOf, TEXT, whole } from "../../domain/values.ts";
import { AdminError, adminVerb, ENVIRONMENT, maybe, option, SINCE, withDefault } from "../../edge/admin.ts";
import { UNMATCHED_REASONS } from "../payments/unmatched.ts";
import { listUnmatched } from "./queries.ts";

export const recordingVerbs = [
  adminVerb({
    words: "unmatched list",
    takes: {
      environment: ENVIRONMENT,
      reason: maybe(option(oneOf(UNMATCHED_REASONS))),
      since: maybe(SINCE),
      before: maybe(option(TEXT, "address")),
      limit: withDefault(option(whole(1, 1_000), "n"), 100),
    },
    does: "Lists payments on chain that are not bound to an intent, newest first.",
    more: `unknown_payment_id: no intent has the payment's ID. After a restore, these are payments of intents that the backup lacks;
sender and recipient know the order. terms_differ: the ID belongs to an intent, but the terms differ from it.
closed: the payment was paid out and closed before the service saw it. Anyone can make such payments, so most may be
noise. All are rechecked and paid out like any other. For the next page, add --before <last address of this page>.`,
    run: async ({ database, environment, reason, since, before, limit }) => {
      const found = await listUnmatched(database, environment, { reason, since, before, limit });
      if (found === null) throw new AdminError(`${before} is not an unmatched payment in ${environment}.`);
      const data = found.map((one) => ({ object: "unmatched_payment", ...one }));
      const lines = data.map(
        (one) =>
          `${one.id}  ${one.reason}  ${one.status}  paymentId ${one.paymentId}  ${one.amount} of ${one.asset ?? "unknown"}  ` +
          `from ${one.sender ?? "unknown"} to ${one.recipient ?? "unknown"}${one.createdAt === null ? "" : `  ${one.createdAt.toISOString()}`}`,
      );
      return { result: { object: "list", data }, text: lines.join("\n") || "No unmatched payments." };
    },
  }),
];
