import type { Visitor } from "../../../../domain/callers.ts";
import { showList, showObject } from "../../../../domain/show.ts";
import { ok, type Reply, type Route } from "../../../../edge/http/route.ts";
import { memberRead, tenantOf } from "../../../../edge/staff/route.ts";
import type { Context } from "../../../context.ts";
import { requireEndpoint } from "../../endpointQueries.ts";
import { type HourRow, listHours, listTenantHours } from "./queries.ts";
import { LIST_ALL_HOURS, LIST_HOURS } from "./schema.ts";

const PATH = "/businesses/:business/:environment";
const DAY_MS = 86_400_000;
const SHOWN_MS = 7 * DAY_MS;
const HOURS_MAX = 31 * 24;

/** §13.8.6. */
export const hourRoutes = ({ database, slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read", `${PATH}/hours`, LIST_ALL_HOURS, async ({ caller, params, input, now }) => {
    const tenant = tenantOf(caller, params);
    return show(await listTenantHours(slowDatabase, tenant, input.since ?? usual(now), HOURS_MAX));
  }),
  memberRead("read", `${PATH}/endpoints/:endpoint/hours`, LIST_HOURS, async ({ caller, params, input, now }) => {
    const endpoint = await requireEndpoint(database, tenantOf(caller, params), params.endpoint!);
    return show(await listHours(slowDatabase, endpoint, input.since ?? usual(now), HOURS_MAX));
  }),
];

const usual = (now: Date): Date => new Date(now.getTime() - SHOWN_MS);

const show = (hours: readonly HourRow[]): Reply => ok(showList(hours.map((one) => showObject(describeHour(one)))));

const describeHour = (one: HourRow) => ({
  object: "webhook_hour",
  hour: one.hour,
  attempts: one.attempts,
  succeeded: one.succeeded,
  tookMs: Number(one.took_ms),
  tookMsMax: one.took_ms_max,
  firstAttempts: one.first_attempts,
  waitedMs: Number(one.waited_ms),
});
