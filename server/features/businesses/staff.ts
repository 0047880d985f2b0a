import type { Member, Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { permissionsOf } from "../../domain/roles.ts";
import { type JsonText, showObject } from "../../domain/show.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { FRESH, memberRead, memberWrite, missing, operatorRead, operatorWrite } from "../../edge/staff/route.ts";
import type { Database } from "../../store/database.ts";
import { clusterOf } from "../chains/chain.ts";
import { listChains } from "../chains/fragments.ts";
import type { Context } from "../context.ts";
import { addBusiness, setProfile, showProfile } from "./actions.ts";
import type { BusinessProfile } from "./business.ts";
import { findBusinessName, listBusinessSummaries } from "./queries.ts";
import * as api from "./schema.ts";

const PROFILE_PATH = "/businesses/:business/profile";

/** §13.5. */
export const staffBusinessRoutes = ({ database }: Context): Route<Visitor>[] => [
  operatorWrite("POST", "/businesses", api.ADD_BUSINESS, FRESH, async ({ caller, input }) => {
    const { id, name } = await addBusiness(database, caller.actor, input.name, caller.userId);
    return created(await show(database, { businessId: id, role: "owner" }, name));
  }),
  operatorRead("/operator/businesses", api.LIST_BUSINESSES, async ({ input }) => {
    const rows = await listBusinessSummaries(database, input);
    if (rows === null) throw missing();
    return ok(showPage(rows, input.limit, (one) => showObject(api.SUMMARY_OBJECT.show(one))));
  }),
  memberRead("read", "/businesses/:business", api.GET_BUSINESS, async ({ caller }) =>
    ok(await show(database, caller, await findBusinessName(database, caller.businessId))),
  ),
  memberRead("read", PROFILE_PATH, api.GET_PROFILE, async ({ caller }) =>
    ok(showWhole(await showProfile(database, caller.businessId))),
  ),
  // A thief could change the return page and the contact of buyers, so this needs a recent proof of identity.
  memberWrite("manage_profile", "PATCH", PROFILE_PATH, api.CHANGE_PROFILE, FRESH, async ({ caller, input }) => {
    const profile = await setProfile(database, caller.actor, caller.businessId, input);
    return ok(showWhole(profile));
  }),
];

const showWhole = (profile: BusinessProfile): JsonText => showObject(api.PROFILE_OBJECT.show(profile));

async function show(
  database: Database,
  { businessId, role }: Pick<Member, "businessId" | "role">,
  name: string,
): Promise<JsonText> {
  const configured = await listChains(database);
  const chainOf = (environment: Environment) => configured.find((one) => one.environment === environment) ?? null;
  const programs = { test: chainOf("test"), live: chainOf("live") };
  const environments = ENVIRONMENTS.filter((one) => programs[one] !== null);
  const permissions = permissionsOf(role);
  const clusterIn = (environment: Environment) => clusterOf(programs[environment]?.genesisHash ?? "");
  const clusters = { test: clusterIn("test"), live: clusterIn("live") };
  return showObject(
    api.STAFF_BUSINESS.show({ id: businessId, name, role, permissions, environments, clusters, programs }),
  );
}
