import type { Visitor } from "../../../../domain/callers.ts";
import { showList, showObject, withMembers } from "../../../../domain/show.ts";
import { ok, type Route } from "../../../../edge/http/route.ts";
import { memberRead, tenantOf } from "../../../../edge/staff/route.ts";
import type { Context } from "../../../context.ts";
import { requireEndpoint } from "../../endpointQueries.ts";
import { type HourRow, listHours, listTenantHours } from "./queries.ts";
import { LIST_ALL_HOURS, LIST_HOURS } from "./schema.ts";

const PATH = "/businesses/:business/:environment";
const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** §13.8.6. */
export const hourRoutes = ({ database, slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read", `${PATH}/hours`, LIST_ALL_HOURS, async ({ caller, params, input, now }) => {
    const tenant = tenantOf(caller, params);
    return show(spanOf(input.days, now), (from, hours) => listTenantHours(slowDatabase, tenant, from, hours));
  }),
  memberRead("read", `${PATH}/endpoints/:endpoint/hours`, LIST_HOURS, async ({ caller, params, input, now }) => {
    const endpoint = await requireEndpoint(database, tenantOf(caller, params), params.endpoint!);
    return show(spanOf(input.days, now), (from, hours) => listHours(slowDatabase, endpoint, from, hours));
  }),
];

interface Span {
  readonly from: Date;
  readonly hours: number;
  readonly at: Date;
}

/** The hours of so many days, the present one included. */
function spanOf(days: string | null, at: Date): Span {
  const hours = Number(days ?? 7) * HOURS_OF_DAY;
  return { from: new Date((Math.floor(at.getTime() / HOUR_MS) - hours + 1) * HOUR_MS), hours, at };
}

async function show({ from, hours, at }: Span, list: (from: Date, hoursMax: number) => Promise<readonly HourRow[]>) {
  const shown = (await list(from, hours)).map((one) => showObject(describeHour(one)));
  return ok(withMembers(showList(shown), { from: JSON.stringify(from), at: JSON.stringify(at) }));
}

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
