import { KEY_SCOPES } from "../../domain/callers.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, parseChoice, TEXT } from "../../edge/admin.ts";
import { issueKey, listKeys, missingKey, revokeKey, rollKey } from "./actions.ts";
import { isKeyRate, KEY_GRACES, KEY_RATE_MAX, type Key, type KeyGrace, type KeyState, stateOf } from "./key.ts";
import { findBusinessOfKey, type IssuedKey } from "./queries.ts";

export const keyVerbs: readonly AdminVerb[] = [
  {
    usage: `key add <business id> [--environment ${ENVIRONMENTS.join("|")}] [--rate <requests per minute>] [--name <name>] [--scope ${KEY_SCOPES.join("|")}]`,
    does: "Issues an API key and shows it once.",
    options: { environment: TEXT, rate: TEXT, name: TEXT, scope: TEXT },
    run: add,
  },
  {
    usage: `key roll <key id> [--grace ${Object.keys(KEY_GRACES).join("|")}]`,
    does: "Replaces a key with a new one. The old key works for the grace period (default 24h).",
    options: { grace: TEXT },
    run: roll,
  },
  {
    usage: "key revoke <key id>",
    does: "Revokes a key. Its next request is refused.",
    run: revoke,
  },
  {
    usage: "key list <business id>",
    does: "Lists a business's keys, newest first.",
    run: list,
  },
];

async function add({ database, actor, positionals: [businessId], options }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: key add <business id>.");
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  const rate = options.rate === undefined ? undefined : Number(options.rate);
  if (rate !== undefined && !isKeyRate(rate))
    throw new AdminError(`--rate takes whole requests per minute, 1 to ${KEY_RATE_MAX}.`);
  const name = options.name === undefined ? null : String(options.name);
  const scope = parseChoice("scope", options.scope ?? "full", KEY_SCOPES);
  return showIssued(await issueKey(database, actor, { businessId, environment }, { ratePerMinute: rate, name, scope }));
}

async function roll({ database, actor, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
  const grace = parseChoice("grace", options.grace ?? "24h", Object.keys(KEY_GRACES) as KeyGrace[]);
  const key = await findNamedKey(database, id);
  return showIssued(await rollKey(database, actor, key.businessId, key.id, grace));
}

async function revoke({ database, actor, positionals }: AdminCall): Promise<AdminAnswer> {
  const { businessId, id } = await findNamedKey(database, positionals[0]);
  await revokeKey(database, actor, businessId, id);
  return { result: { object: "api_key", id, state: "revoked" satisfies KeyState }, text: `Revoked ${id}.` };
}

async function list({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: key list <business id>.");
  const now = new Date();
  const keys = (await listKeys(database, businessId)).map((key) => showKey(key, now));
  const lines = keys.map(
    (key) =>
      `${key.id}  ${key.environment}  …${key.last4}  ${key.state}  ${key.ratePerMinute}/min  ${key.scope}${key.name === null ? "" : `  ${key.name}`}`,
  );
  return { result: { object: "list", data: keys }, text: lines.length === 0 ? "No keys." : lines.join("\n") };
}

/** The key that a command names, with its business. */
async function findNamedKey(database: AdminCall["database"], id: string | undefined) {
  if (id === undefined) throw new AdminError("Name the key, such as key_…");
  const businessId = await findBusinessOfKey(database, id);
  if (businessId === null) throw missingKey(id);
  return { businessId, id };
}

const showKey = (key: Key, now: Date) => ({ object: "api_key", ...key, state: stateOf(key, now) });

const showIssued = ({ key, secret }: IssuedKey): AdminAnswer => ({
  result: { ...showKey(key, new Date()), secret },
  text: `${key.id} (${key.environment}, ${key.scope}, ${key.ratePerMinute} requests a minute)\n${secret}\nThe key is shown only once. Store it now.`,
});
