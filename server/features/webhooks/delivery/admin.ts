import { ActionError } from "../../../domain/actionError.ts";
import type { Tenant } from "../../../domain/callers.ts";
import { deliveryId, newResendId } from "../../../domain/ids.ts";
import { type AdminAnswer, type AdminCall, AdminError, parseChoice } from "../../../edge/admin.ts";
import { findNamedEndpoint } from "../endpointQueries.ts";
import { listDeliveries, resendDelivery, testEndpoint } from "./actions.ts";
import type { ReplayFrom } from "./queueQueries.ts";
import { type ResendCall, replaySince, resendAllOfObject } from "./resends/actions.ts";
import type { ResendRow } from "./resends/queries.ts";

export async function test({ database, actor, positionals }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  const { eventId: event, attempt } = await testEndpoint(database, actor, tenant, id);
  if (attempt === null)
    return {
      result: { object: "webhook_test", event, endpoint: id, succeeded: null, statusCode: null, error: null },
      text: `${event} is queued; no worker has sent it yet.`,
      failed: true,
    };
  const { succeeded, status_code: statusCode, error } = attempt;
  const durationMs = Number(attempt.took_ms);
  return {
    result: { object: "webhook_test", event, endpoint: id, succeeded, statusCode, error, durationMs },
    text: succeeded ? `${event}: answered ${statusCode} in ${durationMs} ms.` : `${event}: ${error}.`,
    failed: !succeeded,
  };
}

const STATUSES = ["pending", "succeeded", "abandoned"] as const;
const LIMIT_MAX = 1_000;

export async function deliveries({ database, positionals, options }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  const limit = Number(options.limit ?? 20);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw new AdminError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`);
  const found = await listDeliveries(database, tenant, id, {
    status: options.status === undefined ? null : parseChoice("status", options.status, STATUSES),
    eventId: typeof options.event === "string" ? options.event : null,
    limit,
  });
  const data = found.map((one) => ({
    object: "webhook_delivery",
    id: deliveryId(one.event_id, id),
    endpoint: id,
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
  actor,
  positionals,
  options: { event, object },
}: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  if ((typeof event === "string") === (typeof object === "string"))
    throw new AdminError("Specify either --event <event id> or --object <intent id or payment address>.");
  let count = 1;
  if (typeof event === "string") await resendDelivery(database, actor, tenant, id, event);
  else count = (await resendAllOfObject(database, actor, newCall(tenant, id), String(object))).resent;
  return {
    result: { object: "webhook_resend", endpoint: id, count },
    text: `Deliveries queued to send again: ${count}.`,
  };
}

export async function replay({ database, actor, positionals, options }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  const from = readFrom(options.since, options["after-sequence"]);
  const call = newCall(tenant, id);
  const { resent, made, next } = await replayAll(() => replaySince(database, actor, call, from));
  const more =
    next === null ? "" : ` More events match; continue when most of these are sent: --after-sequence ${next}.`;
  return {
    result: { object: "webhook_replay", endpoint: id, resent, made, nextAfterSequence: next },
    text: `Deliveries queued to send again: ${resent}. Deliveries queued for the first time: ${made}.${more}`,
  };
}

/** Replays part after part. `next`: where to continue; null if nothing is left. */
export async function replayAll(step: () => Promise<ResendRow>) {
  let part = await step();
  while (part.ended_at === null) {
    const further = await step().catch((error: unknown) => {
      // The queue became full meanwhile. What is queued is not queued again by who continues behind it.
      if (error instanceof ActionError && error.code === "resends_waiting") return null;
      throw error;
    });
    if (further === null) return { ...part, next: part.position };
    part = further;
  }
  return { ...part, next: part.limited ? part.position : null };
}

const newCall = (tenant: Tenant, endpointId: string): ResendCall => ({
  tenant,
  endpointId,
  id: newResendId(new Date()),
});

function readFrom(since: unknown, afterSequence: unknown): ReplayFrom {
  if ((typeof since === "string") === (typeof afterSequence === "string"))
    throw new AdminError("Specify either --since <time> or --after-sequence <n>.");
  if (typeof since === "string") {
    const time = new Date(since);
    if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(since) || Number.isNaN(time.getTime()))
      throw new AdminError("--since takes an ISO 8601 time such as 2026-11-20T09:00:00Z.");
    return { since: time };
  }
  if (!/^\d{1,18}$/.test(String(afterSequence))) throw new AdminError("--after-sequence takes digits.");
  return { afterSequence: BigInt(String(afterSequence)) };
}
