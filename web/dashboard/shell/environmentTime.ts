import { useQuery } from "@tanstack/react-query";
import { read, SLOW_MS } from "../api/queries.ts";
import { useTenant } from "./tenant.ts";

/**
 * The environment's time: that of its last read, and the time since then. This device's clock may be wrong, but it measures
 * a wait. Null before the first read.
 */
export function useEnvironmentTime(): string | null {
  const { path } = useTenant();
  const { data, dataUpdatedAt } = useQuery({
    ...read("listPayments", { path, query: { limit: "1" } }),
    refetchInterval: SLOW_MS,
  });
  return data === undefined ? null : new Date(Date.parse(data.at) + Date.now() - dataUpdatedAt).toISOString();
}
