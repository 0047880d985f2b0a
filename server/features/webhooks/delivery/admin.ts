import { ActionError } from "../../../domain/actionError.ts";
import type { Tenant } from "../../../domain/callers.ts";
import { deliveryId, newResendId } from "../../../domain/ids.ts";
import { oneOf, TEXT, whole } from "../../../domain/values.ts";
import { adminVerb, maybe, option, positional, replaceable, SINCE, withDefault } from "../../../edge/admin.ts";
import { SEQUENCE } from "../../events/event.ts";
import { requireTenantOf } from "../endpointQueries.ts";
import { listDeliveries, resendDelivery, testEndpoint } from "./actions.ts";
import { type ResendCall, replaySince, resendAllOfObject } from "./resends/actions.ts";
import type { ResendRow } from "./resends/queries.ts";
import { STATUSES } from "./schema.ts";

export const ENDPOINT = positional(TEXT, "endpoint id");
const EVENT = option(TEXT, "event id");

export const deliveryVerbs = [
  adminVerb({
    words: "webhook test",
    takes: { endpoint: ENDPOINT },
    does: "Sends a webhook.test event and shows the result.",
    run: async ({ database, actor, endpoint: id }) => {
      const { eventId: event, attempt } = await testEndpoint(database, actor, await requireTenantOf(database, id), id);
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
    },
  }),
  adminVerb({
    words: "webhook deliveries",
    takes: {
      endpoint: ENDPOINT,
      status: maybe(option(oneOf(STATUSES))),
      event: maybe(EVENT),
      limit: withDefault(option(whole(1, 1_000), "n"), 20),
    },
    does: "Lists deliveries with their attempts, newest event first.",
    run: async ({ database, endpoint: id, status, event: eventId, limit }) => {
      const tenant = await requireTenantOf(database, id);
      const found = await listDeliveries(database, tenant, id, { status, eventId, limit });
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
    },
  }),
  adminVerb({
    words: "webhook resend",
    takes: {
      endpoint: ENDPOINT,
      event: replaceable(EVENT, "object"),
      object: maybe(option(TEXT, "intent id or payment address")),
    },
    does: "Sends one event again, or all events of one object in order.",
    run: async ({ database, actor, endpoint: id, event, object }) => {
      const tenant = await requireTenantOf(database, id);
      let count = 1;
      if (event !== null) await resendDelivery(database, actor, tenant, id, event);
      else count = (await resendAllOfObject(database, actor, newCall(tenant, id), object!)).resent;
      return {
        result: { object: "webhook_resend", endpoint: id, count },
        text: `Deliveries queued to send again: ${count}.`,
      };
    },
  }),
  adminVerb({
    words: "webhook replay",
    takes: {
      endpoint: ENDPOINT,
      since: replaceable(SINCE, "afterSequence"),
      afterSequence: maybe(option(SEQUENCE, "n")),
    },
    does: "Sends all events since then that the endpoint subscribes to, at most 100,000, and says where to continue.",
    run: async ({ database, actor, endpoint: id, since, afterSequence }) => {
      const call = newCall(await requireTenantOf(database, id), id);
      const from = since !== null ? { since } : { afterSequence: BigInt(afterSequence!) };
      const { resent, made, next } = await replayAll(() => replaySince(database, actor, call, from));
      const more =
        next === null ? "" : ` More events match; continue when most of these are sent: --after-sequence ${next}.`;
      return {
        result: { object: "webhook_replay", endpoint: id, resent, made, nextAfterSequence: next },
        text: `Deliveries queued to send again: ${resent}. Deliveries queued for the first time: ${made}.${more}`,
      };
    },
  }),
];

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
