import { createHmac, timingSafeEqual } from "node:crypto";
import { ROLES, type Role } from "../../../domain/roles.ts";

/** Sign-in by a company's OpenID Connect provider (§13.24): its settings, and the roles that groups give. Pure. */

/** A role that a group may give: people alone make owners. */
export type GroupRole = Exclude<Role, "owner">;
export const GROUP_ROLES: readonly GroupRole[] = ROLES.filter((role) => role !== "owner");

/** What a group gives: a role in each of these businesses, and the rights of an operator. */
export interface Grant {
  readonly roles: ReadonlyMap<string, GroupRole>;
  readonly isOperator: boolean;
}

export interface CompanySettings {
  /** The company's name, for the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  /** What each group gives. */
  readonly groups: ReadonlyMap<string, Grant>;
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The time in which a user goes to the provider and returns. */
export const FLOW_SECONDS = 600;
/** A session is confirmed this long after the last time, and closed after CONFIRMED_SECONDS_MAX. */
export const CONFIRM_SECONDS = 240;
export const CONFIRMED_SECONDS_MAX = 600;
/** The difference between two clocks that is tolerated. */
export const CLOCK_SECONDS = 30;

/** The provider returns the browser to this page, exactly. */
export const redirectUriOf = (dashboardUrl: string): string => `${dashboardUrl}/sign-in/company`;

/** A value of a flow that only the browser with its secret can have asked for: nothing of it is stored. */
export const flowValue = (secret: string, use: "state" | "nonce" | "verifier"): string =>
  createHmac("sha256", secret).update(use).digest("base64url");

/** True if an answer of the provider names the state of this flow, once. */
export function hasState(answer: URLSearchParams, secret: string): boolean {
  const [state, ...more] = answer.getAll("state");
  const expected = Buffer.from(flowValue(secret, "state"));
  const given = Buffer.from(state ?? "");
  return more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
}

const GROUPS_MAX = 2_000;
/** The groups of a claim: a text, or a list of texts. Anything else has none. */
export const readGroups = (claim: unknown): readonly string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === "string").slice(0, GROUPS_MAX);

/** What several groups give together: in each business the role that comes first in `ROLES`. */
export function grantOf(settings: Pick<CompanySettings, "groups">, groups: readonly string[]): Grant {
  const given = groups.flatMap((group) => settings.groups.get(group) ?? []);
  const roles = new Map<string, GroupRole>();
  for (const [businessId, role] of given.flatMap((one) => [...one.roles])) {
    const present = roles.get(businessId);
    if (present === undefined || ROLES.indexOf(role) < ROLES.indexOf(present)) roles.set(businessId, role);
  }
  return { roles, isOperator: given.some(({ isOperator }) => isOperator) };
}

export const NO_GRANT: Grant = { roles: new Map(), isOperator: false };
