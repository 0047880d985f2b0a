import { setTimeout as sleep } from "node:timers/promises";
import { deliveryId } from "../../domain/ids.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, type AdminVerb, Refusal } from "../../edge/admin.ts";
import { ENDPOINTS_MAX } from "../../limits.ts";
import { BadDestination, readDestination } from "./destination.ts";
import { findExtraAttempt, listDeliveries } from "./history.ts";
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  type IssuedEndpoint,
  isChainConfigured,
  listEndpoints,
  rollSecret,
  updateEndpoint,
} from "./queries.ts";
import { type ReplayFrom, replayEvents, resendDelivery, resendObject, sendTest } from "./resends.ts";
import type { KeyRing } from "./secret.ts";
import { ATTEMPT_MS } from "./send.ts";
import { notifyWorkers } from "./waking.ts";
import { type Endpoint, readEventTypes, SECRET_GRACES, type SecretGrace } from "./webhook.ts";

/** The verbs of `npm run admin -- webhook …`; the dashboard calls the same functions beneath. */
export function webhookVerbs(loadRing: () => Promise<KeyRing>): readonly AdminVerb[] {
  const text = { type: "string" } as const;
  const verb = (
    word: string,
    takes: string,
    does: string,
    options: AdminVerb["options"],
    run: AdminVerb["run"],
  ): AdminVerb => ({ words: ["webhook", word], usage: `webhook ${word} ${takes}`, does, options, run });
  return [
    verb(
      "add",
      "<business id> --url <https://…> [--types all|a,b] [--environment test|live]",
      "Adds an endpoint and shows its signing secret once.",
      { url: text, types: text, environment: text },
      async (call) => add(call, await loadRing()),
    ),
    verb("list", "<business id>", "Lists a business's endpoints.", {}, list),
    verb(
      "update",
      "<endpoint id> [--url <https://…>] [--types all|a,b]",
      "Changes where events go or which; secret, pending deliveries and count stay.",
      { url: text, types: text },
      update,
    ),
    verb(
      "roll",
      "<endpoint id> [--grace none|1h|24h]",
      "Issues a new signing secret; the old one stays valid for the grace (default 24h).",
      { grace: text },
      async (call) => roll(call, await loadRing()),
    ),
    verb("enable", "<endpoint id>", "Enables an endpoint; what was held for it is sent.", {}, (call) =>
      change(call, "enabled", (endpoint) => enableEndpoint(call.database, endpoint)),
    ),
    verb("disable", "<endpoint id>", "Disables an endpoint; its events are held.", {}, (call) =>
      change(call, "disabled", (endpoint) => disableEndpoint(call.database, endpoint)),
    ),
    verb("delete", "<endpoint id>", "Deletes an endpoint and what was still to be sent to it.", {}, remove),
    verb("test", "<endpoint id>", "Sends a webhook.test event and tells how it went.", {}, test),
    verb(
      "deliveries",
      "<endpoint id> [--status pending|succeeded|abandoned] [--event <event id>] [--limit N]",
      "Lists deliveries with their attempts, newest event first.",
      { status: text, event: text, limit: text },
      deliveries,
    ),
    verb(
      "resend",
      "<endpoint id> --event <event id> | --object <intent id or payment address>",
      "Sends one event once more, or all of one object in order.",
      { event: text, object: text },
      resend,
    ),
    verb(
      "replay",
      "<endpoint id> --since <time> | --after-sequence <n>",
      "Sends everything recorded since then that it subscribes to, without a cap.",
      { since: text, "after-sequence": text },
      replay,
    ),
  ];
}

async function add({ database, positionals: [businessId], options }: AdminCall, ring: KeyRing): Promise<AdminAnswer> {
  if (businessId === undefined) throw new Refusal("Name the business: webhook add <business id> --url <https://…>.");
  const environment = readChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  if (!(await isChainConfigured(database, environment)))
    throw new Refusal(`No chain is configured for ${environment}; it has no events to send.`);
  const wanted = { url: readUrl(options.url), eventTypes: readTypes(options.types ?? "all") };
  const issued = await addEndpoint(database, ring, { businessId, environment }, wanted).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "23503")
      throw new Refusal(`There is no business ${businessId}.`);
    throw error;
  });
  if (issued === null)
    throw new Refusal(`${businessId} has ${ENDPOINTS_MAX} ${environment} endpoints. Delete or update one.`);
  return showIssued(issued);
}

async function list({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new Refusal("Name the business: webhook list <business id>.");
  const endpoints = await listEndpoints(database, businessId);
  return {
    result: { object: "list", data: endpoints.map(show) },
    text: endpoints.length === 0 ? "No endpoints." : endpoints.map(describe).join("\n"),
  };
}

async function update(call: AdminCall): Promise<AdminAnswer> {
  const { url, types } = call.options;
  if (url === undefined && types === undefined) throw new Refusal("Give --url, --types or both.");
  return change(call, "updated", (endpoint) =>
    updateEndpoint(call.database, endpoint, {
      url: url === undefined ? endpoint.url : readUrl(url),
      eventTypes: types === undefined ? endpoint.eventTypes : readTypes(types),
    }),
  );
}

async function roll({ database, positionals: [id], options }: AdminCall, ring: KeyRing): Promise<AdminAnswer> {
  const grace = readChoice("grace", options.grace ?? "24h", Object.keys(SECRET_GRACES) as SecretGrace[]);
  const issued = await rollSecret(database, ring, await endpointOf(database, id), grace);
  if (issued === null) throw noEndpoint(id!);
  return showIssued(issued);
}

async function change(
  { database, positionals: [id] }: AdminCall,
  done: string,
  work: (endpoint: Endpoint) => Promise<Endpoint | null>,
): Promise<AdminAnswer> {
  const changed = await work(await endpointOf(database, id));
  if (changed === null) throw noEndpoint(id!);
  await notifyWorkers(database);
  return { result: show(changed), text: `${done}: ${describe(changed)}` };
}

async function remove({ database, positionals: [id] }: AdminCall): Promise<AdminAnswer> {
  if (!(await deleteEndpoint(database, await endpointOf(database, id)))) throw noEndpoint(id!);
  return { result: { object: "webhook_endpoint", id, deleted: true }, text: `Deleted ${id}.` };
}

const TEST_WAIT_MS = ATTEMPT_MS + 2_000;
const LOOK_MS = 100;

async function test({ database, positionals: [id] }: AdminCall): Promise<AdminAnswer> {
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

async function deliveries({ database, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  const limit = Number(options.limit ?? 20);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw new Refusal(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`);
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

async function resend({ database, positionals: [id], options: { event, object } }: AdminCall): Promise<AdminAnswer> {
  const endpoint = await endpointOf(database, id);
  if ((typeof event === "string") === (typeof object === "string"))
    throw new Refusal("Give either --event <event id> or --object <intent id or payment address>.");
  let count: number;
  if (typeof event === "string") {
    if ((await resendDelivery(database, endpoint, event)) === null)
      throw new Refusal(`${event} has no delivery to ${endpoint.id}. To send what it never got, use webhook replay.`);
    count = 1;
  } else {
    count = await resendObject(database, endpoint, String(object));
    if (count === 0) throw new Refusal(`${object} has no event that ${endpoint.id} subscribes to.`);
  }
  await notifyWorkers(database);
  return { result: { object: "webhook_resend", endpoint: endpoint.id, count }, text: `Queued ${count} to send again.` };
}

async function replay({ database, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
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
    throw new Refusal("Give either --since <time> or --after-sequence <n>.");
  if (typeof since === "string") {
    const time = new Date(since);
    if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(since) || Number.isNaN(time.getTime()))
      throw new Refusal("--since takes an ISO 8601 time such as 2026-11-20T09:00:00Z.");
    return { since: time };
  }
  if (!/^\d{1,18}$/.test(String(afterSequence))) throw new Refusal("--after-sequence takes digits.");
  return { afterSequence: BigInt(String(afterSequence)) };
}

async function endpointOf(database: AdminCall["database"], id: string | undefined): Promise<Endpoint> {
  if (id === undefined) throw new Refusal("Name the endpoint, such as we_….");
  const endpoint = await findEndpoint(database, id);
  if (endpoint === null) throw noEndpoint(id);
  return endpoint;
}

const noEndpoint = (id: string) => new Refusal(`There is no endpoint ${id}.`);

function readUrl(text: unknown): string {
  if (typeof text !== "string") throw new Refusal("Give the URL: --url https://…");
  try {
    return readDestination(text).url;
  } catch (error) {
    throw error instanceof BadDestination ? new Refusal(error.message) : error;
  }
}

function readTypes(text: unknown) {
  try {
    return readEventTypes(String(text));
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

function readChoice<Choice extends string>(name: string, text: string | boolean, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new Refusal(`--${name} takes one of ${choices.join(", ")}.`);
  return choice;
}

const show = ({ eventTypes, ...endpoint }: Endpoint) => ({
  object: "webhook_endpoint",
  ...endpoint,
  eventTypes: eventTypes ?? ["*"],
});

const describe = (endpoint: Endpoint): string =>
  `${endpoint.id}  ${endpoint.environment}  ${endpoint.status}  ${endpoint.url}  ${endpoint.eventTypes?.join(",") ?? "all"}`;

const showIssued = ({ endpoint, secret }: IssuedEndpoint): AdminAnswer => ({
  result: { ...show(endpoint), secret },
  text: `${describe(endpoint)}\n${secret}\nThis is the only time the secret is shown.`,
});
