import type { Member, Visitor } from "../../domain/callers.ts";
import { showList, showObject } from "../../domain/show.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { FRESH, memberRead, memberWrite, tenantOf } from "../../edge/staff/route.ts";
import type { Database } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { issueKey, listKeys, missingKey, revokeKey, rollKey } from "./actions.ts";
import { type Key, stateOf } from "./key.ts";
import { findKey, type IssuedKey, listLastUses } from "./queries.ts";
import { ISSUE_KEY, ISSUED_KEY, KEY, LIST_KEYS, REVOKE_KEY, ROLL_KEY } from "./schema.ts";

const PATH = "/businesses/:business/:environment/keys";

/** §13.7. The command line calls the same functions. */
export const keyRoutes = ({ database }: Context): Route<Visitor>[] => [
  memberRead("read", PATH, LIST_KEYS, async ({ caller, params, now }) => {
    const { environment } = tenantOf(caller, params);
    const keys = (await listKeys(database, caller.businessId)).filter((key) => key.environment === environment);
    const uses = await listLastUses(database, caller.businessId);
    const items = keys.map((key) => showObject(KEY.show(shown(key, now, uses.get(key.id) ?? null))));
    return ok(showList(items));
  }),
  memberWrite("manage_keys", "POST", PATH, ISSUE_KEY, FRESH, async ({ caller, params, input, now }) => {
    const issued = await issueKey(database, caller.actor, tenantOf(caller, params), input);
    return created(showIssued(issued, now));
  }),
  memberWrite("manage_keys", "POST", `${PATH}/:key/roll`, ROLL_KEY, FRESH, async ({ caller, params, input, now }) => {
    const { id } = await requireKey(database, caller, params);
    const issued = await rollKey(database, caller.actor, caller.businessId, id, input.grace);
    return created(showIssued(issued, now));
  }),
  memberWrite("manage_keys", "POST", `${PATH}/:key/revoke`, REVOKE_KEY, FRESH, async ({ caller, params }) => {
    const { id } = await requireKey(database, caller, params);
    await revokeKey(database, caller.actor, caller.businessId, id);
    const key = await findKey(database, caller.businessId, id);
    return ok(showObject(KEY.show(shown(key!, new Date()))));
  }),
];

type Params = Readonly<Record<string, string>>;

/** A key never changes its business or environment, so it may be read before the change, without a lock. */
async function requireKey(database: Database, caller: Member, params: Params): Promise<Key> {
  const { businessId, environment } = tenantOf(caller, params);
  const key = await findKey(database, businessId, params.key!);
  if (key === null || key.environment !== environment) throw missingKey(params.key!);
  return key;
}

const shown = (key: Key, now: Date, lastUsedAt: Date | null = null) => ({
  ...key,
  state: stateOf(key, now),
  lastUsedAt,
});
const showIssued = ({ key, secret }: IssuedKey, now: Date) =>
  showObject(ISSUED_KEY.show({ ...shown(key, now), secret }));
