import type { Visitor } from "../../../domain/callers.ts";
import { showObject } from "../../../domain/show.ts";
import { created, type Route } from "../../../edge/http/route.ts";
import { done } from "../../../edge/staff/answers.ts";
import { IN_TENANT } from "../../../edge/staff/paths.ts";
import { FRESH, memberWrite, STALE, tenantOf } from "../../../edge/staff/route.ts";
import type { Database } from "../../../store/database.ts";
import { makeFeed, revokeFeed } from "./actions.ts";
import { CALENDAR, MAKE_CALENDAR, REVOKE_CALENDAR } from "./schema.ts";
import { calendarUrl } from "./visitor.ts";

export interface CalendarStaffDeps {
  readonly database: Database;
  readonly dashboardUrl: string;
}

/** §13.17.5. */
export const calendarRoutes = ({ database, dashboardUrl }: CalendarStaffDeps): Route<Visitor>[] => [
  memberWrite("read", "POST", `${IN_TENANT}/calendar`, MAKE_CALENDAR, FRESH, async ({ caller, params }) => {
    const secret = await makeFeed(database, caller, tenantOf(caller, params));
    return created(showObject(CALENDAR.show({ url: calendarUrl(dashboardUrl, secret) })));
  }),
  memberWrite("read", "POST", `${IN_TENANT}/calendar/revoke`, REVOKE_CALENDAR, STALE, async ({ caller, params }) => {
    await revokeFeed(database, caller, tenantOf(caller, params));
    return done;
  }),
];
