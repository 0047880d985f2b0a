import type { Staff, Visitor } from "../../domain/callers.ts";
import { hashStaffSecret } from "../../domain/staffSecrets.ts";
import { addressOf } from "../buyer/door.ts";
import { networkOf } from "../buyer/limits.ts";
import type { App } from "../http/app.ts";
import { type Door, type DoorDeps, registerDoor } from "../http/door.ts";
import type { Route } from "../http/route.ts";
import { browserCookie, companyCookie, sessionCookie } from "./cookies.ts";
import { refuseCrossSite } from "./crossSite.ts";
import { STAFF_PREFIX } from "./description.ts";

export interface StaffAdmission extends Pick<Visitor, "findRole"> {
  /** Finds a session by the hash of its secret. Null: it does not exist, or it has ended. `now` is the database's time. */
  readonly admitSession: (
    secretHash: string,
    visitor: Pick<Visitor, "address" | "browserSecret">,
  ) => Promise<{ readonly staff: Staff; readonly now: Date } | null>;
}

export interface StaffApiDeps extends DoorDeps, StaffAdmission {
  readonly dashboardUrl: string;
  /** The header in which a proxy names the client's address; null: the connection's own counts. */
  readonly addressHeader: string | null;
  readonly routes: readonly Route<Visitor>[];
}

const USER_AGENT_CHARACTERS_MAX = 400;
const ADDRESS_CHARACTERS_MAX = 100;

/** Opens the staff API (§13), which the dashboard of this deployment calls with a session's cookie. */
export function registerStaffApi(app: App, deps: StaffApiDeps): void {
  const { admitSession, findRole, dashboardUrl, addressHeader, routes } = deps;
  const origin = new URL(dashboardUrl).origin;
  const cookie = sessionCookie(dashboardUrl);
  const ofBrowser = browserCookie(dashboardUrl);
  const ofCompany = companyCookie(dashboardUrl);
  const door: Door<Visitor> = {
    prefix: STAFF_PREFIX,
    routes,
    refuse: (request) => refuseCrossSite(request, origin),
    admit: async (request) => {
      const address = networkOf(addressOf(request, addressHeader)).slice(0, ADDRESS_CHARACTERS_MAX);
      const userAgent = (request.headers["user-agent"] ?? "").slice(0, USER_AGENT_CHARACTERS_MAX);
      const sessionSecret = cookie.read(request);
      const visitor: Visitor = {
        staff: null,
        address,
        userAgent,
        sessionSecret,
        browserSecret: ofBrowser.read(request),
        companySecret: ofCompany.read(request),
        findRole,
      };
      const admitted = sessionSecret === null ? null : await admitSession(hashStaffSecret(sessionSecret), visitor);
      const caller: Visitor = { ...visitor, staff: admitted?.staff ?? null };
      return { caller, now: admitted?.now ?? new Date() };
    },
    // Roles belong to a business, which only the path names: each route checks its own (§13.4).
    permit: () => undefined,
    tenantOf: null,
    noEndpoint: `There is no such endpoint. Paths are exact and case-sensitive; ${STAFF_PREFIX}/openapi.json has them all.`,
  };
  registerDoor(app, door, deps);
}
