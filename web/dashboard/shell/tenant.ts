import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import type { StaffBusiness } from "../api/schema.ts";

interface PathOf {
  readonly business: string;
  readonly environment: "test" | "live";
}

export interface Tenant {
  readonly business: StaffBusiness;
  readonly environment: "test" | "live";
  /** The path of operations of the business in this environment. */
  readonly path: PathOf;
  /** True if the environment's chain is configured: without it there are no payments. */
  readonly isConfigured: boolean;
  /**
   * Returns true if the user's role allows it. The service checks it again; the page only hides actions that would be
   * refused.
   */
  readonly may: (permission: StaffBusiness["permissions"][number]) => boolean;
}

type ObjectParam = "dispute" | "endpoint" | "delivery" | "request" | "event" | "intent" | "payment" | "signature";

/** Returns the id of the page's object, by its name in the page's path. */
export const useIdOf = (param: ObjectParam): string =>
  (useParams({ strict: false }) as Readonly<Record<ObjectParam, string>>)[param];

/** The business and the environment of the page, by its path. */
export function useTenant(): Tenant {
  const { business: id, environment } = useParams({ strict: false }) as PathOf;
  const { data: business } = useSuspenseQuery(read("getBusiness", { path: { business: id } }));
  return {
    business,
    environment,
    path: { business: id, environment },
    isConfigured: business.environments.includes(environment),
    may: (permission) => business.permissions.includes(permission),
  };
}
