import { ACTIVE_KEYS_MAX } from "../../domain/limits.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import {
  type AdminAnswer,
  type AdminCall,
  AdminError,
  type AdminVerb,
  readChoice,
  refuseNoBusiness,
} from "../../edge/admin.ts";
import { isChainConfigured } from "../chains/fragments.ts";
import { KEY_GRACES, type Key, type KeyGrace, stateOf } from "./key.ts";
import { addKey, findBusinessOfKey, type IssuedKey, listKeys, revokeKey, rollKey } from "./queries.ts";

export const keyVerbs: readonly AdminVerb[] = [
  {
    words: ["key", "add"],
    usage: "key add <business id> [--environment test|live] [--rate <requests per minute>]",
    does: "Issues an API key and shows it once.",
    options: { environment: { type: "string" }, rate: { type: "string" } },
    run: add,
  },
  {
    words: ["key", "roll"],
    usage: "key roll <key id> [--grace none|1h|24h|7d]",
    does: "Issues a successor; the old key works on for the grace (default 24h).",
    options: { grace: { type: "string" } },
    run: roll,
  },
  {
    words: ["key", "revoke"],
    usage: "key revoke <key id>",
    does: "Ends a key, on its next request.",
    options: {},
    run: revoke,
  },
  {
    words: ["key", "list"],
    usage: "key list <business id>",
    does: "Lists a business's keys, newest first.",
    options: {},
    run: list,
  },
];

async function add({ database, positionals: [businessId], options }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: key add <business id>.");
  const environment = readChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  if (!(await isChainConfigured(database, environment)))
    throw new AdminError(
      `No chain is configured for ${environment}. Set ${environment.toUpperCase()}_RPC_URLS and start the service first.`,
    );
  const rate = options.rate === undefined ? undefined : Number(options.rate);
  if (rate !== undefined && !(Number.isInteger(rate) && rate >= 1 && rate <= 1_000_000))
    throw new AdminError("--rate takes whole requests per minute, 1 to 1000000.");
  const issued = await addKey(database, businessId, environment, rate).catch(refuseNoBusiness(businessId));
  if (issued === null)
    throw new AdminError(`${businessId} has ${ACTIVE_KEYS_MAX} active ${environment} keys. Revoke or roll one.`);
  return showIssued(issued);
}

async function roll({ database, positionals: [id], options }: AdminCall): Promise<AdminAnswer> {
  const grace = readChoice("grace", options.grace ?? "24h", Object.keys(KEY_GRACES) as KeyGrace[]);
  const issued = await rollKey(database, await businessOf(database, id), id!, grace);
  if (issued === null) throw new AdminError(`${id} is not active; only an active key can be rolled.`);
  return showIssued(issued);
}

async function revoke({ database, positionals: [id] }: AdminCall): Promise<AdminAnswer> {
  if (!(await revokeKey(database, await businessOf(database, id), id!)))
    throw new AdminError(`${id} is revoked already.`);
  return { result: { object: "api_key", id, state: "revoked" satisfies string }, text: `Revoked ${id}.` };
}

async function list({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: key list <business id>.");
  const now = new Date();
  const keys = (await listKeys(database, businessId)).map((key) => showKey(key, now));
  const lines = keys.map(
    (key) => `${key.id}  ${key.environment}  …${key.last4}  ${key.state}  ${key.ratePerMinute}/min`,
  );
  return { result: { object: "list", data: keys }, text: lines.length === 0 ? "No keys." : lines.join("\n") };
}

async function businessOf(database: AdminCall["database"], id: string | undefined): Promise<string> {
  const tenant = id === undefined ? null : await findBusinessOfKey(database, id);
  if (tenant === null)
    throw new AdminError(id === undefined ? "Name the key, such as key_…" : `There is no key ${id}.`);
  return tenant.business_id;
}

const showKey = (key: Key, now: Date) => ({ object: "api_key", ...key, state: stateOf(key, now) });

const showIssued = ({ key, secret }: IssuedKey): AdminAnswer => ({
  result: { ...showKey(key, new Date()), secret },
  text: `${key.id} (${key.environment satisfies Environment}, ${key.ratePerMinute} requests a minute)\n${secret}\nThis is the only time the key is shown.`,
});
