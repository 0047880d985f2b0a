import { setTimeout as sleep } from "node:timers/promises";
import { deliveryId } from "../../../domain/ids.ts";
import { type AdminAnswer, type AdminCall, AdminError, readChoice } from "../../../edge/admin.ts";
import { endpointOf } from "../endpoints/adminInput.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import { findExtraAttempt, listDeliveries } from "./history.ts";
import { notifyWorkers } from "./notify.ts";
import { type ReplayFrom, replayEvents, resendDelivery, resendObject, sendTest } from "./resends.ts";

const TEST_WAIT_MS = ATTEMPT_MS + 2_000;
const LOOK_MS = 100;

export async function test({ database, positionals: [id] }: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  const event = await sendTest(database, endpoint);
  await notifyWorkers(database);
  for (let waited = 0; waited < TEST_WAIT_MS; waited += LOOK_MS) {
    const attempt = await findExtraAttempt(database, endpoint, event, "test");
    if (attempt !== null) {
      const { succeeded, status_code: statusCode, error } = attempt;
      const durationMs = Number(attempt.took_ms);
      return {
        result: { object: "webhook_test", event, endpoint: id, succeeded, statusCode, error, durationMs },
        text: succeeded ? `${event}: answered ${statusCode} in ${durationMs} ms.` : `${event}: ${error}.`,
      };
    }
    await sleep(LOOK_MS);
  }
  return {
    result: { object: "webhook_test", event, endpoint: id, succeeded: null, statusCode: null, error: null },
    text: `${event} is queued; no worker has sent it yet.`,
  };
}

const STATUSES = ["pending", "succeeded", "abandoned"] as const;
const LIMIT_MAX = 1_000;

export async function deliveries({ database, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  const limit = Number(options.limit ?? 20);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw new AdminError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`);
  const found = await listDeliveries(database, endpoint, {
    status: options.status === undefined ? null : readChoice("status", options.status, STATUSES),
    eventId: typeof options.event === "string" ? options.event : null,
    limit,
  });
  const data = found.map((one) => ({
    object: "webhook_delivery",
    id: deliveryId(one.event_id, endpoint.id),
    endpoint: endpoint.id,
    event: one.event_id,
    type: one.event_type,
    status: one.status,
    attempts: one.attempts,
    dueAt: one.due_at,
    createdAt: one.created_at,
    finishedAt: one.finished_at,
    attemptLog: one.attempt_log,
  }));
  const lines = data.flatMap((one) => [
    `${one.event}  ${one.type}  ${one.status}${one.dueAt === null ? "" : `, due ${one.dueAt.toISOString()}`}`,
    ...one.attemptLog.map(
      (attempt) =>
        `    ${attempt.startedAt}  ${attempt.number ?? "resend"}  ${attempt.error ?? `answered ${attempt.statusCode}`}  ${attempt.durationMs} ms`,
    ),
  ]);
  return { result: { object: "list", data }, text: lines.length === 0 ? "No deliveries." : lines.join("\n") };
}

export async function resend({
  database,
  positionals: [id],
  options: { event, object },
}: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  if ((typeof event === "string") === (typeof object === "string"))
    throw new AdminError("Give either --event <event id> or --object <intent id or payment address>.");
  let count: number;
  if (typeof event === "string") {
    if ((await resendDelivery(database, endpoint, event)) === null)
      throw new AdminError(
        `${event} has no delivery to ${endpoint.id}. To send what it never got, use webhook replay.`,
      );
    count = 1;
  } else {
    count = await resendObject(database, endpoint, String(object));
    if (count === 0) throw new AdminError(`${object} has no event that ${endpoint.id} subscribes to.`);
  }
  await notifyWorkers(database);
  return { result: { object: "webhook_resend", endpoint: endpoint.id, count }, text: `Queued ${count} to send again.` };
}

export async function replay({ database, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  const { resent, made } = await replayEvents(
    database,
    endpoint,
    readFrom(options.since, options["after-sequence"]),
  ).finally(() => notifyWorkers(database));
  return {
    result: { object: "webhook_replay", endpoint: endpoint.id, resent, made },
    text: `Queued ${resent} to send again, and ${made} that had no delivery yet.`,
  };
}

function readFrom(since: unknown, afterSequence: unknown): ReplayFrom {
  if ((typeof since === "string") === (typeof afterSequence === "string"))
    throw new AdminError("Give either --since <time> or --after-sequence <n>.");
  if (typeof since === "string") {
    const time = new Date(since);
    if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(since) || Number.isNaN(time.getTime()))
      throw new AdminError("--since takes an ISO 8601 time such as 2026-11-20T09:00:00Z.");
    return { since: time };
  }
  if (!/^\d{1,18}$/.test(String(afterSequence))) throw new AdminError("--after-sequence takes digits.");
  return { afterSequence: BigInt(String(afterSequence)) };
}
