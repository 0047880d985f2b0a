import { KEY_SCOPES } from "../../domain/callers.ts";
import { oneOf, TEXT } from "../../domain/values.ts";
import {
  type AdminAnswer,
  adminVerb,
  BUSINESS,
  ENVIRONMENT,
  maybe,
  option,
  positional,
  withDefault,
} from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { issueKey, listKeys, missingKey, revokeKey, rollKey } from "./actions.ts";
import { GRACE, KEY_NAME, KEY_RATE, type Key, type KeyState, stateOf } from "./key.ts";
import { findBusinessOfKey, type IssuedKey } from "./queries.ts";

const KEY_ID = positional(TEXT, "key id");

export const keyVerbs = [
  adminVerb({
    words: "key add",
    takes: {
      business: BUSINESS,
      environment: ENVIRONMENT,
      rate: maybe(option(KEY_RATE, "requests per minute")),
      name: maybe(option(KEY_NAME, "name")),
      scope: withDefault(option(oneOf(KEY_SCOPES)), "full"),
    },
    does: "Issues an API key and shows it once.",
    run: async ({ database, actor, business: businessId, environment, rate, name, scope }) => {
      const options = { ratePerMinute: rate ?? undefined, name, scope };
      return showIssued(await issueKey(database, actor, { businessId, environment }, options));
    },
  }),
  adminVerb({
    words: "key roll",
    takes: { key: KEY_ID, grace: withDefault(option(GRACE), "24h") },
    does: "Replaces a key with a new one. The old key works for the grace period.",
    run: async ({ database, actor, key, grace }) =>
      showIssued(await rollKey(database, actor, await requireBusinessOf(database, key), key, grace)),
  }),
  adminVerb({
    words: "key revoke",
    takes: { key: KEY_ID },
    does: "Revokes a key. Its next request is refused.",
    run: async ({ database, actor, key: id }) => {
      await revokeKey(database, actor, await requireBusinessOf(database, id), id);
      return { result: { object: "api_key", id, state: "revoked" satisfies KeyState }, text: `Revoked ${id}.` };
    },
  }),
  adminVerb({
    words: "key list",
    takes: { business: BUSINESS },
    does: "Lists a business's keys, newest first.",
    run: async ({ database, business }) => {
      const now = new Date();
      const data = (await listKeys(database, business)).map((key) => showKey(key, now));
      const lines = data.map(
        (key) =>
          `${key.id}  ${key.environment}  …${key.last4}  ${key.state}  ${key.ratePerMinute}/min  ${key.scope}${key.name === null ? "" : `  ${key.name}`}`,
      );
      return { result: { object: "list", data }, text: lines.length === 0 ? "No keys." : lines.join("\n") };
    },
  }),
];

async function requireBusinessOf(database: Database, keyId: string): Promise<string> {
  const businessId = await findBusinessOfKey(database, keyId);
  if (businessId === null) throw missingKey(keyId);
  return businessId;
}

const showKey = (key: Key, now: Date) => ({ object: "api_key", ...key, state: stateOf(key, now) });

const showIssued = ({ key, secret }: IssuedKey): AdminAnswer => ({
  result: { ...showKey(key, new Date()), secret },
  text: `${key.id} (${key.environment}, ${key.scope}, ${key.ratePerMinute} requests a minute)\n${secret}\nThe key is shown only once. Store it now.`,
});
